import type { Database } from '../../database/connect.ts'
import { isAway } from '../../database/errors.ts'
import type { FindWebhook } from '../find-webhook.ts'
import type { Webhook } from '../store.ts'
import type { Storage } from './storage-quota.ts'

/** Tokens whose webhooks are not known while the database is away. */
const maxUnknown = 1000

interface Lost {
  token: string
  ip: string
  received_at: Date
  /** Null if it was not found before the delivery was lost. */
  webhook: Webhook | null
}

/** Returns a function that counts a delivery of which nothing is stored, so that its webhook's page shows it. */
export function lostCounter(database: Database, findWebhook: FindWebhook, storage: Storage) {
  const unknown = new Map<string, Lost[]>()
  database.watch?.onAway((away) => {
    if (away !== null) return
    const later = [...unknown.values()].flat()
    unknown.clear()
    for (const lost of later) void count(lost)
  })

  async function count(lost: Lost): Promise<void> {
    try {
      const webhook = lost.webhook ?? (await findWebhook(lost.token, lost.ip))
      if (webhook) storage.countLost(webhook, lost.received_at)
    } catch (error) {
      const ofToken = unknown.get(lost.token) ?? []
      if (!isAway(error) || (ofToken.length === 0 && unknown.size >= maxUnknown)) return
      if (ofToken.length < maxUnknown) unknown.set(lost.token, [...ofToken, lost])
    }
  }
  return (lost: Lost) => void count(lost)
}
