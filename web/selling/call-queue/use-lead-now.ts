import { useQuery } from '@tanstack/react-query'
import type { QueuedLead } from '#contract/selling/call-queue'
import { leadQuery } from '../../crm/leads/queries.ts'
import { isNotFound } from '../../platform/api/api.ts'

/** A lead that is shown: once it has left the queue, with what a colleague changed. `isLost`: the user no longer sees it. */
export function useLeadNow(lead: QueuedLead, isGone: boolean) {
  const { data, error } = useQuery({ ...leadQuery(lead.id), enabled: isGone, placeholderData: undefined })
  const now = isGone && data ? { ...lead, status: data.status, call_again_at: data.call_again_at } : lead
  return { now, isLost: isGone && isNotFound(error) }
}
