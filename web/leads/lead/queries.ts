import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { CallLog } from '#contract/call-logs'
import type { Lead } from '#contract/leads'
import { type Data, get, type Page } from '../../api.ts'

interface Change {
  field: string
  before: unknown
  after: unknown
}

export interface TimelineEntry {
  id: string | number
  at: string
  kind: string
  summary: string
  details: {
    changes?: Change[]
    not_taken?: { field: string; offered: unknown; reason: string }[]
    /** What somebody sent who may not see the lead. */
    submitted?: Record<string, unknown>
    /** The lead to which a submission with this lead's email went. */
    merged_into?: string
  }
}

/** A lead with its newest calls and the newest of what happened to it. */
export interface LeadInFull extends Lead {
  assigned_name: string | null
  calls: { total: number; calls: CallLog[] }
  timeline: { total: number; entries: TimelineEntry[] }
}

export const leadQuery = (id: string) =>
  queryOptions({
    queryKey: ['leads', 'one', id],
    queryFn: async ({ signal }) => (await get<Data<LeadInFull>>(`/web/leads/${id}`, {}, signal)).data,
  })

/** What is older than what came with the lead. */
export const olderEntriesQuery = (id: string, first: number) =>
  infiniteQueryOptions({
    queryKey: ['leads', 'timeline', id],
    queryFn: ({ pageParam, signal }) =>
      get<Page<TimelineEntry>>(`/web/leads/${id}/timeline`, { offset: pageParam, limit: 50 }, signal),
    initialPageParam: first,
    getNextPageParam: ({ pagination: { offset, limit, has_more } }) => (has_more ? offset + limit : undefined),
    placeholderData: undefined,
  })

export const olderCallsQuery = (id: string, first: number) =>
  infiniteQueryOptions({
    queryKey: ['calls', 'of-lead', id],
    queryFn: ({ pageParam, signal }) =>
      get<Page<CallLog>>('/web/calls', { lead_id: id, from_date: '1970-01-01', offset: pageParam, limit: 50 }, signal),
    initialPageParam: first,
    getNextPageParam: ({ pagination: { offset, limit, has_more } }) => (has_more ? offset + limit : undefined),
    placeholderData: undefined,
  })

/** Both lists grow at their beginning: what slid from the first page to the second is there twice. */
export const onceEach = <T extends { id: string | number }>(rows: T[]): T[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
]
