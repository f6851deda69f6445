import { queryOptions } from '@tanstack/react-query'
import type { NewView, View, ViewChange, ViewCounts } from '#contract/views'
import { type Data, get, patch, post, remove } from '../api.ts'
import { auditKeys } from '../audit/queries.ts'
import { live } from '../live/refresh.ts'
import { queryClient } from '../query.ts'

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

async function take(answer: Promise<Data<View[]>>) {
  const { data } = await answer
  queryClient.setQueryData(viewsQuery.queryKey, data)
  void queryClient.invalidateQueries({ queryKey: auditKeys.all })
}

export async function addView(view: NewView): Promise<string> {
  const answer = await post<Data<View[]> & { id: string }>('/web/views', view)
  await take(Promise.resolve(answer))
  return answer.id
}
export const changeView = (id: string, change: ViewChange) => take(patch(`/web/views/${id}`, change))
export const removeView = (id: string) => take(remove(`/web/views/${id}`))
