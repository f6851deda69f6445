import { queryOptions } from '@tanstack/react-query'
import type { SignInOptions } from '#contract/sign-in'
import { type Data, get } from '../api.ts'

/** How users of this installation can sign in. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: async () => (await get<Data<SignInOptions>>('/web-public/sign-in-options')).data,
  staleTime: Number.POSITIVE_INFINITY,
})
