import { queryOptions } from '@tanstack/react-query'
import type { ShownKey } from '#contract/access/api-keys'
import { type Data, get } from '../../platform/api/api.ts'

export const keyKeys = { all: ['api-keys'] } as const

export const keysQuery = queryOptions({
  queryKey: keyKeys.all,
  queryFn: async ({ signal }) => (await get<Data<ShownKey[]>>('/web/api-keys', {}, signal)).data,
})
