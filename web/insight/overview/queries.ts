import { queryOptions } from '@tanstack/react-query'
import type { Overview } from '#contract/insight/overview'
import { leadKeys } from '../../crm/leads/keys.ts'
import { type Data, get, type Page } from '../../platform/api/api.ts'
import { live } from '../../platform/live/refresh.ts'

export const overviewQuery = (days: number) =>
  queryOptions({
    queryKey: leadKeys.overview(days),
    queryFn: async ({ signal }) => (await get<Data<Overview>>('/web/overview', { days }, signal)).data,
    meta: live,
  })

/** Whether the user sees any lead, of any age. */
export const anyLeadQuery = queryOptions({
  queryKey: leadKeys.any,
  queryFn: async ({ signal }) => {
    const { data } = await get<Page<object>>('/web/leads', { limit: 1, from_date: '1970-01-01' }, signal)
    return data.length > 0
  },
  meta: live,
})
