import { findAccount } from '../../account/users.ts'
import { recordAudit } from '../../audit/record.ts'
import { type Actor, asActor } from '../../database/actor.ts'
import { isAway, isConflict } from '../../database/errors.ts'
import { busy, HttpProblem, internalError } from '../../http/problem.ts'
import {
  type DeliveryContext,
  type ProcessedDelivery,
  type RecordedDelivery,
  type Recorder,
  type SavedLead,
  webhookActor,
} from './delivery.ts'
import { DeliveryWaits, isTemporary, keepDelivery } from './keep-delivery.ts'
import { NoLead, noLeadReason } from './no-lead.ts'
import { BatchRejected, processBatch, reprocessBatch } from './process-batch.ts'
import { nothingRead, readDelivery, toSubmission } from './read-delivery.ts'
import { callWithoutNumber, saveCallAgain, saveCallWithoutNumber } from './save-call.ts'
import { learningRecorder, recordWithoutLead, saveDelivery, saveNewDelivery } from './save-delivery.ts'
import type { Storage } from './storage-quota.ts'
import { findDelivery, recordDelivery, recordFinish, recordReplay } from './store.ts'

/**
 * Makes the lead of a delivery, and records the delivery in the same transaction: what is acknowledged is committed.
 * Records a rejected delivery too, then throws the problem. Stores one that cannot be processed in time, to be finished later, and
 * throws `DeliveryWaits`. A test from the settings (`ownTest`) does not become the proposed mapping.
 */
export async function processDelivery(context: DeliveryContext, options: Options = {}): Promise<ProcessedDelivery> {
  try {
    return await processNow(context, options)
  } catch (error) {
    // A batch is stored before it is processed.
    if (!options.storage || !isTemporary(error) || error instanceof DeliveryWaits) throw error
    const waits = await keepDelivery(context.database, options.storage, context.delivery)
    throw waits ? new DeliveryWaits() : error
  }
}

interface Options {
  ownTest?: boolean
  storage?: Storage
}

async function processNow(context: DeliveryContext, { ownTest = false, storage }: Options): Promise<ProcessedDelivery> {
  const { database, webhook, delivery } = context
  let read = nothingRead
  const recordNoLead = async (problem: HttpProblem, record: Recorder = recordDelivery) => {
    // Null where the storage quota is used up: the delivery is only counted.
    const stored = storage ? await storage.admit(delivery, 'rejected') : delivery
    if (stored) await recordWithoutLead({ ...context, delivery: stored }, problem, { read, record })
  }
  try {
    const account = await findAccount(database, webhook.account_id)
    const found = await readDelivery(database, webhook, account, delivery)
    if (found.records) return await processBatch(context, found.records, storage)
    read = found.read
    const event = callWithoutNumber(found)
    if (event && !ownTest) {
      const record = learningRecorder(context, read)
      const saved = await saveCallWithoutNumber(context, { account, read, event, record })
      await storage?.admit(delivery, 'lead')
      return { outcome: saved?.outcome ?? 'ignored', lead_id: saved?.lead.id ?? null, challenge: null }
    }
    const noLead = noLeadReason(found, webhook, ownTest)
    if (noLead) {
      // Answered 200: platforms switch off a webhook that rejects their tests and events.
      await recordNoLead(noLead, found.is_test && !ownTest ? learningRecorder(context, read) : recordDelivery)
      return { outcome: noLead.outcome, lead_id: null, challenge: noLead.challenge }
    }
    const { submission, warnings } = toSubmission(webhook, account, delivery, found)
    read = { ...read, warnings }
    const saved = await saveNewDelivery(context, { ...found, read }, submission)
    await storage?.admit(delivery, 'lead')
    return { outcome: saved.outcome, lead_id: saved.lead.id, challenge: null }
  } catch (error) {
    const saved = isConflict(error) ? await savedBefore(context) : null
    if (saved) return saved
    // Recorded for any reason, an error of ours too; while the database is unavailable nothing is acknowledged.
    if (isAway(error) || isTemporary(error) || error instanceof BatchRejected) throw error
    if (error instanceof NoLead) {
      // An uncertain contact of a lead: the proposal shows what to confirm.
      await recordNoLead(error, learningRecorder(context, read))
      return { outcome: error.outcome, lead_id: null, challenge: null }
    }
    await recordNoLead(error instanceof HttpProblem ? error : internalError())
    throw error
  }
}

/**
 * Returns the result of an earlier run of this delivery. Its connection was lost before the commit was answered, and the
 * row with the delivery's id shows that the commit succeeded.
 */
async function savedBefore({ database, webhook, delivery }: DeliveryContext): Promise<ProcessedDelivery | null> {
  const { account_id, id } = delivery
  const saved = await asActor(database, webhookActor(webhook), (tx) => findDelivery(tx, account_id, id))
  if (!saved) return null
  const { outcome, lead_id } = saved
  if (outcome === 'waiting') throw new DeliveryWaits()
  if (outcome === 'rejected') throw busy()
  return { outcome, lead_id, challenge: null }
}

/**
 * Processes a recorded delivery again with the current settings of its webhook, and replaces its result. The actor of the
 * lead is the webhook; the audit log names who replayed it (`by`).
 */
export function reprocessDelivery(context: DeliveryContext<RecordedDelivery>, by: Actor): Promise<SavedLead> {
  const { delivery } = context
  return processAgain(context, by, async (tx, _, result) => {
    await recordReplay(tx, delivery, result)
    await recordAudit(tx, by, {
      action: 'delivery.replayed',
      subject_id: delivery.id,
      details: { outcome: result.outcome },
    })
  })
}

/** Processes a delivery that waits, like a new one. Throws `AlreadyFinished`, and changes nothing, if it waits no longer. */
export function finishDelivery(context: DeliveryContext<RecordedDelivery>): Promise<SavedLead> {
  return processAgain(context, null, recordFinish)
}

async function processAgain(
  context: DeliveryContext<RecordedDelivery>,
  by: Actor | null,
  record: Recorder,
): Promise<SavedLead> {
  const { database, webhook, delivery } = context
  let read = nothingRead
  try {
    const account = await findAccount(database, webhook.account_id)
    const found = await readDelivery(database, webhook, account, delivery)
    if (found.records) return await reprocessBatch(context, found.records, by)
    read = found.read
    const event = callWithoutNumber(found)
    if (event) return await saveCallAgain(context, { account, read, event, record })
    const noLead = noLeadReason(found, webhook)
    if (noLead) throw noLead
    const { submission, warnings } = toSubmission(webhook, account, delivery, found)
    read = { ...read, warnings }
    return await saveDelivery(context, { ...found, read }, { ...submission, replayed: by !== null }, record)
  } catch (error) {
    if (error instanceof HttpProblem && !(error instanceof BatchRejected) && !isTemporary(error)) {
      await recordWithoutLead(context, error, { read, record })
    }
    throw error
  }
}
