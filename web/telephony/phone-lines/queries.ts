import { queryOptions } from '@tanstack/react-query'
import type {
  AddedPhoneLine,
  LineCredits,
  OwnPhoneLine,
  PhoneLines,
  RemovedPhoneLine,
  UserPhoneLine,
} from '#contract/telephony/phone-lines'
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

/** Confirms a line that a user asks for. */
export const confirmLine = ({ written, user_id }: UserPhoneLine) => connectLine(written, user_id)

/** What a line changed since its user has it. */
export const creditsQuery = (line: string) =>
  queryOptions({
    queryKey: [...all, 'credits', line],
    queryFn: async ({ signal }) => (await get<Data<LineCredits>>('/web/phone-lines/credits', { line }, signal)).data,
  })

/** Removes a line of a user, or declines one that is pending. */
export async function removeLine({ line, user_id }: UserPhoneLine, takesBack: boolean): Promise<RemovedPhoneLine> {
  const search = new URLSearchParams({ line, user_id, take_back: String(takesBack) })
  const { data } = await remove<Data<RemovedPhoneLine>>(`/web/phone-lines?${search}`)
  await queryClient.invalidateQueries({ queryKey: all })
  return data
}

/** Removes and adds lines until the user has those that are written. Without a user, it changes your own. */
export async function saveLines(
  before: Pick<OwnPhoneLine, 'line' | 'written'>[],
  written: string[],
  user_id?: string,
): Promise<void> {
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
