import { queryOptions } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Enquiries } from '#contract/crm/enquiries'
import type { CallPreview, LeadInFull, TimelineEntry, TimelinePage } from '#contract/crm/leads'
import { leadKeys } from '../../crm/leads/keys.ts'
import { type Data, get, type Page } from '../../platform/api/api.ts'
import { useOlder } from '../../platform/api/use-older.ts'

export const useEnquiries = ({ id, enquiries: { entries, next } }: LeadInFull) =>
  useOlder({
    queryKey: leadKeys.enquiries(id, next),
    newest: entries,
    start: next,
    page: async (before, signal) => {
      const { data } = await get<Data<Enquiries>>(`/web/leads/${id}/enquiries`, { before }, signal)
      return { rows: data.entries, next: data.next ?? undefined }
    },
  })

export function useTimeline({ id, timeline }: LeadInFull) {
  const older = useOlder({
    queryKey: leadKeys.timeline(id),
    newest: timeline.entries,
    start: timeline.next,
    page: async (before, signal) => {
      const { data } = await get<Data<TimelinePage>>(`/web/leads/${id}/timeline`, { before, limit: 50 }, signal)
      return { rows: data.entries, next: data.next ?? undefined }
    },
  })
  // A new entry pushes another one out of the newest; what was shown stays.
  const seen = useRef(new Map<number, TimelineEntry>())
  for (const entry of older.known) seen.current.set(entry.id, entry)
  return { ...older, known: [...seen.current.values()].sort((one, other) => other.id - one.id) }
}

export const useCalls = ({ id, calls }: LeadInFull) =>
  useOlder<CallPreview>({
    queryKey: leadKeys.callsOf(id),
    newest: calls.calls,
    start: calls.calls.length,
    page: async (offset, signal) => {
      const asked = { lead_id: id, from_date: '1970-01-01', offset, limit: 50 }
      const { data, pagination } = await get<Page<CallPreview>>('/web/calls', asked, signal)
      return { rows: data, next: pagination.has_more ? offset + pagination.limit : undefined }
    },
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
