import type { Database } from '../../platform/database/connect.ts'
import { countInMemory } from '../../platform/http/count-in-memory.ts'
import { ipNetwork, wideIpNetwork } from '../../platform/http/ip-list.ts'
import { tooManyLookups } from '../../platform/http/problem.ts'
import { FairQueue } from '../../platform/queue/fair-queue.ts'
import type { Webhook } from './store.ts'

/** Finds a webhook by its token alone, before the account is known. `ip` is the sender's. */
export type FindWebhook = (token: string, ip: string) => Promise<Webhook | null>

/** The shape of a generated token: 24 bytes in base64url. */
const tokenShape = /^[\w-]{32}$/

const maxUnknown = 10_000
const unknownFor = 60_000
const unknownPerMinute = 60

/** One runs, because keys, users and webhooks share two connections for lookups, and one must stay free for the others. */
const limits = { running: 1, waiting: 1000, waitingOfKey: 100, full: tooManyLookups }

/**
 * Looks up tokens that are not cached in a fair queue, one network after the other, so that a flood of unknown tokens
 * does not delay others. A network that asked for many unknown tokens comes last, but is not rejected for it.
 */
export function webhookFinder(database: Database): FindWebhook {
  /** Tokens of no webhook, and until when this is cached. */
  const unknown = new Map<string, number>()
  /** Lookups that wait or run, so that simultaneous requests for one token share a query. */
  const running = new Map<string, Promise<Webhook | null>>()
  const unknownOf = countInMemory(60)
  /** Networks that asked for too many unknown tokens, and until when they come last. */
  const guessing = new Map<string, number>()
  const first = new FairQueue(limits)
  const last = new FairQueue(limits, first)
  // The result of a lookup that started before a change is not cached.
  let changes = 0
  database.watch?.onChange(() => {
    changes++
    unknown.clear()
    running.clear()
  })
  const listening = () => database.watch?.listening ?? false

  function isUnknown(token: string) {
    return listening() && (unknown.get(token) ?? 0) > performance.now()
  }

  /** Waits in the queue. Meanwhile the token may have been cached, as a webhook or as unknown. */
  function lookUp(id: string, token: string, network: string, wide: string): Promise<Webhook | null> {
    const until = guessing.get(network) ?? 0
    if (until !== 0 && until <= performance.now()) guessing.delete(network)
    const queue = until > performance.now() ? last : first
    return queue.run(network, async () => {
      // A running lookup does not see later changes.
      if (!listening()) running.delete(id)
      if (isUnknown(token)) return null
      const before = changes
      const listened = listening()
      const webhook = await database.cache.get(`webhook:${token}`, async () => {
        const [row] = await database.lookup<Webhook[]>`select * from webhooks where token = ${token}`
        return row ? { account_id: row.account_id, value: row } : null
      })
      if (webhook === null) {
        if (listened && listening() && changes === before) setLimited(unknown, token, performance.now() + unknownFor)
        const { count, left } = unknownOf.count(network, wide)
        if (count > unknownPerMinute) setLimited(guessing, network, performance.now() + left)
      }
      return webhook
    })
  }

  return async (token, ip) => {
    if (!tokenShape.test(token) || isUnknown(token)) return null
    return database.cache.get(`webhook:${token}`, async () => {
      const network = ipNetwork(ip)
      const id = `${network} ${token}`
      let answer = running.get(id)
      if (!answer) {
        const mine = lookUp(id, token, network, wideIpNetwork(ip)).finally(() => {
          if (running.get(id) === mine) running.delete(id)
        })
        running.set(id, mine)
        answer = mine
      }
      const webhook = await answer
      return webhook && { account_id: webhook.account_id, value: webhook }
    })
  }
}

/** Sets an entry, and drops the oldest beyond the limit. */
function setLimited(entries: Map<string, number>, key: string, until: number) {
  if (entries.size >= maxUnknown) entries.delete(entries.keys().next().value!)
  entries.set(key, until)
}
