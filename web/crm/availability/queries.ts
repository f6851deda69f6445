import { queryOptions } from '@tanstack/react-query'
import type { AvailabilityChange, NewAbsence, UserAvailability } from '#contract/crm/availability'
import { type Data, get, patch, post, remove } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { ruleKeys } from '../distribution/keys.ts'

/** Your availability, and that of the users whose leads you see. */
export const availabilityQuery = queryOptions({
  queryKey: ['availability'],
  queryFn: async ({ signal }) => (await get<Data<UserAvailability[]>>('/web/availability', {}, signal)).data,
  // Absences begin and end. A page that comes back from a call does not ask sooner.
  staleTime: 300_000,
  refetchInterval: 300_000,
})

export const availabilityOf = (userId: string) =>
  queryOptions({ ...availabilityQuery, select: (all) => all.find(({ user_id }) => user_id === userId) })

const path = (userId: string) => `/web/availability/${userId}`

/** Changes of a user's availability, each with its undo. */
export const availabilityChanges = (userId: string) => {
  async function add(absence: NewAbsence) {
    const { id } = (await post<Data<{ id: string }>>(`${path(userId)}/absences`, absence)).data
    await changed()
    return () => take(id)
  }
  async function take(id: string) {
    await remove(`${path(userId)}/absences/${id}`)
    await changed()
  }
  async function saveHours(hours: AvailabilityChange['working_hours']): Promise<() => Promise<unknown>> {
    const before = (await patch<Data<AvailabilityChange>>(path(userId), { working_hours: hours })).data
    await changed()
    return () => saveHours(before.working_hours)
  }
  return { add, take, saveHours }
}

const changed = () =>
  Promise.all(
    [availabilityQuery.queryKey, ruleKeys.previews].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  )
