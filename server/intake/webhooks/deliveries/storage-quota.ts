import { createHash } from 'node:crypto'
import { accountActor, asActor, readAsActor } from '../../../platform/database/actor.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { isAway, isBusy } from '../../../platform/database/errors.ts'
import type { TransactionSql } from '../../../platform/database/sql.ts'
import { istDay } from '../../../platform/http/instants.ts'
import type { Webhook } from '../store.ts'
import type { Delivery } from './delivery.ts'

/** `turned_away`: answered 403 or 429. `lost`: answered 503, and not stored. */
type StoredKind = 'lead' | 'rejected' | 'turned_away' | 'lost'

export interface Storage {
  /**
   * Returns what may be stored: the delivery, one cut to its beginning, or null if it is only counted. If it would be
   * stored as `records`, their size counts.
   */
  admit(delivery: Delivery, kind: Exclude<StoredKind, 'lost'>, records?: string[]): Promise<Delivery | null>
  /** Counts a delivery of which nothing could be stored. */
  countLost(webhook: Pick<Webhook, 'account_id' | 'id'>, received_at: Date): void
  /** Writes the counts since the last time. */
  flush(): Promise<void>
}

const beginning = 4096
const maxCut = 10_000
export const webhooksOfAccount = 4
const flushEvery = 1000
const readEvery = 5000
/** Differs between processes, so that they seldom wait for each other's counts. */
const slot = Math.floor(Math.random() * 8)

type Counts = { bytes: number; cut: number; dropped: number }
type Unwritten = { account_id: string; webhook_id: string; day: string; kind: StoredKind } & Counts
type Usage = Map<string, Counts>

const plus = ({ bytes, cut, dropped }: Counts = { bytes: 0, cut: 0, dropped: 0 }, more: Counts): Counts => ({
  bytes: bytes + more.bytes,
  cut: cut + more.cut,
  dropped: dropped + more.dropped,
})

/**
 * Limits the bytes of bodies that each webhook stores in a day. Counts are kept in memory and written once a second, so
 * that no delivery waits for them; those of other processes are read every few seconds. A crash loses a second of counts.
 */
export function limitStorage(database: Database, megabytes: number, onError: (error: unknown) => void): Storage {
  const quarter = (megabytes * 1024 * 1024) / 4
  const unwritten = new Map<string, Unwritten>()
  const known = new Map<string, { at: number; usage: Promise<Usage> }>()
  /** Accounts and days whose old counts are deleted. */
  const cleaned = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  let flushing = Promise.resolve()

  function usageOf(accountId: string, day: string): Promise<Usage> {
    const key = `${accountId} ${day}`
    const before = known.get(key)
    if (before && performance.now() - before.at < readEvery) return before.usage
    if (known.size >= 10_000) known.clear()
    // Unwritten counts of this process are written before reading.
    const usage = flush().then(() => readUsage(database, accountId, day))
    known.set(key, { at: performance.now(), usage })
    usage.catch(() => known.delete(key))
    return usage
  }

  function count(
    { account_id, webhook_id, received_at }: Pick<Delivery, 'account_id' | 'webhook_id' | 'received_at'>,
    kind: StoredKind,
    usage: Usage | null,
    change: Partial<Counts>,
  ) {
    const day = istDay(received_at)
    const key = `${account_id} ${webhook_id} ${day} ${kind}`
    const { bytes = 0, cut = 0, dropped = 0 } = change
    addUnwritten(key, { account_id, webhook_id, day, kind, bytes, cut, dropped })
    for (const name of [`${webhook_id} ${kind}`, kind]) usage?.set(name, plus(usage.get(name), { bytes, cut, dropped }))
    timer ??= setTimeout(() => void flush().catch(onError), flushEvery).unref()
  }

  function addUnwritten(key: string, more: Unwritten) {
    unwritten.set(key, { ...more, ...plus(unwritten.get(key), more) })
  }

  function flush(): Promise<void> {
    flushing = flushing.catch(() => {}).then(write)
    return flushing
  }

  async function write() {
    if (timer) clearTimeout(timer)
    timer = null
    const taken = [...unwritten]
    unwritten.clear()
    for (const [accountId, ofAccount] of Map.groupBy(taken, ([, { account_id }]) => account_id)) {
      try {
        await asActor(database, { ...accountActor(accountId), silent: true, first: true }, async (tx) => {
          const own = ofAccount.map(([, row]) => row)
          const days = own.map(({ day }) => day).sort()
          if (!cleaned.has(`${accountId} ${days[0]}`)) {
            if (cleaned.size >= 10_000) cleaned.clear()
            cleaned.add(`${accountId} ${days[0]}`)
            await tx`delete from webhook_storage where account_id = ${accountId} and day < ${days[0]!}::date - 31`
          }
          for (const row of own) {
            await tx`insert into webhook_storage (account_id, webhook_id, day, kind, slot, bytes, cut, dropped)
              values (${accountId}, ${row.webhook_id}, ${row.day}, ${row.kind}, ${slot}, ${row.bytes}, ${row.cut},
                ${row.dropped})
              on conflict (account_id, day, webhook_id, kind, slot) do update set
                bytes = webhook_storage.bytes + excluded.bytes, cut = webhook_storage.cut + excluded.cut,
                dropped = webhook_storage.dropped + excluded.dropped`
          }
        })
      } catch (error) {
        // Written with the next ones.
        if (isAway(error) || isBusy(error)) for (const [key, row] of ofAccount) addUnwritten(key, row)
        onError(error)
      }
    }
  }

  return {
    flush,
    countLost: ({ account_id, id }, received_at) =>
      count({ account_id, webhook_id: id, received_at }, 'lost', null, { dropped: 1 }),
    async admit(delivery, kind, records) {
      const bytes = records?.reduce((sum, text) => sum + Buffer.byteLength(text), 0) ?? delivery.body?.length ?? 0
      if (kind === 'lead') {
        count(delivery, kind, null, { bytes })
        return delivery
      }
      const usage = await usageOf(delivery.account_id, istDay(delivery.received_at))
      const mine = usage.get(`${delivery.webhook_id} ${kind}`) ?? { bytes: 0, cut: 0 }
      const all = usage.get(kind)?.bytes ?? 0
      if (mine.bytes + bytes <= quarter && all + bytes <= webhooksOfAccount * quarter) {
        count(delivery, kind, usage, { bytes })
        return delivery
      }
      if (kind === 'turned_away' || mine.cut >= maxCut) {
        count(delivery, kind, usage, { dropped: 1 })
        return null
      }
      count(delivery, kind, usage, { cut: 1 })
      return bytes <= beginning && !records ? delivery : cutShort(delivery)
    },
  }
}

export const isCut = ({ body_size }: Delivery) => typeof body_size === 'number'

function cutShort(delivery: Delivery): Delivery {
  const body = delivery.body!
  const body_hash = createHash('sha256').update(body).digest()
  return { ...delivery, body: body.subarray(0, beginning), body_size: body.length, body_hash }
}

/** Reads the counts by webhook and kind, and by kind for the whole account. */
async function readUsage(database: Database, accountId: string, day: string): Promise<Usage> {
  const actor = { ...accountActor(accountId), first: true } as const
  const rows = await readAsActor(
    database,
    actor,
    (tx) => tx<({ webhook_id: string; kind: StoredKind } & Counts)[]>`
      select webhook_id, kind, sum(bytes)::float8 as bytes, sum(cut)::int as cut, sum(dropped)::float8 as dropped
      from webhook_storage where account_id = ${accountId} and day = ${day} group by webhook_id, kind`,
  )
  const usage: Usage = new Map()
  for (const { webhook_id, kind, ...counts } of rows) {
    usage.set(`${webhook_id} ${kind}`, counts)
    usage.set(kind, plus(usage.get(kind), counts))
  }
  return usage
}

/** Returns what a webhook stored on an IST day, and how many of its deliveries were lost. */
export async function storedOn(tx: TransactionSql, accountId: string, day: string, webhookId: string) {
  const [stored] = await tx<(Counts & { lost: number })[]>`
    select coalesce(sum(bytes), 0)::float8 as bytes, coalesce(sum(cut), 0)::int as cut,
      coalesce(sum(dropped) filter (where kind <> 'lost'), 0)::float8 as dropped,
      coalesce(sum(dropped) filter (where kind = 'lost'), 0)::float8 as lost
    from webhook_storage where account_id = ${accountId} and day = ${day} and webhook_id = ${webhookId}`
  return stored!
}
