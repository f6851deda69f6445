import { type DeliveryOutcome, deliveryOutcomes } from '#contract/intake/webhooks'
import { days, readChoice, text } from '../../platform/api/search.ts'
import type { Days } from '../../platform/ui/days.ts'

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
