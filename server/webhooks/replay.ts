import { type Actor, asActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { invalid, notFound, Refusal } from '../http/problem.ts'
import type { Saved } from '../leads/save-lead.ts'
import { findDelivery, type Outcome, refusedDeliveries } from './deliveries.ts'
import { webhookById } from './store.ts'
import { takeAgain } from './take-delivery.ts'

/**
 * Runs a delivery again, as its webhook is set up now. Safe to repeat: what it brings once is not brought twice. A
 * delivery that is refused again throws why.
 */
export async function replayDelivery(database: Database, actor: Actor, deliveryId: string): Promise<Saved> {
  const { delivery, webhook } = await asActor(database, actor, async (tx) => {
    const delivery = await findDelivery(tx, actor.account_id, deliveryId)
    return { delivery, webhook: delivery && (await webhookById(tx, actor.account_id, delivery.webhook_id)) }
  })
  if (!delivery || !webhook) throw notFound('There is no such delivery.')
  if (delivery.body === null)
    throw invalid('The body of this delivery was removed with its lead, so it cannot be replayed.')
  return takeAgain(database, webhook, delivery)
}

/** Replays every refused delivery of a webhook, oldest first: what became of each. */
export async function replayRefused(database: Database, actor: Actor, webhookId: string): Promise<Replayed[]> {
  const refused = await asActor(database, actor, (tx) => refusedDeliveries(tx, actor.account_id, webhookId))
  const results: Replayed[] = []
  for (const delivery_id of refused) {
    try {
      const { outcome, lead } = await replayDelivery(database, actor, delivery_id)
      results.push({ delivery_id, outcome, lead_id: lead.id, error: null })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      results.push({ delivery_id, outcome: 'rejected', lead_id: null, error: error.message })
    }
  }
  return results
}

export interface Replayed {
  delivery_id: string
  outcome: Outcome
  lead_id: string | null
  error: string | null
}
