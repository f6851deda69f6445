import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { Profile } from '#contract/profile'
import { type Data, get } from './api.ts'

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => {
    // Asking for the session renews it.
    await get('/auth/get-session')
    return (await get<Data<Profile>>('/web/me')).data
  },
  staleTime: 300_000,
})

/** Who is signed in. Every page behind the sign-in has been given it before it is shown. */
export const useMe = () => useSuspenseQuery(meQuery).data

export const useIsAdmin = () => useMe().role === 'Admin'
