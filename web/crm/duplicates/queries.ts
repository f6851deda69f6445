import { t } from '@lingui/core/macro'
import { queryOptions } from '@tanstack/react-query'
import type {
  DuplicateLead,
  DuplicateReason,
  DuplicatesOfLead,
  LeadComparison,
  LeadPair,
  PossibleDuplicate,
} from '#contract/crm/duplicates'
import { type Data, get, type Page, post, remove } from '../../platform/api/api.ts'
import { live } from '../../platform/live/refresh.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { leadKeys } from '../leads/keys.ts'
import { refreshLeads } from '../leads/queries.ts'

export const duplicatesPerPage = 25

export const duplicatesQuery = (offset: number, limit = duplicatesPerPage) =>
  queryOptions({
    queryKey: leadKeys.duplicates(offset, limit),
    queryFn: ({ signal }) => get<Page<PossibleDuplicate>>('/web/duplicates', { offset, limit }, signal),
    meta: live,
  })

/** The lead that came first is kept, if the user chooses nothing else. */
export const keptFirst = ({ leads: [one, other] }: PossibleDuplicate): [DuplicateLead, DuplicateLead] =>
  one.created_at <= other.created_at ? [one, other] : [other, one]

/** Says that the leads of each pair are two people. */
export async function dismissPairs(pairs: LeadPair[]) {
  await post('/web/duplicates/dismissals', { pairs })
  await refreshLeads()
}

export const duplicatesOfLeadQuery = (id: string) =>
  queryOptions({
    queryKey: leadKeys.duplicatesOf(id),
    queryFn: async ({ signal }) => (await get<Data<DuplicatesOfLead>>(`/web/leads/${id}/duplicates`, {}, signal)).data,
    placeholderData: undefined,
    retry: false,
    meta: live,
  })

/** Loaded once, so that nothing changes under a choice. Merging says if a lead was changed since. */
export const comparisonQuery = (kept: string, other: string) =>
  queryOptions({
    queryKey: leadKeys.comparison(kept, other),
    queryFn: async ({ signal }) =>
      (await get<Data<LeadComparison>>(`/web/leads/${kept}/comparison`, { other_id: other }, signal)).data,
    placeholderData: undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

export async function undoMerge(keptId: string, otherName: string) {
  await remove(`/web/leads/${keptId}/merge`)
  await refreshLeads()
  notify(t`Merge undone. ${{ name: otherName }} is a separate lead again`)
}

export const reasonText: Record<DuplicateReason, string> = {
  submission: t`A submission had contacts of both`,
  name_and_city: t`Same name and city`,
  near_phone: t`Same name, phones nearly the same`,
}
