import { queryOptions } from '@tanstack/react-query'
import type { CallTotals, ListedCall } from '#contract/calls'
import { type Data, get, type Page } from '../api.ts'
import { live } from '../live/refresh.ts'
import { dateRange } from '../ui/days.ts'
import type { CallListSearch } from './call-search.ts'

type Asked = ReturnType<typeof chosenBy>

export const callKeys = {
  all: ['calls'],
  list: (asked: Asked & { offset: number | undefined }) => ['calls', 'list', asked],
  totals: (asked: Asked) => ['calls', 'totals', asked],
  ofLead: (leadId: string) => ['calls', 'of-lead', leadId],
  one: (id: string) => ['calls', 'one', id],
} as const

export const pageSize = 50

/** The filters of the URL, for the list, its totals and the export. */
export function chosenBy({ only, offset, days, from_date, to_date, ...search }: CallListSearch) {
  return {
    ...search,
    ...dateRange({ days, from_date, to_date }),
    missed: only === 'missed' ? true : undefined,
    unreturned: only === 'unreturned' ? true : undefined,
    connected: only === 'connected' ? true : undefined,
  }
}

export function callsQuery(search: CallListSearch) {
  const asked = { ...chosenBy(search), offset: search.offset }
  return queryOptions({
    queryKey: callKeys.list(asked),
    queryFn: ({ signal }) => get<Page<ListedCall>>('/web/calls', { ...asked, limit: pageSize }, signal),
    meta: live,
  })
}

export function totalsQuery(search: CallListSearch) {
  const asked = chosenBy(search)
  return queryOptions({
    queryKey: callKeys.totals(asked),
    queryFn: async ({ signal }) => (await get<Data<CallTotals>>('/web/calls/totals', asked, signal)).data,
    meta: live,
  })
}
