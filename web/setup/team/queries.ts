import { t } from '@lingui/core/macro'
import { queryOptions, useMutation } from '@tanstack/react-query'
import type { ListedUser } from '#contract/access/account'
import { isClosed, type LeadStatus, leadStatuses } from '#contract/crm/leads'
import { usersQuery } from '../../access/account/users.ts'
import { keyKeys, keysQuery } from '../../access/api-keys/queries.ts'
import { availabilityQuery } from '../../crm/availability/queries.ts'
import { ruleKeys } from '../../crm/distribution/keys.ts'
import { leadKeys } from '../../crm/leads/keys.ts'
import { get, type Page, post, remove } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { notify, notifyProblem } from '../../platform/ui/notify.tsx'

/** The numbers of open and of closed leads of a user, of any age. */
export const leadsOfQuery = (email: string) =>
  queryOptions({
    queryKey: leadKeys.countOf(email),
    queryFn: async () => {
      const count = async (status: LeadStatus[]) => {
        const query = { assigned_to: email, status, from_date: '1970-01-01', limit: 1 }
        return (await get<Page<unknown>>('/web/leads', query)).pagination.total
      }
      const [open, closed] = await Promise.all([
        count(leadStatuses.filter((status) => !isClosed(status))),
        count(leadStatuses.filter(isClosed)),
      ])
      return { open, closed }
    },
    placeholderData: undefined,
  })

/** The names of the API keys that act for a user. */
export const keysOfQuery = (userId: string) =>
  queryOptions({
    ...keysQuery,
    select: (keys) => keys.filter(({ user, revoked_at }) => user.id === userId && !revoked_at).map(({ name }) => name),
  })

/** Invalidates the users, and what shows them: availability, leads, keys and distribution rules. */
export function useUsersChanged() {
  return () =>
    Promise.all(
      [usersQuery.queryKey, availabilityQuery.queryKey, leadKeys.all, keyKeys.all, ruleKeys.all].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    )
}

export function useActivate() {
  const changed = useUsersChanged()
  return useMutation({
    mutationFn: ({ id }: ListedUser) => remove(`/web/users/${id}/deactivation`),
    onSuccess: async (_answer, { id, name }) => {
      await changed()
      notify(t`${name} can sign in again`, () => post(`/web/users/${id}/deactivation`).then(changed))
    },
    onError: notifyProblem,
  })
}
