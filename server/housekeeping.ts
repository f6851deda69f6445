import type { Config } from './config.ts'
import { accountActor, asActor } from './database/actor.ts'
import type { Database } from './database/connect.ts'
import { sweepIdempotencyKeys } from './idempotency/answer-once.ts'
import { foldCounts } from './leads/counts.ts'
import { sweepDeliveries } from './webhooks/deliveries.ts'
import { sweepReceipts } from './webhooks/receipts.ts'

const every = 3_600_000
const day = 86_400_000

/** Once an hour: what was kept for its time goes, and yesterday's counts are put together. */
export function keepHouse(
  database: Database,
  config: Pick<Config, 'deliveryRetentionDays'>,
  onError: (error: unknown) => void,
) {
  const work = () => cleanUp(database, config.deliveryRetentionDays, new Date()).catch(onError)
  const first = setTimeout(work, 60_000)
  const timer = setInterval(work, every)
  return {
    stop: () => {
      clearTimeout(first)
      clearInterval(timer)
    },
  }
}

export async function cleanUp(database: Database, retentionDays: number, now: Date): Promise<void> {
  for (const { id } of await database.directory`select id from accounts`) {
    const actor = accountActor(id)
    await asActor(database, actor, async (tx) => {
      // Another process may be at the same work for this account; then it is done.
      const [lock] = await tx`select pg_try_advisory_xact_lock(hashtextextended(${id}, 7106153)) as mine`
      if (!lock!.mine) return
      const oldest = new Date(now.getTime() - retentionDays * day)
      await sweepDeliveries(tx, id, oldest)
      await sweepReceipts(tx, id, oldest)
      await sweepIdempotencyKeys(tx, id, now)
      await foldCounts(tx, id, now)
    })
  }
}
