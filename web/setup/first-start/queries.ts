import { queryOptions } from '@tanstack/react-query'
import type { FirstStart, FirstStartChange, FirstStep } from '#contract/setup/first-start'
import { meQuery } from '../../access/account/me.ts'
import { type Data, get, patch } from '../../platform/api/api.ts'
import { queryClient, sendChange } from '../../platform/api/query.ts'
import { live } from '../../platform/live/refresh.ts'

export const firstStartQuery = queryOptions({
  queryKey: ['first-start'],
  queryFn: async ({ signal }) => (await get<Data<FirstStart>>('/web/first-start', {}, signal)).data,
  staleTime: 0,
  meta: live,
})

export const refreshFirstStart = () => queryClient.invalidateQueries({ queryKey: firstStartQuery.queryKey })

export async function changeFirstStart(change: FirstStartChange): Promise<void> {
  const { data } = await sendChange(firstStartQuery, () => patch<Data<FirstStart>>('/web/first-start', change))
  const first_start = data.ended ? ('ended' as const) : ('started' as const)
  queryClient.setQueryData(meQuery.queryKey, (me) => me && { ...me, first_start })
}

/** The steps with the state `skipped`, as `step` is skipped, or no longer. */
export const skippedWith = ({ steps }: FirstStart, step: FirstStep, isSkipped: boolean): FirstStep[] =>
  (Object.keys(steps) as FirstStep[]).filter((one) => (one === step ? isSkipped : steps[one] === 'skipped'))
