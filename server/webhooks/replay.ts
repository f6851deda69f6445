import { type Actor, asActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { invalid, notFound } from '../http/problem.ts'
import type { Saved } from '../leads/save-lead.ts'
import { findDelivery } from './deliveries.ts'
import { webhookById } from './store.ts'
import { takeDelivery } from './take-delivery.ts'

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
  return takeDelivery(database, webhook, delivery, true)
}
