import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { Profile } from '#contract/access/profile'
import { type Data, get } from '../../platform/api/api.ts'
import { offline, storeAnswersFor } from '../../platform/api/offline-answers.ts'
import { showIn } from '../../platform/languages/language.ts'

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => {
    // The first request renews the session. Its token stays the same, so that the second one need not wait.
    const [, { data }] = await Promise.all([get('/auth/get-session'), get<Data<Profile>>('/web/me')])
    storeAnswersFor(data.id)
    if (data.language) showIn(data.language)
    return data
  },
  staleTime: 300_000,
  meta: offline,
})

/** The signed-in user, loaded before any page that needs a session. */
export const useMe = () => useSuspenseQuery(meQuery).data

export const useIsAdmin = () => useMe().role === 'Admin'
