import { type QueryKey, queryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Enquiries } from '#contract/crm/enquiries'
import type { CallPreview, LeadInFull, TimelineEntry, TimelinePage } from '#contract/crm/leads'
import { leadKeys } from '../../crm/leads/keys.ts'
import { type Data, get, type Page } from '../../platform/api/api.ts'

/**
 * The older entries of a lead, loaded on demand, a page at a time by `ask`. An entry that moves to the next page meanwhile
 * is loaded twice and shown once.
 */
function useOlder<T extends { id: string | number }>(
  queryKey: QueryKey,
  newest: T[],
  start: number | null,
  page: (from: number, signal: AbortSignal) => Promise<{ rows: T[]; next: number | undefined }>,
) {
  const [asked, setAsked] = useState(false)
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => page(pageParam, signal),
    initialPageParam: start ?? 0,
    getNextPageParam: ({ next }) => next,
    placeholderData: undefined,
    enabled: asked && start !== null,
  })
  const rows = [...newest, ...(data?.pages.flatMap((older) => older.rows) ?? [])]
  return {
    known: [...new Map(rows.map((row) => [row.id, row])).values()],
    hasMore: start !== null && (data === undefined || hasNextPage),
    ask: () => (asked ? void fetchNextPage() : setAsked(true)),
    isFetching,
    error,
    retry: () => void refetch(),
  }
}

export const useEnquiries = ({ id, enquiries: { entries, next } }: LeadInFull) =>
  useOlder(leadKeys.enquiries(id, next), entries, next, async (before, signal) => {
    const { data } = await get<Data<Enquiries>>(`/web/leads/${id}/enquiries`, { before }, signal)
    return { rows: data.entries, next: data.next ?? undefined }
  })

export function useTimeline({ id, timeline }: LeadInFull) {
  const older = useOlder(leadKeys.timeline(id), timeline.entries, timeline.next, async (before, signal) => {
    const { data } = await get<Data<TimelinePage>>(`/web/leads/${id}/timeline`, { before, limit: 50 }, signal)
    return { rows: data.entries, next: data.next ?? undefined }
  })
  // A new entry pushes another one out of the newest; entries never change, so what was shown stays.
  const seen = useRef(new Map<number, TimelineEntry>())
  for (const entry of older.known) seen.current.set(entry.id, entry)
  return { ...older, known: [...seen.current.values()].sort((one, other) => other.id - one.id) }
}

export const useCalls = ({ id, calls }: LeadInFull) =>
  useOlder(leadKeys.callsOf(id), calls.calls, calls.calls.length, async (offset, signal) => {
    const asked = { lead_id: id, from_date: '1970-01-01', offset, limit: 50 }
    const { data, pagination } = await get<Page<CallPreview>>('/web/calls', asked, signal)
    return { rows: data, next: pagination.has_more ? offset + pagination.limit : undefined }
  })

/** A timeline entry with its long texts in full. */
export const entryQuery = (leadId: string, entryId: number) =>
  queryOptions({
    queryKey: leadKeys.entry(leadId, entryId),
    queryFn: async ({ signal }) =>
      (await get<Data<TimelineEntry>>(`/web/leads/${leadId}/timeline/${entryId}`, {}, signal)).data,
    // Entries never change.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: undefined,
  })
