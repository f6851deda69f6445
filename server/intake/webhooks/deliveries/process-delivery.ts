import { asActor } from '../../../platform/database/actor.ts'
import { isAway, isConflict } from '../../../platform/database/errors.ts'
import { busy, internalError } from '../../../platform/http/problem.ts'
import { decide, rejected } from './decide.ts'
import { isTemporary, nothingRead, webhookActor } from './delivery.ts'
import { keepDelivery } from './keep-delivery.ts'
import { processBatch } from './process-batch.ts'
import { type DeliveryContext, type Settled, settle, waits } from './settle.ts'
import { findDelivery } from './store.ts'

/**
 * Reads a delivery, decides what it becomes with the settings of its webhook, and settles it. Throws `AlreadyFinished`, and changes
 * nothing, if it waits no longer.
 */
export async function processDelivery(context: DeliveryContext): Promise<Settled> {
  let read = nothingRead
  try {
    read = await context.reader.read(context)
    const decision = decide(context, read)
    if (decision.kind === 'batch') return await processBatch(context, decision.bodies)
    return await settle(context, read, decision)
  } catch (error) {
    // While the database is unavailable nothing is acknowledged.
    if (context.stage !== 'new' || isAway(error)) throw error
    const saved = isConflict(error) ? await savedBefore(context) : null
    if (saved) return saved
    if (isTemporary(error)) {
      if (await keepDelivery(context)) return waits()
    } else await settle(context, read, rejected(internalError()))
    throw error
  }
}

/**
 * Returns the result of an earlier run of this delivery. Its connection was lost before the commit was answered, and the
 * row with the delivery's id shows that the commit succeeded.
 */
async function savedBefore({ database, webhook, delivery }: DeliveryContext): Promise<Settled | null> {
  const { account_id, id } = delivery
  const saved = await asActor(database, webhookActor(webhook), (tx) => findDelivery(tx, account_id, id))
  if (!saved) return null
  const { outcome, lead_id, error } = saved
  if (outcome === 'waiting') return waits()
  return { outcome, lead_id, error, ...(outcome === 'rejected' ? { problem: busy() } : {}) }
}
