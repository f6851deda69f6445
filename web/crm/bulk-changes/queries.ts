import { queryOptions } from '@tanstack/react-query'
import type { BulkChange, NewBulkChange } from '#contract/crm/bulk-changes'
import { type Data, get, post } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { liveOfOthers } from '../../platform/live/refresh.ts'
import { refreshLeads } from '../leads/queries.ts'

const key = ['bulk-changes']

export const isUnfinished = ({ state }: BulkChange) => state === 'running' || state === 'undoing'

/** Those that this page started or undoes, until they end. */
const followed = new Set<string>()

/** Those that this page undoes, until it has said so. */
export const undoneHere = new Set<string>()

/** Leads of bulk changes that end within a second or so. */
const fewLeads = 1000

/** Bulk changes that run, and those of the last day. Admins see those of all users. */
export const bulkChangesQuery = queryOptions({
  queryKey: key,
  queryFn: async ({ signal }) => {
    const { data } = await get<Data<BulkChange[]>>('/web/bulk-changes', {}, signal)
    const ended = data.filter((job) => followed.has(job.id) && !isUnfinished(job))
    for (const { id } of ended) followed.delete(id)
    // Lists show at once what changed.
    if (ended.length > 0) void refreshLeads()
    return data
  },
  meta: liveOfOthers,
  refetchInterval: ({ state }) => {
    const unfinished = state.data?.filter(isUnfinished) ?? []
    if (unfinished.length === 0) return false
    return unfinished.reduce((sum, { total }) => sum + total, 0) > fewLeads ? 1000 : 250
  },
})

/** How many leads match the filters, where the list counts up to a limit only. */
export const countQuery = (matching: NewBulkChange['matching']) =>
  queryOptions({
    queryKey: [...key, 'count', matching],
    queryFn: async () =>
      (await post<Data<{ total: number }>>('/web/bulk-changes/count', { matching }, { isRead: true })).data.total,
    // The number of other leads does not apply.
    placeholderData: () => undefined,
  })

const refresh = () => queryClient.invalidateQueries({ queryKey: key })

export async function startBulkChange(body: NewBulkChange): Promise<void> {
  const { data } = await post<Data<BulkChange>>('/web/bulk-changes', body)
  followed.add(data.id)
  await refresh()
}

export async function undoBulkChange(id: string): Promise<void> {
  await post(`/web/bulk-changes/${id}/undo`)
  followed.add(id)
  undoneHere.add(id)
  await refresh()
}

export async function cancelBulkChange(id: string): Promise<void> {
  await post(`/web/bulk-changes/${id}/cancellation`)
  await refresh()
}
