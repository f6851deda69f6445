import { oneOf, text } from '../search.ts'

const webhookTabs = ['deliveries', 'mapping', 'defaults'] as const
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
type WebhookTab = (typeof webhookTabs)[number]

/** What the address bar holds of a webhook's page: its tab, the outcome looked for, and the delivery that is open. */
interface WebhookSearch {
  tab?: WebhookTab | undefined
  outcome?: 'created' | 'merged' | 'duplicate' | 'rejected' | 'ignored' | 'test' | undefined
  delivery?: string | undefined
}

export const webhookSearch = (search: Record<string, unknown>): WebhookSearch => ({
  tab: oneOf(search, 'tab', webhookTabs),
  outcome: oneOf(search, 'outcome', ['created', 'merged', 'duplicate', 'rejected', 'ignored', 'test']),
  delivery: uuid.test(text(search, 'delivery') ?? '') ? text(search, 'delivery') : undefined,
})
