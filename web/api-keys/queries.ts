import { queryOptions } from '@tanstack/react-query'
import type { ShownKey } from '#contract/api-keys'
import { type Data, get } from '../api.ts'

export const keysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: async ({ signal }) => (await get<Data<ShownKey[]>>('/web/api-keys', {}, signal)).data,
})
