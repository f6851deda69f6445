import { queryOptions } from '@tanstack/react-query'
import type { ListedUser } from '#contract/access/account'
import { type Data, get } from '../../platform/api/api.ts'

/** The users whose leads you can see. Admins get all users, with more fields. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: async () => (await get<Data<ListedUser[]>>('/web/users')).data,
  staleTime: 60_000,
  // Shows the progress while leads are reassigned.
  refetchInterval: ({ state }) =>
    state.data?.some(({ reassignment }) => reassignment?.state === 'running') ? 1000 : false,
})
