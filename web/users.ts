import { queryOptions } from '@tanstack/react-query'
import type { ListedUser } from '#contract/team'
import { type Data, get } from './api.ts'

/** The people whose leads one may see; for Admins everyone, with what only Admins may know. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: async () => (await get<Data<ListedUser[]>>('/web/people')).data,
  staleTime: 60_000,
  // While leads are reassigned, the page shows how far it is.
  refetchInterval: ({ state }) =>
    state.data?.some(({ reassignment }) => reassignment?.state === 'running') ? 1000 : false,
})
