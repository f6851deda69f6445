import type { TransactionSql } from 'postgres'
import { type Actor, readAsActor } from '../../database/actor.ts'
import { type Database, isAway, isBusy } from '../../database/connect.ts'
import { busy, HttpProblem, internalError, notFound } from '../../http/problem.ts'
import type { RecordCounts } from '../contract.ts'
import { webhookById } from '../store.ts'
import { bodyCut, bodyRemoved, deliveriesToReplay, findDelivery, type Outcome } from './store.ts'
import { BatchRefused } from './take-batch.ts'
import { MadeNoLead, type SavedLead, takeAgain } from './take-delivery.ts'

/**
 * Runs a delivery again, as its webhook is set up now. Safe to repeat: what it brings once is not brought twice. A
 * delivery that is refused again throws why.
 */
export async function replayDelivery(database: Database, actor: Actor, deliveryId: string): Promise<SavedLead> {
  const { delivery, webhook } = await readAsActor(database, actor, async (tx) => {
    const delivery = await findDelivery(tx, actor.account_id, deliveryId)
    return { delivery, webhook: delivery && (await webhookById(tx, actor.account_id, delivery.webhook_id)) }
  })
  if (!delivery || !webhook) throw notFound('There is no such delivery.')
  if (delivery.body === null) throw bodyRemoved()
  if (typeof delivery.body_size === 'number') throw bodyCut()
  return takeAgain(database, webhook, delivery, actor)
}

/** Replays every refused delivery of a webhook, oldest first: what became of each. */
export async function replayRefused(database: Database, actor: Actor, webhookId: string): Promise<Replayed[]> {
  const results: Replayed[] = []
  for (let after: string | null = null; ; ) {
    const some = await replaySome(database, actor, webhookId, after)
    results.push(...some.results)
    after = some.next
    if (after === null) return results
  }
}

const mostAtOnce = 200

/** The next of them after that delivery, so that who waits can be told how far it is. `next` is null at the end. */
export async function replaySome(database: Database, actor: Actor, webhookId: string, after: string | null) {
  const refused = await readAsActor(database, actor, (tx) =>
    deliveriesToReplay(tx, actor.account_id, webhookId, after, mostAtOnce),
  )
  const results: Replayed[] = []
  for (const { id } of refused) results.push(await replayInTurn(database, actor, id))
  return { results, next: refused.length === mostAtOnce ? refused.at(-1)!.id : null }
}

/** How many `replaySome` would replay at first, by what they are, and whether there are more. */
export async function countToReplay(tx: TransactionSql, accountId: string, webhookId: string) {
  const found = await deliveriesToReplay(tx, accountId, webhookId, null, mostAtOnce + 1)
  const counted = found.slice(0, mostAtOnce)
  const rejected = counted.filter(({ outcome }) => outcome === 'rejected').length
  return { rejected, ignored: counted.length - rejected, more: found.length > mostAtOnce }
}

/** One of many: whatever is wrong with it must not keep the others waiting. */
async function replayInTurn(database: Database, actor: Actor, delivery_id: string): Promise<Replayed> {
  try {
    return await replayOne(database, actor, delivery_id)
  } catch (error) {
    if (isAway(error)) throw error
    const { message } = error instanceof HttpProblem ? error : internalError()
    return { delivery_id, outcome: 'rejected', lead_id: null, error: message, records: null }
  }
}

/** The same for one, whose being refused again is an answer too. */
export async function replayOne(database: Database, actor: Actor, delivery_id: string): Promise<Replayed> {
  try {
    const { outcome, lead, records = null } = await replayDelivery(database, actor, delivery_id)
    return { delivery_id, outcome, lead_id: lead.id, error: null, records }
  } catch (error) {
    const refusal = isBusy(error) ? busy() : error
    if (!(refusal instanceof HttpProblem) || refusal.status === 404) throw error
    const outcome = refusal instanceof MadeNoLead || refusal instanceof BatchRefused ? refusal.outcome : 'rejected'
    const records = refusal instanceof BatchRefused ? refusal.records : null
    return { delivery_id, outcome, lead_id: null, error: refusal.message, records }
  }
}

export interface Replayed {
  delivery_id: string
  outcome: Outcome
  lead_id: string | null
  error: string | null
  records: RecordCounts | null
}
