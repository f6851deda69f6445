import { queryOptions } from '@tanstack/react-query'
import type { AddedPhoneLine, OwnPhoneLine, PhoneLines } from '#contract/telephony/phone-lines'
import { type Data, get, post, remove } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'

const all = ['phone-lines']

/** The lines of all users, and the unknown ones: for Admins. */
export const phoneLinesQuery = queryOptions({
  queryKey: [...all, 'of-account'],
  queryFn: async ({ signal }) => (await get<Data<PhoneLines>>('/web/phone-lines', {}, signal)).data,
})

export const ownLinesQuery = queryOptions({
  queryKey: [...all, 'own'],
  queryFn: async ({ signal }) => (await get<Data<OwnPhoneLine[]>>(ownUrl, {}, signal)).data,
})

const ownUrl = '/web/profile/phone-lines'

/** Gives a line to a user. Pages show their calls by the event of the change. */
export async function connectLine(line: string, user_id: string): Promise<AddedPhoneLine> {
  const { data } = await post<Data<AddedPhoneLine>>('/web/phone-lines', { line, user_id })
  await queryClient.invalidateQueries({ queryKey: all })
  return data
}

/** Removes and adds lines until the user has those that are written. Without a user, it changes your own. */
export async function saveLines(before: OwnPhoneLine[], written: string[], user_id?: string): Promise<void> {
  const url = user_id === undefined ? ownUrl : '/web/phone-lines'
  try {
    for (const one of before) {
      if (!written.includes(one.written)) await remove(`${url}?${new URLSearchParams({ line: one.line })}`)
    }
    for (const line of written) {
      if (!before.some((one) => one.written === line)) await post(url, { line, user_id })
    }
  } finally {
    await queryClient.invalidateQueries({ queryKey: all })
  }
}
