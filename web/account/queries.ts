import { queryOptions } from '@tanstack/react-query'
import type { AccountSettings } from '#contract/account'
import { type Data, get } from '../api.ts'

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async ({ signal }) => (await get<Data<AccountSettings>>('/web/account', {}, signal)).data,
  staleTime: 60_000,
})
