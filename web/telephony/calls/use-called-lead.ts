import { queryOptions, useQuery } from '@tanstack/react-query'
import type { LeadInFull } from '#contract/crm/leads'
import { leadKeys } from '../../crm/leads/keys.ts'
import { leadQuery } from '../../crm/leads/queries.ts'
import { type Data, get } from '../../platform/api/api.ts'
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

/** From the page that started the call, until something changes; else it is loaded. The lead in the cache may be older than the page's. */
const calledQuery = (lead: CallInProgress['lead']) =>
  queryOptions({
    queryKey: leadKeys.called(lead.id),
    queryFn: async () => knownOf(lead, await queryClient.fetchQuery(leadQuery(lead.id))),
    ...(lead.call_again_at !== undefined && lead.status !== undefined ? { initialData: knownOf(lead, undefined) } : {}),
    placeholderData: undefined,
    meta: live,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** What the form of a call has to know of its lead. */
export const useCalledLead = (lead: CallInProgress['lead']): CalledLead =>
  useQuery(calledQuery(lead)).data ?? knownOf(lead, undefined)

/** The same with all contacts. Without a connection, it has what the page knows. */
export const readCalledLead = (lead: CallInProgress['lead']): Promise<CalledLead> =>
  queryClient.fetchQuery({ ...calledQuery(lead), staleTime: 0 }).catch(() => knownOf(lead, undefined))

/** When Call next has the lead again, if it is not reached now. Without a connection, the form does without. */
export const retryQuery = (leadId: string) =>
  queryOptions({
    queryKey: leadKeys.retry(leadId),
    queryFn: async ({ signal }) =>
      (await get<Data<{ retry_at: string }>>(`/web/leads/${leadId}/retry`, {}, signal)).data.retry_at,
    retry: false,
    staleTime: 60_000,
    gcTime: 0,
  })
