import { queryOptions } from '@tanstack/react-query'
import type { NewView, View, ViewChange, ViewCounts } from '#contract/crm/views'
import { auditKeys } from '../../access/audit/queries.ts'
import { type Data, get, patch, post, remove } from '../../platform/api/api.ts'
import { queryClient, sendChange } from '../../platform/api/query.ts'
import { live } from '../../platform/live/refresh.ts'

export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }) => (await get<Data<View[]>>('/web/views', {}, signal)).data,
  meta: live,
})

const countsKey = ['view-counts']

/** Counts can be expensive: they are not loaded again with each change, but every minute, and soon if some are missing. */
export const viewCountsQuery = (views: View[]) =>
  queryOptions({
    queryKey: [...countsKey, views.map(({ id, search }) => [id, search])],
    queryFn: async ({ signal }) => (await get<Data<ViewCounts>>('/web/views/counts', {}, signal)).data,
    enabled: views.length > 0,
    staleTime: 30_000,
    refetchInterval: ({ state: { data } }) => (data && views.some(({ id }) => !(id in data)) ? 2000 : 60_000),
  })

/** Each change takes the views that the server answers. */
async function take<Answer extends Data<View[]>>(send: () => Promise<Answer>): Promise<Answer> {
  const answer = await sendChange(viewsQuery, send)
  void queryClient.invalidateQueries({ queryKey: auditKeys.all })
  return answer
}

export const addView = async (view: NewView) =>
  (await take(() => post<Data<View[]> & { id: string }>('/web/views', view))).id
export const changeView = (id: string, change: ViewChange) =>
  take(() => patch<Data<View[]>>(`/web/views/${id}`, change))
export const removeView = (id: string) => take(() => remove<Data<View[]>>(`/web/views/${id}`))
