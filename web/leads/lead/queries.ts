import { queryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CallLog } from '#contract/call-logs'
import type { LeadInFull, TimelineEntry } from '#contract/leads'
import { type Data, get, type Page } from '../../api.ts'

export const leadQuery = (id: string) =>
  queryOptions({
    queryKey: ['leads', 'one', id],
    queryFn: async ({ signal }) => (await get<Data<LeadInFull>>(`/web/leads/${id}`, {}, signal)).data,
  })

/**
 * What is older than what came with the lead, once somebody asks for it: `ask` it a page at a time. Both lists grow at
 * their beginning, so what slid from one page to the next comes twice and is shown once.
 */
function useOlder<T extends { id: string | number }>(
  queryKey: string[],
  newest: T[],
  page: (offset: number, signal: AbortSignal) => Promise<Page<T>>,
) {
  const [asked, setAsked] = useState(false)
  const { data, error, isFetching, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => page(pageParam, signal),
    initialPageParam: newest.length,
    getNextPageParam: ({ pagination: { offset, limit, has_more } }) => (has_more ? offset + limit : undefined),
    placeholderData: undefined,
    enabled: asked,
  })
  const rows = [...newest, ...(data?.pages.flatMap((older) => older.data) ?? [])]
  return {
    known: [...new Map(rows.map((row) => [row.id, row])).values()],
    ask: () => (asked ? void fetchNextPage() : setAsked(true)),
    isFetching,
    error,
    retry: () => void refetch(),
  }
}

export const useTimeline = ({ id, timeline }: LeadInFull) =>
  useOlder(['leads', 'timeline', id], timeline.entries, (offset, signal) =>
    get<Page<TimelineEntry>>(`/web/leads/${id}/timeline`, { offset, limit: 50 }, signal),
  )

export const useCalls = ({ id, calls }: LeadInFull) =>
  useOlder(['calls', 'of-lead', id], calls.calls, (offset, signal) =>
    get<Page<CallLog>>('/web/calls', { lead_id: id, from_date: '1970-01-01', offset, limit: 50 }, signal),
  )
