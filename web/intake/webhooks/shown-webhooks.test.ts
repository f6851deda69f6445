import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListedWebhook } from '#contract/intake/webhooks'
import { shownWebhooks } from './shown-webhooks.ts'
import type { WebhookListSearch } from './webhook-search.ts'

const webhook = (name: string, more: Partial<ListedWebhook> = {}): ListedWebhook => ({
  id: name,
  name,
  source_label: 'Portal',
  enabled: true,
  created_at: '2026-11-01T00:00:00Z',
  last_delivery: null,
  attention: 0,
  ignored_since: null,
  today: { received: 0, rejected: 0, waiting: 0 },
  days: [],
  ...more,
})
const all = [
  webhook('Site', { source_label: 'Website', today: { received: 3, rejected: 1, waiting: 0 } }),
  webhook('acres', { enabled: false, last_delivery: { received_at: '2026-11-02T00:00:00Z', outcome: 'created' } }),
  webhook('Ámod', { attention: 2, last_delivery: { received_at: '2026-11-03T00:00:00Z', outcome: 'ignored' } }),
  webhook('Meta', {
    ignored_since: { day: '2026-11-20', ignored: 16, received: 37 },
    today: { received: 9, rejected: 0, waiting: 0 },
  }),
]
const cases: [WebhookListSearch, string[]][] = [
  [{}, ['acres', 'Ámod', 'Meta', 'Site']],
  [{ reverse: true }, ['Site', 'Meta', 'Ámod', 'acres']],
  [{ sort: 'today' }, ['Meta', 'Site', 'acres', 'Ámod']],
  [{ sort: 'last' }, ['Ámod', 'acres', 'Site', 'Meta']],
  [{ search: 'AMO' }, ['Ámod']],
  [{ search: 'website' }, ['Site']],
  [{ show: 'disabled' }, ['acres']],
  [{ show: 'enabled', search: 'portal' }, ['Ámod', 'Meta']],
  [{ show: 'attention' }, ['Ámod', 'Meta', 'Site']],
  [{ search: 'nothing' }, []],
]
for (const [search, names] of cases)
  test(`webhooks for ${JSON.stringify(search)}`, () =>
    assert.deepEqual(
      shownWebhooks(all, search).map(({ name }) => name),
      names,
    ))
