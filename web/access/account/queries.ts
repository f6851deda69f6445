import { queryOptions } from '@tanstack/react-query'
import type { AccountChange, AccountSettings } from '#contract/access/account'
import { type Data, get, patch } from '../../platform/api/api.ts'
import { offline } from '../../platform/api/offline-answers.ts'
import { sendChange } from '../../platform/api/query.ts'

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async ({ signal }) => (await get<Data<AccountSettings>>('/web/account', {}, signal)).data,
  staleTime: 300_000,
  meta: offline,
})

export const changeAccount = async (change: AccountChange) =>
  (await sendChange(accountQuery, () => patch<Data<AccountSettings>>('/web/account', change))).data
