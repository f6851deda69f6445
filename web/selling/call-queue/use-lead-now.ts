import { useQuery } from '@tanstack/react-query'
import type { LeadInFull } from '#contract/crm/leads'
import type { QueuedLead } from '#contract/selling/call-queue'
import { leadQuery } from '../../crm/leads/queries.ts'
import { isNotFound } from '../../platform/api/api.ts'
import { notedCall } from './LeadFacts.tsx'

/** A lead that is shown: once it has left the queue, with what was changed and its last call. `isLost`: the user no longer sees it. */
export function useLeadNow(lead: QueuedLead, isGone: boolean) {
  const { data, error } = useQuery({ ...leadQuery(lead.id), enabled: isGone, placeholderData: undefined })
  const now = isGone && data ? { ...lead, ...knownOf(data) } : lead
  return { now, isLost: isGone && isNotFound(error) }
}

const knownOf = (lead: LeadInFull) => ({
  status: lead.status,
  notes: lead.notes,
  call_again_at: lead.call_again_at,
  last_call_at: lead.last_call_at,
  last_call_outcome: lead.last_call_outcome,
  last_call_notes: notedCall(lead) ?? null,
})
