import { queryOptions } from '@tanstack/react-query'
import type { ListedCall } from '#contract/calls'
import { get, type Page } from '../api.ts'
import { live } from '../live/refresh.ts'
import { dateRange } from '../ui/days.ts'
import type { callSearch } from './call-search.ts'

export type CallListSearch = ReturnType<typeof callSearch>

export const callKeys = {
  all: ['calls'],
  list: (search: CallListSearch) => ['calls', 'list', search],
  ofLead: (leadId: string) => ['calls', 'of-lead', leadId],
  one: (id: string) => ['calls', 'one', id],
} as const

export const pageSize = 50

export const callsQuery = ({ days, from_date, to_date, only, ...search }: CallListSearch) =>
  queryOptions({
    queryKey: callKeys.list({ days, from_date, to_date, only, ...search }),
    queryFn: ({ signal }) =>
      get<Page<ListedCall>>(
        '/web/calls',
        {
          ...search,
          ...dateRange({ days, from_date, to_date }),
          limit: pageSize,
          missed: only === 'missed' ? true : undefined,
          unreturned: only === 'unreturned' ? true : undefined,
        },
        signal,
      ),
    meta: live,
  })
