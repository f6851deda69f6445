import { type DeliveryOutcome, deliveryOutcomes } from '#contract/intake/webhooks'
import type { Days } from '#contract/platform/periods'
import { flag, readChoice, text } from '../../platform/api/search.ts'
import { days } from '../../platform/api/search-days.ts'

export const listFilters = ['enabled', 'disabled', 'attention'] as const
const listSorts = ['name', 'today', 'last'] as const

/** The search, filter and order of the list of webhooks. */
export interface WebhookListSearch {
  search?: string | undefined
  show?: (typeof listFilters)[number] | undefined
  sort?: (typeof listSorts)[number] | undefined
  reverse?: true | undefined
}

export const webhookListSearch = (search: Record<string, unknown>): WebhookListSearch => ({
  search: text(search, 'search'),
  show: readChoice(search, 'show', listFilters),
  sort: readChoice(search, 'sort', listSorts),
  reverse: flag(search, 'reverse'),
})

const webhookTabs = ['deliveries', 'mapping', 'defaults'] as const
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
type WebhookTab = (typeof webhookTabs)[number]

/** The URL search of a webhook's page: its tab, the filters of its deliveries, and the open delivery. */
export interface WebhookSearch extends Days {
  tab?: WebhookTab | undefined
  outcome?: DeliveryOutcome | undefined
  search?: string | undefined
  delivery?: string | undefined
}

export const webhookSearch = (search: Record<string, unknown>): WebhookSearch => ({
  tab: readChoice(search, 'tab', webhookTabs),
  outcome: readChoice(search, 'outcome', deliveryOutcomes),
  search: text(search, 'search'),
  ...days(search),
  delivery: uuid.test(text(search, 'delivery') ?? '') ? text(search, 'delivery') : undefined,
})
