import { useQuery } from '@tanstack/react-query'
import type { LeadInFull } from '#contract/crm/leads'
import { leadKeys } from '../../crm/leads/keys.ts'
import { leadQuery } from '../../crm/leads/queries.ts'
import { queryClient } from '../../platform/api/query.ts'
import { live } from '../../platform/live/refresh.ts'
import type { CallInProgress } from './call-in-progress.ts'
import type { CalledLead as Known } from './results.ts'

export interface CalledLead extends Known {
  phone: string
  /** The email of its owner. */
  owner: string | null
}

const knownOf = (lead: CallInProgress['lead'], data: LeadInFull | undefined): CalledLead => ({
  status: data?.status ?? lead.status,
  call_again_at: data ? data.call_again_at : (lead.call_again_at ?? null),
  phone: data?.phone ?? lead.phone ?? '',
  owner: data?.assigned_to ?? null,
  other_phones: data?.other_contacts.filter(({ kind }) => kind === 'phone').map(({ value }) => value) ?? [],
})

/**
 * What the form of a call has to know of its lead: from the page that started it, until something changes; else it is loaded. The lead in
 * the cache may be older than the page's.
 */
export function useCalledLead(lead: CallInProgress['lead']): CalledLead {
  const onPage = knownOf(lead, undefined)
  const isKnown = lead.call_again_at !== undefined && lead.status !== undefined
  const { data = onPage } = useQuery({
    queryKey: leadKeys.called(lead.id),
    queryFn: async () => knownOf(lead, await queryClient.fetchQuery(leadQuery(lead.id))),
    ...(isKnown ? { initialData: onPage } : {}),
    placeholderData: undefined,
    meta: live,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return data
}

/** The same with all contacts. Without a connection, it has what the page knows. */
export async function readCalledLead(lead: CallInProgress['lead']): Promise<CalledLead> {
  const data = await queryClient.fetchQuery(leadQuery(lead.id)).catch(() => undefined)
  return knownOf(lead, data)
}
