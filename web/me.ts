import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { Profile } from '#contract/profile'
import { type Data, get } from './api.ts'

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => {
    // This request renews the session.
    await get('/auth/get-session')
    return (await get<Data<Profile>>('/web/me')).data
  },
  staleTime: 300_000,
})

/** The signed-in user, loaded before any page that needs a session. */
export const useMe = () => useSuspenseQuery(meQuery).data

export const useIsAdmin = () => useMe().role === 'Admin'
