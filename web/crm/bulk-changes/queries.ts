import { queryOptions } from '@tanstack/react-query'
import type { BulkChange, NewBulkChange } from '#contract/crm/bulk-changes'
import { type Data, get, post } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { liveOfOthers } from '../../platform/live/refresh.ts'
import { refreshLeads } from '../leads/queries.ts'

const key = ['bulk-changes']

export const isUnfinished = ({ state }: BulkChange) => state === 'running' || state === 'undoing'

/** Bulk changes that run, and those of the last day. Admins see those of all users. */
export const bulkChangesQuery = queryOptions({
  queryKey: key,
  queryFn: async () => (await get<Data<BulkChange[]>>('/web/bulk-changes')).data,
  meta: liveOfOthers,
  refetchInterval: ({ state }) => (state.data?.some(isUnfinished) ? 1000 : false),
})

const refresh = () => queryClient.invalidateQueries({ queryKey: key })

export async function startBulkChange(body: NewBulkChange): Promise<void> {
  await post('/web/bulk-changes', body)
  await Promise.all([refresh(), refreshLeads()])
}

export async function undoBulkChange(id: string): Promise<void> {
  await post(`/web/bulk-changes/${id}/undo`)
  await refresh()
}

export async function cancelBulkChange(id: string): Promise<void> {
  await post(`/web/bulk-changes/${id}/cancellation`)
  await refresh()
}
