import { queryOptions } from '@tanstack/react-query'
import type { SignInOptions } from '#contract/access/sign-in'
import { type Data, get } from '../../platform/api/api.ts'

/** How users of this installation can sign in. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: async () => (await get<Data<SignInOptions>>('/web-public/sign-in-options')).data,
  staleTime: Number.POSITIVE_INFINITY,
})
