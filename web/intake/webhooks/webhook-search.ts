import { type DeliveryOutcome, deliveryOutcomes } from '#contract/intake/webhooks'
import { readChoice, text } from '../../platform/api/search.ts'

const webhookTabs = ['deliveries', 'mapping', 'defaults'] as const
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
type WebhookTab = (typeof webhookTabs)[number]

/** The URL search of a webhook's page: its tab, the outcome filter, and the open delivery. */
interface WebhookSearch {
  tab?: WebhookTab | undefined
  outcome?: DeliveryOutcome | undefined
  delivery?: string | undefined
}

export const webhookSearch = (search: Record<string, unknown>): WebhookSearch => ({
  tab: readChoice(search, 'tab', webhookTabs),
  outcome: readChoice(search, 'outcome', deliveryOutcomes),
  delivery: uuid.test(text(search, 'delivery') ?? '') ? text(search, 'delivery') : undefined,
})
