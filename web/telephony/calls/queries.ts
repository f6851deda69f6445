import { queryOptions } from '@tanstack/react-query'
import type { CallTotals, ListedCall, WholeCall } from '#contract/telephony/calls'
import { leadKeys } from '../../crm/leads/keys.ts'
import { type Data, get, type Page } from '../../platform/api/api.ts'
import { cacheMs } from '../../platform/api/use-older.ts'
import { live } from '../../platform/live/refresh.ts'
import { dateRange } from '../../platform/ui/days.ts'
import type { CallListSearch } from './call-search.ts'

export const pageSize = 50

/** The filters of the URL, for the list, its totals and the export. */
export function chosenBy({ only, offset, sort, days, period, ...search }: CallListSearch) {
  return {
    ...search,
    ...dateRange({ ...search, days, period }),
    missed: only === 'missed' ? true : undefined,
    unreturned: only === 'unreturned' ? true : undefined,
    connected: only === 'connected' ? true : undefined,
  }
}

/** `loadFrom` loads another page of the list. */
export function callListQuery(search: CallListSearch) {
  const asked = { ...chosenBy(search), sort: search.sort, offset: search.offset }
  const load = (from: number | undefined, signal: AbortSignal) =>
    get<Page<ListedCall>>('/web/calls', { ...asked, offset: from, limit: pageSize }, signal)
  const query = queryOptions({
    queryKey: leadKeys.calls(asked),
    queryFn: ({ signal }) => load(search.offset, signal),
    gcTime: cacheMs,
    meta: live,
  })
  return { query, loadFrom: load }
}

export function totalsQuery(search: CallListSearch) {
  const asked = chosenBy(search)
  return queryOptions({
    queryKey: leadKeys.callTotals(asked),
    queryFn: async ({ signal }) => (await get<Data<CallTotals>>('/web/calls/totals', asked, signal)).data,
    meta: live,
  })
}

/** A call with its notes in full. */
export const callQuery = (id: string) =>
  queryOptions({
    queryKey: leadKeys.call(id),
    queryFn: async ({ signal }) => (await get<Data<WholeCall>>(`/web/calls/${id}`, {}, signal)).data,
    placeholderData: undefined,
  })
