import { Counter, type Registry } from 'prom-client'
import type { FindWebhook } from '../find-webhook.ts'
import type { Webhook } from '../store.ts'
import type { Storage } from './storage-quota.ts'

/** Tokens that wait to be looked up, and how often some of them are, in milliseconds: when the service was too busy, or without a database. */
const maxUnknown = 1000
const retryEvery = 5000
const atOnce = 50
const maxOfToken = 10_000

interface Lost {
  token: string
  ip: string
  received_at: Date
  /** Null if it was not found before the delivery was lost. */
  webhook: Webhook | null
}

/** Returns a function that counts a delivery of which nothing is stored, so that its webhook's page and the metrics show it. */
export function lostCounter(registry: Registry, findWebhook: FindWebhook, storage: Storage) {
  const unstored = new Counter({
    name: 'lead_engine_deliveries_not_recorded_total',
    help: 'Webhook deliveries of which nothing could be stored: their senders got 503',
    registers: [registry],
  })
  const unknown = new Map<string, Lost[]>()
  let isPlanned = false

  function count(lost: Lost): void {
    if (lost.webhook) countOf(lost.webhook, lost.received_at)
    else remember(lost)
  }

  function countOf(webhook: Webhook, receivedAt: Date) {
    unstored.inc()
    storage.countLost(webhook, receivedAt)
  }

  function remember(lost: Lost) {
    const ofToken = unknown.get(lost.token) ?? []
    if (ofToken.length >= maxOfToken || (ofToken.length === 0 && unknown.size >= maxUnknown)) return
    ofToken.push(lost)
    unknown.set(lost.token, ofToken)
    plan()
  }

  function plan() {
    if (isPlanned || unknown.size === 0) return
    isPlanned = true
    setTimeout(async () => {
      await countUnknown()
      isPlanned = false
      plan()
    }, retryEvery).unref()
  }

  async function countUnknown() {
    for (const [token, lost] of [...unknown].slice(0, atOnce)) {
      const webhook = await findWebhook(token, lost[0]!.ip).catch(() => undefined)
      // The database may be away.
      if (webhook === undefined) return
      unknown.delete(token)
      if (webhook) for (const { received_at } of lost) countOf(webhook, received_at)
    }
  }
  return count
}
