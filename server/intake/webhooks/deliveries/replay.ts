import { msg } from '@lingui/core/runtime-macro'
import { findAccount } from '../../../access/account/users.ts'
import { type Actor, readAsActor } from '../../../platform/database/actor.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { isAway, isBusy } from '../../../platform/database/errors.ts'
import type { TransactionSql } from '../../../platform/database/sql.ts'
import { busy, HttpProblem, internalError, notFound } from '../../../platform/http/problem.ts'
import type { RecordCounts, Replayed } from '../contract.ts'
import { type Webhook, webhookById } from '../store.ts'
import { processDelivery } from './process-delivery.ts'
import { deliveryReader } from './read-delivery.ts'
import { asRejected, type Settled } from './settle.ts'
import {
  bodyCut,
  bodyRemoved,
  type DeliveryFilter,
  deliveriesToReplay,
  findDelivery,
  type StoredDelivery,
} from './store.ts'

/** Returns null if it was deleted. */
export function findWithWebhook(
  database: Database,
  actor: Actor,
  deliveryId: string,
): Promise<{ delivery: StoredDelivery; webhook: Webhook } | null> {
  return readAsActor(database, actor, async (tx) => {
    const delivery = await findDelivery(tx, actor.account_id, deliveryId)
    const webhook = delivery && (await webhookById(tx, actor.account_id, delivery.webhook_id))
    return delivery && webhook && { delivery, webhook }
  })
}

/**
 * Replays a delivery with the current settings of its webhook. Safe to repeat: its lead is made once. To be rejected again is a result,
 * too.
 */
export async function replayDelivery(database: Database, actor: Actor, delivery_id: string): Promise<Replayed> {
  const found = await findWithWebhook(database, actor, delivery_id)
  if (!found) throw notFound(msg`There is no such delivery.`)
  const { delivery, webhook } = found
  const { outcome, lead_id, error, records } = await replayFound(database, actor, delivery, webhook)
  return {
    delivery_id,
    batch_id: delivery.batch_id,
    outcome,
    lead_id,
    error,
    records: records ? countRecords(records) : null,
  }
}

async function replayFound(
  database: Database,
  by: Actor,
  delivery: StoredDelivery,
  webhook: Webhook,
): Promise<Settled> {
  if (delivery.body === null) return asRejected(bodyRemoved())
  if (typeof delivery.body_size === 'number') return asRejected(bodyCut())
  try {
    const account = await findAccount(database, by.account_id)
    const context = { database, reader: deliveryReader, account, webhook, delivery, stage: 'replay', by } as const
    return await processDelivery(context)
  } catch (error) {
    const problem = isBusy(error) ? busy() : error
    if (problem instanceof HttpProblem) return asRejected(problem)
    throw error
  }
}

function countRecords(records: Settled[]): RecordCounts {
  const counts: RecordCounts = { created: 0, merged: 0, duplicate: 0, rejected: 0, ignored: 0, test: 0, waiting: 0 }
  for (const { outcome } of records) counts[outcome]++
  return counts
}

/** Replays every rejected delivery of a webhook, oldest first, and returns the result of each. */
export async function replayRejected(database: Database, actor: Actor, webhookId: string): Promise<Replayed[]> {
  const results: Replayed[] = []
  for (let after: string | null = null; ; ) {
    const some = await replaySome(database, actor, webhookId, { filter: allToReplay, after })
    results.push(...some.results)
    after = some.next
    if (after === null) return results
  }
}

export const maxAtOnce = 200

const allToReplay: DeliveryFilter = { window: null }

/** Replays the next deliveries of the filter after that one, so that progress can be shown. `next` is null at the end. */
export async function replaySome(
  database: Database,
  actor: Actor,
  webhookId: string,
  { filter, after }: { filter: DeliveryFilter; after: string | null },
) {
  const chosen = await readAsActor(database, actor, (tx) =>
    deliveriesToReplay(tx, actor.account_id, webhookId, { filter, after, limit: maxAtOnce }),
  )
  const results: Replayed[] = []
  for (const { id } of chosen) results.push(await replayOneOfMany(database, actor, id))
  return { results, next: chosen.length === maxAtOnce ? chosen.at(-1)!.id : null }
}

/** Counts what the first `replaySome` would replay, and says whether there are more. */
export async function countReplayable(
  tx: TransactionSql,
  accountId: string,
  webhookId: string,
  filter: DeliveryFilter,
) {
  const found = await deliveriesToReplay(tx, accountId, webhookId, { filter, after: null, limit: maxAtOnce + 1 })
  const counted = found.slice(0, maxAtOnce)
  const rejected = counted.filter(({ outcome }) => outcome === 'rejected').length
  return { rejected, ignored: counted.length - rejected, more: found.length > maxAtOnce }
}

/** Never throws for one delivery, so that the others are replayed too. */
async function replayOneOfMany(database: Database, actor: Actor, delivery_id: string): Promise<Replayed> {
  try {
    return await replayDelivery(database, actor, delivery_id)
  } catch (error) {
    if (isAway(error)) throw error
    const { message } = isBusy(error) ? busy() : error instanceof HttpProblem ? error : internalError()
    return { delivery_id, batch_id: null, outcome: 'rejected', lead_id: null, error: message, records: null }
  }
}
