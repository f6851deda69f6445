import type { Database } from '../database/connect.ts'
import { countInMemory } from '../http/count-in-memory.ts'
import { networkOf, wideNetworkOf } from '../http/ip-list.ts'
import { tooManyLookups } from '../http/problem.ts'
import type { Webhook } from './store.ts'

/** By the token alone, before the account is known. `ip` is the sender's. */
export type FindWebhook = (token: string, ip: string) => Promise<Webhook | null>

/** As `newToken` makes them: 24 bytes in base64url. */
const tokenShape = /^[\w-]{32}$/

const mostUnknown = 10_000
const unknownFor = 60_000
/** One, because there are two connections for finding keys, people and webhooks, and one stays free for the others. */
const mostAtOnce = 1
const mostWaitingOfNetwork = 100
const mostWaiting = 1000
const unknownPerMinute = 60

interface Lookup {
  id: string
  start(): void
}

/**
 * What is in no memory is looked up in fair turns, one network after the other, so that a flood of made-up tokens keeps
 * nobody else waiting. A network that asked for many unknown tokens comes after all others; it is never refused for it.
 */
export function webhookFinder(database: Database): FindWebhook {
  /** Tokens that no webhook has, and until when this is believed. */
  const unknown = new Map<string, number>()
  /** Those that wait or run, so that the same question at the same time is one query. */
  const underWay = new Map<string, Promise<Webhook | null>>()
  const unknownOf = countInMemory(60)
  /** Networks that asked for too many unknown tokens, and until when they come last. */
  const guessing = new Map<string, number>()
  const first = turns()
  const last = turns()
  let running = 0
  // What was looked up before a change and arrives after it is not kept.
  let changes = 0
  database.watch?.onChange(() => {
    changes++
    unknown.clear()
    underWay.clear()
  })
  const listening = () => database.watch?.listening ?? false

  function runNext() {
    while (running < mostAtOnce) {
      const next = first.next() ?? last.next()
      if (!next) return
      running++
      // Once it runs, it does not see what changes from now on.
      if (!listening()) underWay.delete(next.id)
      next.start()
    }
  }

  function isUnknown(token: string) {
    return listening() && (unknown.get(token) ?? 0) > Date.now()
  }

  /** Waits for its turn; then it may have become known, or known to be unknown. */
  async function lookUp(id: string, token: string, network: string, wide: string): Promise<Webhook | null> {
    const until = guessing.get(network) ?? 0
    if (until !== 0 && until <= Date.now()) guessing.delete(network)
    const line = until > Date.now() ? last : first
    await new Promise<void>((start) => {
      if (!line.add(network, { id, start })) throw tooManyLookups()
      runNext()
    })
    try {
      if (isUnknown(token)) return null
      const before = changes
      const listened = listening()
      const webhook = await database.cache.get(`webhook:${token}`, async () => {
        const [row] = await database.lookup<Webhook[]>`select * from webhooks where token = ${token}`
        return row ? { account_id: row.account_id, value: row } : null
      })
      if (webhook === null) {
        if (listened && listening() && changes === before) keep(unknown, token, Date.now() + unknownFor)
        const { count, left } = unknownOf.count(network, wide)
        if (count > unknownPerMinute) keep(guessing, network, Date.now() + left)
      }
      return webhook
    } finally {
      running--
      runNext()
    }
  }

  return async (token, ip) => {
    if (!tokenShape.test(token) || isUnknown(token)) return null
    return database.cache.get(`webhook:${token}`, async () => {
      const network = networkOf(ip)
      const id = `${network} ${token}`
      let answer = underWay.get(id)
      if (!answer) {
        const mine = lookUp(id, token, network, wideNetworkOf(ip)).finally(() => {
          if (underWay.get(id) === mine) underWay.delete(id)
        })
        underWay.set(id, mine)
        answer = mine
      }
      const webhook = await answer
      return webhook && { account_id: webhook.account_id, value: webhook }
    })
  }
}

function keep(entries: Map<string, number>, key: string, until: number) {
  if (entries.size >= mostUnknown) entries.delete(entries.keys().next().value!)
  entries.set(key, until)
}

/** Those of one network in the order of their coming, the networks in turn. */
function turns() {
  const networks = new Map<string, Lookup[]>()
  let waiting = 0
  return {
    /** Whether there was room. */
    add(network: string, lookup: Lookup): boolean {
      const own = networks.get(network) ?? []
      if (waiting >= mostWaiting || own.length >= mostWaitingOfNetwork) return false
      own.push(lookup)
      networks.set(network, own)
      waiting++
      return true
    },
    next(): Lookup | undefined {
      const [turn] = networks
      if (!turn) return undefined
      const [network, own] = turn
      const lookup = own.shift()!
      waiting--
      networks.delete(network)
      if (own.length > 0) networks.set(network, own)
      return lookup
    },
  }
}
