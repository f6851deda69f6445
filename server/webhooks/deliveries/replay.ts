import { msg } from '@lingui/core/runtime-macro'
import { type Actor, readAsActor } from '../../database/actor.ts'
import type { Database } from '../../database/connect.ts'
import { isAway, isBusy } from '../../database/errors.ts'
import type { TransactionSql } from '../../database/sql.ts'
import { busy, HttpProblem, internalError, notFound } from '../../http/problem.ts'
import type { Replayed } from '../contract.ts'
import { type Webhook, webhookById } from '../store.ts'
import type { SavedLead } from './delivery.ts'
import { NoLead } from './no-lead.ts'
import { BatchRejected } from './process-batch.ts'
import { reprocessDelivery } from './process-delivery.ts'
import { bodyCut, bodyRemoved, deliveriesToReplay, findDelivery, type StoredDelivery } from './store.ts'

/**
 * Replays a delivery with the current settings of its webhook. Safe to repeat: its lead is made once. Throws the problem
 * of a delivery that is rejected again.
 */
export async function replayDelivery(database: Database, actor: Actor, deliveryId: string): Promise<SavedLead> {
  return replayFound(database, actor, await findToReplay(database, actor, deliveryId))
}

type Found = { delivery: StoredDelivery; webhook: Webhook }

/** Returns null if it was deleted. */
export function findForReplay(database: Database, actor: Actor, deliveryId: string): Promise<Found | null> {
  return readAsActor(database, actor, async (tx) => {
    const delivery = await findDelivery(tx, actor.account_id, deliveryId)
    const webhook = delivery && (await webhookById(tx, actor.account_id, delivery.webhook_id))
    return delivery && webhook && { delivery, webhook }
  })
}

async function findToReplay(database: Database, actor: Actor, deliveryId: string): Promise<Found> {
  const found = await findForReplay(database, actor, deliveryId)
  if (!found) throw notFound(msg`There is no such delivery.`)
  return found
}

async function replayFound(database: Database, actor: Actor, { delivery, webhook }: Found): Promise<SavedLead> {
  if (delivery.body === null) throw bodyRemoved()
  if (typeof delivery.body_size === 'number') throw bodyCut()
  return reprocessDelivery({ database, webhook, delivery }, actor)
}

/** Replays every rejected delivery of a webhook, oldest first, and returns the result of each. */
export async function replayRejected(database: Database, actor: Actor, webhookId: string): Promise<Replayed[]> {
  const results: Replayed[] = []
  for (let after: string | null = null; ; ) {
    const some = await replaySome(database, actor, webhookId, after)
    results.push(...some.results)
    after = some.next
    if (after === null) return results
  }
}

export const maxAtOnce = 200

/** Replays the next rejected deliveries after that one, so that progress can be shown. `next` is null at the end. */
export async function replaySome(database: Database, actor: Actor, webhookId: string, after: string | null) {
  const rejected = await readAsActor(database, actor, (tx) =>
    deliveriesToReplay(tx, actor.account_id, webhookId, { after, limit: maxAtOnce }),
  )
  const results: Replayed[] = []
  for (const { id } of rejected) results.push(await replayOneOfMany(database, actor, id))
  return { results, next: rejected.length === maxAtOnce ? rejected.at(-1)!.id : null }
}

/** Counts what the first `replaySome` would replay, and says whether there are more. */
export async function countReplayable(tx: TransactionSql, accountId: string, webhookId: string) {
  const found = await deliveriesToReplay(tx, accountId, webhookId, { after: null, limit: maxAtOnce + 1 })
  const counted = found.slice(0, maxAtOnce)
  const rejected = counted.filter(({ outcome }) => outcome === 'rejected').length
  return { rejected, ignored: counted.length - rejected, more: found.length > maxAtOnce }
}

/** Never throws for one delivery, so that the others are replayed too. */
async function replayOneOfMany(database: Database, actor: Actor, delivery_id: string): Promise<Replayed> {
  try {
    return await replayOne(database, actor, delivery_id)
  } catch (error) {
    if (isAway(error)) throw error
    const { message } = isBusy(error) ? busy() : error instanceof HttpProblem ? error : internalError()
    return { delivery_id, batch_id: null, outcome: 'rejected', lead_id: null, error: message, records: null }
  }
}

/** Replays one delivery; being rejected again is a result, too. */
export async function replayOne(database: Database, actor: Actor, delivery_id: string): Promise<Replayed> {
  const found = await findToReplay(database, actor, delivery_id)
  const { batch_id } = found.delivery
  try {
    const { outcome, lead, records = null } = await replayFound(database, actor, found)
    return { delivery_id, batch_id, outcome, lead_id: lead.id, error: null, records }
  } catch (error) {
    const problem = isBusy(error) ? busy() : error
    if (!(problem instanceof HttpProblem)) throw error
    const outcome = problem instanceof NoLead || problem instanceof BatchRejected ? problem.outcome : 'rejected'
    const records = problem instanceof BatchRejected ? problem.records : null
    return { delivery_id, batch_id, outcome, lead_id: null, error: problem.message, records }
  }
}
