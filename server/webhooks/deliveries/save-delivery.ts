import { createHash } from 'node:crypto'
import { findAccount } from '../../account/users.ts'
import { asActor } from '../../database/actor.ts'
import { isConflict } from '../../database/errors.ts'
import type { Sql, TransactionSql } from '../../database/sql.ts'
import type { HttpProblem } from '../../http/problem.ts'
import {
  createLeads,
  type LeadToSave,
  leadToCreate,
  newLeadRow,
  takeNone,
  takesTurn,
  withOwner,
} from '../../leads/create-lead.ts'
import type { Submission } from '../../leads/lead.ts'
import { saveLeadWithin, UncertainMatch } from '../../leads/save-lead.ts'
import { findContacts } from '../../payload/read-payload.ts'
import { announceRinging } from '../../ringing/announce-ringing.ts'
import { saveKnownFields, saveProposal, type Webhook } from '../store.ts'
import {
  type Delivery,
  type DeliveryContext,
  type RecordedDelivery,
  type Recorder,
  type Result,
  type SavedLead,
  webhookActor,
} from './delivery.ts'
import { NoLead } from './no-lead.ts'
import { nothingRead, type Read, type ReadDelivery } from './read-delivery.ts'
import { claimReceipt, type Receipt, saveReceipt } from './receipts.ts'
import { type DeliveredCall, lockCall, saveCallOfLead } from './save-call.ts'
import { deliveryOfNewLead, lockUnanswered, markRepeated, recordDelivery } from './store.ts'

/** Records a delivery that makes no lead: rejected, or with the outcome of a `NoLead`. It can be replayed. */
export async function recordWithoutLead(
  { database, webhook, delivery }: DeliveryContext,
  problem: HttpProblem,
  { read = nothingRead, record = recordDelivery as Recorder } = {},
): Promise<void> {
  const { outcome, attention } =
    problem instanceof NoLead ? problem : { outcome: 'rejected' as const, attention: false }
  // Without a lead, the delivery may be about any person in its body.
  const { country } = await findAccount(database, delivery.account_id)
  const { account_id, body, content_type } = delivery
  const inBody = await findContacts(body ?? Buffer.alloc(0), content_type, country, account_id)
  const contacts = [...read.contacts, ...inBody]
  const result: Result = { ...read, outcome, lead_id: null, error: problem.message, attention, contacts }
  try {
    await asActor(database, webhookActor(webhook), (tx) => record(tx, delivery, result))
  } catch (error) {
    // Recorded by an earlier run, whose commit was not answered because the database went away.
    if (!isConflict(error)) throw error
  }
}

/** Returns the recognition of a delivery without its values, with what was learned beyond it. */
export function toProposal({ picks, learned }: Read): NonNullable<Webhook['proposal']> {
  const found = picks.map(({ value, ...match }) => match)
  return [...found, ...learned.filter(({ path }) => !found.some((match) => match.path === path))]
}

/** Records a delivery that was not recorded before, and learns its fields. */
export function learningRecorder(context: DeliveryContext, read: Read): Recorder {
  return async (tx, delivery, result) => {
    await recordDelivery(tx, delivery, result)
    await learnFields(tx, context, read)
  }
}

/**
 * Saves the first recognition as the proposed mapping, and the paths that are new. While webhooks cannot be changed, nothing is
 * saved: a later delivery is learned from.
 */
export async function learnFields(tx: TransactionSql, context: DeliveryContext, read: Read): Promise<void> {
  if (!hasNewFields(context, read)) return
  const { webhook, delivery } = context
  const actor = webhookActor(webhook)
  if (isFirstReading(webhook, read)) await saveProposal(tx, actor, webhook.id, toProposal(read))
  if (read.unseen.length > 0)
    await saveKnownFields(tx, actor, webhook.id, { paths: read.unseen, since: delivery.received_at })
}

function hasNewFields({ database, webhook }: DeliveryContext, read: Read): boolean {
  return !database.isDirectoryReadOnly && (isFirstReading(webhook, read) || read.unseen.length > 0)
}

const isFirstReading = ({ proposal }: Webhook, { picks }: Read) => proposal === null && picks.length > 0

type Context = DeliveryContext<Delivery | RecordedDelivery>

interface ToSave extends LeadToSave {
  delivery: Delivery | RecordedDelivery
  read: Read
  /** Null if the platform gives no id. */
  receipt: Receipt | null
  /** Null if it is no event of a call. */
  call: DeliveredCall | null
}

/**
 * Creates or merges the lead, and records its delivery in the same transaction. A replay, and a record of a large batch, are
 * saved long after the delivery was received.
 */
export function saveDelivery(
  context: Context,
  found: ReadDelivery,
  submission: Submission,
  record: Recorder,
): Promise<SavedLead> {
  return saveWithAssignee(context, found, { ...submission, saved_at: new Date() }, (toSave) =>
    asActor(context.database, toSave.actor, (tx) => saveWithin(tx, toSave, record)),
  )
}

/**
 * Does the same for a delivery that was not recorded before, and learns its fields. One that creates a lead, and from which
 * nothing is learned, is saved in one round trip, unless it is an event of a call.
 */
export function saveNewDelivery(
  context: DeliveryContext,
  found: ReadDelivery,
  submission: Submission,
): Promise<SavedLead> {
  const { database } = context
  const record = learningRecorder(context, found.read)
  return saveWithAssignee(context, found, submission, (toSave) => {
    const isKnown = !hasNewFields(context, found.read) && !takesTurn(toSave.wanted)
    return asActor(
      database,
      toSave.actor,
      (tx) => saveWithin(tx, toSave, record, { matched: isKnown }),
      async (sql) => (isKnown && !toSave.call ? createWithDelivery(sql, toSave) : null),
    )
  })
}

async function saveWithAssignee(
  { database, webhook, delivery }: Context,
  { read, platform_id, content_hash, call: event }: ReadDelivery,
  submission: Submission,
  save: (toSave: ToSave) => Promise<SavedLead>,
): Promise<SavedLead> {
  const actor = webhookActor(webhook)
  const id = platform_id ?? delivery.repeat_id ?? null
  const receipt = id === null ? null : { platform_id: id, reading_hash: hashOf(content_hash, read) }
  const wanted = await leadToCreate(database, actor, submission)
  const call = event && { account: wanted.account, webhook, event, received_at: delivery.received_at }
  try {
    const saved = await save({ actor, submission, wanted, delivery, read, receipt, call })
    if (saved.calls?.length) await announceRinging(database, actor.account_id, ...saved.calls)
    return saved
  } catch (error) {
    if (error instanceof UncertainMatch) throw new NoLead('ignored', error.message, { attention: true })
    throw error
  }
}

/** Returns null, and writes nothing, if the person is known or the delivery was received before. */
async function createWithDelivery(sql: Sql, toSave: ToSave): Promise<SavedLead | null> {
  const { actor, submission, delivery, read, receipt } = toSave
  const wanted = withOwner(toSave.wanted, takeNone)
  const lead = newLeadRow(submission, wanted)
  const result: Result = { ...read, outcome: 'created', lead_id: lead.id, error: null }
  try {
    const andThen = deliveryOfNewLead(sql, delivery, result, receipt)
    const { size } = await createLeads(sql, actor, [{ toSave: { actor, submission, wanted }, lead }], { andThen })
    return size === 1 ? { outcome: 'created', lead } : null
  } catch (error) {
    if (isConflict(error)) return null
    throw error
  }
}

/**
 * Creates or merges the lead, and records its delivery. One with a platform's id is saved only once: of two at the same time,
 * the second waits at the receipt and is recorded as a duplicate, without a timeline entry. A replay leaves a receipt too,
 * because the platform may still repeat the delivery. Without an id, a repetition is found by its body if it was answered 503.
 */
async function saveWithin(
  tx: TransactionSql,
  { delivery, read, receipt, call, ...toSave }: ToSave,
  record: Recorder,
  known?: { matched: boolean },
): Promise<SavedLead> {
  const unanswered = receipt ? [] : await lockUnanswered(tx, delivery, hashOfBody(delivery))
  const others = unanswered.filter(({ id }) => id !== delivery.id)
  const firstLead = receipt
    ? await claimReceipt(tx, delivery, receipt)
    : (others.find(({ lead_id }) => lead_id !== null)?.lead_id ?? null)
  const ownLead = 'lead_id' in delivery ? delivery.lead_id : null
  // A replay of the first delivery itself is no duplicate: the webhook may have other defaults now.
  if (firstLead !== null && firstLead !== ownLead) {
    const warnings = [...read.warnings, repeatedWarning(delivery, receipt)]
    await record(tx, delivery, { ...read, outcome: 'duplicate', lead_id: firstLead, error: null, warnings })
    return { outcome: 'duplicate', lead: { id: firstLead } }
  }
  if (call) await lockCall(tx, call, toSave.wanted)
  const saved = await saveLeadWithin(tx, toSave, known)
  const phone = toSave.submission.given.phone ?? null
  const calls = call ? await saveCallOfLead(tx, toSave.actor, call, { lead: saved.lead, phone }) : []
  if (receipt && firstLead === null) await saveReceipt(tx, delivery, receipt, saved.lead.id)
  const waiting = others.filter(({ outcome }) => outcome === 'waiting')
  await markRepeated(tx, delivery.account_id, waiting, saved.lead.id)
  await record(tx, delivery, { ...read, outcome: saved.outcome, lead_id: saved.lead.id, error: null })
  return { ...saved, calls }
}

function repeatedWarning({ repeat_id }: Delivery, receipt: Receipt | null) {
  const message = 'was received before with the same content; nothing was changed'
  if (receipt && receipt.platform_id !== repeat_id) return { field: receipt.platform_id, message }
  const what = receipt ? 'record' : 'delivery'
  return { field: what, message: `This ${what} ${message}` }
}

/** As kept of a delivery that was answered 503. */
export const hashOfBody = ({ body }: Delivery) =>
  createHash('sha256')
    .update(body ?? '')
    .digest()

const hashOf = (content: string, read: Read) =>
  createHash('sha256').update(content).update(JSON.stringify(read.lead)).digest()
