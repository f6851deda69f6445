import type { ListedWebhook } from '#contract/intake/webhooks'
import { compareNames } from '#contract/platform/text'
import { contains } from '../../platform/ui/find-options.ts'
import type { WebhookListSearch } from './webhook-search.ts'

/** Whether a webhook rejected deliveries today, or ignored some that need attention. */
const needsAttention = ({ attention, ignored_since, today }: ListedWebhook) =>
  attention > 0 || ignored_since !== null || today.rejected > 0

const orders: Record<NonNullable<WebhookListSearch['sort']>, (one: ListedWebhook, other: ListedWebhook) => number> = {
  name: (one, other) => compareNames(one.name, other.name),
  today: (one, other) => other.today.received - one.today.received,
  last: (one, other) => lastOf(other) - lastOf(one),
}

const lastOf = ({ last_delivery: last }: ListedWebhook) => (last ? Date.parse(last.received_at) : 0)

/** Returns the webhooks that match, in the chosen order. */
export function shownWebhooks(
  webhooks: ListedWebhook[],
  { search = '', show, sort = 'name', reverse }: WebhookListSearch,
): ListedWebhook[] {
  const found = webhooks.filter(
    (webhook) =>
      (contains(webhook.name, search) || contains(webhook.source_label, search)) &&
      (show === undefined ||
        (show === 'attention' ? needsAttention(webhook) : webhook.enabled === (show === 'enabled'))),
  )
  const sorted = found.toSorted(orders[sort])
  return reverse ? sorted.reverse() : sorted
}
