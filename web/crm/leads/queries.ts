import { queryOptions } from '@tanstack/react-query'
import {
  closedRangeOf,
  type DealValues,
  type LeadChoices,
  type LeadInFull,
  type ListedLead,
  type MatchAnswer,
  type ValueByChoice,
} from '#contract/crm/leads'
import { type Data, get, type Page, post } from '../../platform/api/api.ts'
import { offline } from '../../platform/api/offline-answers.ts'
import { queryClient } from '../../platform/api/query.ts'
import { cacheMs } from '../../platform/api/use-older.ts'
import { live, showOwnChange } from '../../platform/live/refresh.ts'
import { dateRange } from '../../platform/ui/days.ts'
import { istDay } from '../../platform/ui/time.ts'
import { leadKeys } from './keys.ts'
import type { LeadListSearch } from './lead-search.ts'

export const leadsPerPage = 50

/** Choices for a lead's source and owner. */
export const choicesQuery = queryOptions({
  queryKey: leadKeys.choices,
  queryFn: async () => (await get<Data<LeadChoices>>('/web/leads/choices')).data,
  staleTime: 60_000,
})

/** The most frequent questions, for columns with their answers. */
export const questionsQuery = queryOptions({
  queryKey: leadKeys.questions,
  queryFn: async () => (await get<Data<string[]>>('/web/leads/questions')).data,
  staleTime: 60_000,
})

/** The filters of the URL, for the list and the export. */
export function chosenBy(search: LeadListSearch) {
  const { status, source, priority, assigned_to, tag, city, product, campaign, ad, form } = search
  const { last_call, follow_up, lost_reason, closed_by, first_owner, min_value, max_value } = search
  return {
    search: search.search,
    ...{ status, source, priority, assigned_to, tag, city, product, campaign, ad, form },
    ...{ last_call, follow_up, lost_reason, closed_by, first_owner, min_value, max_value, import: search.import },
    ...dateRange(search),
    ...closedRangeOf(search, istDay()),
  }
}

/** `shown`: questions whose answers are listed, and further values. `loadFrom` loads another page of the list. */
export function leadListQuery(search: LeadListSearch, shown: { question: string[]; with: ValueByChoice[] }) {
  const { sort, reverse, offset } = search
  const asked = { ...chosenBy(search), ...shown, sort, reverse, offset, limit: leadsPerPage }
  const load = (from: number | undefined, signal: AbortSignal) =>
    get<Page<ListedLead>>('/web/leads', { ...asked, offset: from }, signal)
  const query = queryOptions({
    queryKey: leadKeys.list(asked),
    queryFn: ({ signal }) => load(offset, signal),
    gcTime: cacheMs,
    meta: live,
  })
  return { query, loadFrom: load }
}

/** The sum of the deal values of the filtered leads. */
export function dealValuesQuery(search: LeadListSearch) {
  const asked = chosenBy(search)
  return queryOptions({
    queryKey: leadKeys.values(asked),
    queryFn: async ({ signal }) => (await get<Data<DealValues>>('/web/leads/value', asked, signal)).data,
    // The sum of other leads does not apply.
    placeholderData: () => undefined,
    meta: live,
  })
}

export const leadQuery = (id: string) =>
  queryOptions({
    queryKey: leadKeys.one(id),
    queryFn: async ({ signal }) => (await get<Data<LeadInFull>>(`/web/leads/${id}`, {}, signal)).data,
    meta: { ...live, ...offline },
  })

export interface Contact {
  phone?: string
  email?: string
}

/** The lead that a new one would be merged into. */
export const matchQuery = (contact: Contact) =>
  queryOptions({
    queryKey: leadKeys.match(contact),
    queryFn: async () => (await post<Data<MatchAnswer>>('/web/leads/match', contact, { isRead: true })).data,
    enabled: Object.keys(contact).length > 0,
    // The answer for another contact does not apply.
    placeholderData: () => undefined,
  })

/** Refreshes everything that shows leads, calls or counts of them, after a change of this user. */
export const refreshLeads = () => showOwnChange(() => queryClient.invalidateQueries({ queryKey: leadKeys.all }))
