import { createHash } from 'node:crypto'
import { recordAudit } from '../../../access/audit/record.ts'
import {
  createLeads,
  type LeadToSave,
  leadToCreate,
  newLeadRow,
  takeNone,
  takesTurn,
  withOwner,
} from '../../../crm/leads/create-lead.ts'
import type { LeadRow } from '../../../crm/leads/lead.ts'
import { firstEnquiry } from '../../../crm/leads/lead-enquiry.ts'
import { saveLeadWithin, UncertainMatch } from '../../../crm/leads/save-lead.ts'
import { withSourceName } from '../../../crm/leads/source-names.ts'
import { type Actor, asActor } from '../../../platform/database/actor.ts'
import { isConflict } from '../../../platform/database/errors.ts'
import type { Sql, TransactionSql } from '../../../platform/database/sql.ts'
import type { HttpProblem } from '../../../platform/http/problem.ts'
import { translate } from '../../../platform/languages/translate.ts'
import type { PhoneCall } from '../../../telephony/calls/phone-calls.ts'
import { notifyUsersOfCall } from '../../../telephony/ringing/notify-users-of-call.ts'
import type { FieldMatch } from '../../payload/contract.ts'
import { saveKnownFields, saveProposal, type Webhook } from '../store.ts'
import {
  type CallDecision,
  type LeadDecision,
  type NoLead,
  noLead,
  type RecordDecision,
  type Rejected,
} from './decide.ts'
import {
  type Delivery,
  DeliveryWaits,
  type ReadDelivery,
  type ReadingContext,
  type Result,
  type Stage,
  webhookActor,
} from './delivery.ts'
import type { Challenge } from './handshake.ts'
import { claimReceipt, type Receipt, saveReceipt } from './receipts.ts'
import {
  type DeliveredCall,
  type DeliveredCallOfLead,
  lockCall,
  OwnNumber,
  saveCallOfLead,
  saveCallOfNumber,
  saveCallWithoutNumber,
} from './save-call.ts'
import type { Storage } from './storage-quota.ts'
import { addDeliveries, deliveryOfNewLead, lockUnanswered, markRepeated, replaceResult } from './store.ts'

export interface DeliveryContext extends ReadingContext {
  stage: Stage
  /** Who replays it. */
  by?: Actor
  /** The quota of what senders send. */
  storage?: Storage
  isOwnTest?: boolean
}

/** How a delivery ended. */
export interface Settled extends Pick<Result, 'outcome' | 'lead_id' | 'error'> {
  /** What its sender is answered if it was rejected or waits. */
  problem?: HttpProblem
  /** What answers a handshake. */
  challenge?: Challenge | null
  /** The results of the records of a batch. */
  records?: Settled[]
}

export const asRejected = (problem: HttpProblem): Settled => withProblem('rejected', problem)

/** The delivery is stored, and finished later. */
export const waits = (): Settled => withProblem('waiting', new DeliveryWaits())

const withProblem = (outcome: Settled['outcome'], problem: HttpProblem): Settled => ({
  outcome,
  lead_id: null,
  error: problem.message,
  problem,
})

/**
 * Writes what a delivery becomes, and its row in the same transaction: what is acknowledged is committed. The row of a new delivery is
 * added; that of any other is replaced.
 */
export function settle(context: DeliveryContext, read: ReadDelivery, decision: RecordDecision): Promise<Settled> {
  if (decision.kind === 'lead') return settleLead(context, { ...read, warnings: decision.warnings }, decision)
  if (decision.kind === 'call') return settleCall(context, read, decision)
  return settleWithoutLead(context, read, decision)
}

interface SavedDelivery {
  outcome: 'created' | 'merged' | 'duplicate'
  lead: { id: string }
  /** The call as it was and as it is, if the delivery is an event of one. */
  calls?: PhoneCall[]
}

interface ToSave extends LeadToSave {
  context: DeliveryContext
  read: ReadDelivery
  /** Null if the platform gives no id. */
  receipt: Receipt | null
  /** Null if it is no event of a call. */
  call: DeliveredCallOfLead | null
}

/**
 * Creates or merges the lead. A new delivery from which nothing is learned is saved in one round trip if it creates a lead, unless it is
 * an event of a call. All other deliveries may be saved long after they were received.
 */
async function settleLead(context: DeliveryContext, read: ReadDelivery, decision: LeadDecision): Promise<Settled> {
  const { database, webhook, delivery, stage, storage } = context
  const actor = webhookActor(webhook)
  const sent = await withSourceName(database, actor, decision.submission)
  const submission = stage === 'new' ? sent : { ...sent, saved_at: new Date(), replayed: stage === 'replay' }
  const wanted = await leadToCreate(database, actor, submission)
  const { event } = decision
  // One body with many calls makes no number known.
  const own_numbers = delivery.batch_id ? [] : read.numbers.own
  const call = event && { ...context, event, own_numbers }
  const toSave = { context, actor, submission, wanted, read, receipt: receiptOf(delivery, read), call }
  const isKnown = stage === 'new' && !hasNewFields(context, read) && !takesTurn(wanted)
  try {
    const {
      outcome,
      lead,
      calls = [],
    } = await asActor<SavedDelivery>(
      database,
      actor,
      (tx) => saveWithin(tx, toSave, { matched: isKnown }),
      async (sql) => (isKnown && !call ? createWithDelivery(sql, toSave) : null),
    )
    if (calls.length > 0) await notifyUsersOfCall(database, actor.account_id, ...calls)
    await storage?.admit(delivery, 'lead')
    return { outcome, lead_id: lead.id, error: null }
  } catch (error) {
    if (!(error instanceof UncertainMatch || error instanceof OwnNumber)) throw error
    const known = error instanceof UncertainMatch && call ? await settleKnownCall(context, read, call, decision) : null
    if (known) return known
    return settleWithoutLead(context, read, noLead(error.message, { attention: true, isLearned: true }))
  }
}

/** Returns null, and writes nothing, if the person is known or the delivery was received before. */
async function createWithDelivery(sql: Sql, toSave: ToSave): Promise<SavedDelivery | null> {
  const { context, actor, submission, read, receipt } = toSave
  const wanted = withOwner(toSave.wanted, takeNone)
  const lead = newLeadRow(submission, wanted)
  try {
    const andThen = deliveryOfNewLead(sql, context.delivery, { ...read, lead_id: lead.id }, receipt)
    const { size } = await createLeads(
      sql,
      actor,
      [{ toSave: { actor, submission, wanted }, lead, enquiry: firstEnquiry(actor, submission) }],
      { andThen },
    )
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
async function saveWithin(tx: TransactionSql, toSave: ToSave, known: { matched: boolean }): Promise<SavedDelivery> {
  const { context, read, receipt, call } = toSave
  const { delivery } = context
  const unanswered = receipt ? [] : await lockUnanswered(tx, delivery, hashOfBody(delivery))
  const others = unanswered.filter(({ id }) => id !== delivery.id)
  const firstLead = receipt
    ? await claimReceipt(tx, delivery, receipt)
    : (others.find(({ lead_id }) => lead_id !== null)?.lead_id ?? null)
  // A replay of the first delivery itself is no duplicate: the webhook may have other defaults now.
  if (firstLead !== null && firstLead !== delivery.lead_id) {
    const warnings = [...read.warnings, repeatedWarning(delivery, receipt)]
    await record(tx, context, { ...read, warnings }, { outcome: 'duplicate', lead_id: firstLead })
    return { outcome: 'duplicate', lead: { id: firstLead } }
  }
  if (call) await lockCall(tx, call, toSave.wanted)
  const saved = await saveLeadWithin(tx, toSave, known)
  const phone = toSave.submission.given.phone ?? null
  const calls = call ? await saveCallOfLead(tx, toSave.actor, call, { lead: saved.lead, phone }) : []
  if (receipt && firstLead === null) await saveReceipt(tx, delivery, receipt, saved.lead.id)
  const waiting = others.filter(({ outcome }) => outcome === 'waiting')
  await markRepeated(tx, delivery.account_id, waiting, saved.lead.id)
  await record(
    tx,
    context,
    { ...read, picks: picksUsed(read, saved.lead) },
    { outcome: saved.outcome, lead_id: saved.lead.id },
  )
  return { ...saved, calls }
}

/** An uncertain contact that was not used, because another lead has one of the contacts, was only suggested. */
function picksUsed({ picks, lead }: ReadDelivery, saved: LeadRow): FieldMatch[] {
  return picks.map((pick) => {
    const { field, confidence } = pick
    const isUsed = (field !== 'phone' && field !== 'email') || saved[field] === lead[field]
    return confidence === 'unsure' && !isUsed ? { ...pick, confidence: 'suggested' } : pick
  })
}

/**
 * Saves an event without the customer's number, such as a recording that is ready. The delivery is ignored while no other event of the
 * call has come. The call's id is a contact of the delivery, so that it is found when the lead is deleted.
 */
async function settleCall(
  context: DeliveryContext,
  read: ReadDelivery,
  { event, reason, attention }: CallDecision,
): Promise<Settled> {
  const { database, webhook, delivery, storage } = context
  const { settled, calls } = await asActor(database, webhookActor(webhook), async (tx) => {
    const { lead_id, calls } = await saveCallWithoutNumber(tx, webhookActor(webhook), { ...context, event })
    const settled: Settled = lead_id
      ? { outcome: 'merged', lead_id, error: null }
      : { outcome: 'ignored', lead_id, error: translate(reason) }
    const isOpen = lead_id === null && attention
    await record(tx, context, { ...read, contacts: [`call:${event.platform_id}`] }, { ...settled, attention: isOpen })
    return { settled, calls }
  })
  await notifyUsersOfCall(database, webhook.account_id, ...calls)
  await storage?.admit(delivery, 'lead')
  return settled
}

/** Saves an event whose number is unsure with the call that has its id and that number. Returns null if there is none. */
async function settleKnownCall(
  context: DeliveryContext,
  read: ReadDelivery,
  call: DeliveredCall,
  { submission }: LeadDecision,
): Promise<Settled | null> {
  const { database, webhook, delivery, storage } = context
  const { phone } = submission.given
  if (call.event.platform_id === null || !phone) return null
  const saved = await asActor(database, webhookActor(webhook), async (tx) => {
    const found = await saveCallOfNumber(tx, webhookActor(webhook), call, phone)
    if (found) await record(tx, context, read, { outcome: 'merged', lead_id: found.lead_id })
    return found
  })
  if (!saved) return null
  await notifyUsersOfCall(database, webhook.account_id, ...saved.calls)
  await storage?.admit(delivery, 'lead')
  return { outcome: 'merged', lead_id: saved.lead_id, error: null }
}

/** Records a delivery that makes no lead. It can be replayed. If the storage quota is used up, a new one is only counted. */
async function settleWithoutLead(
  context: DeliveryContext,
  read: ReadDelivery,
  decision: NoLead | Rejected,
): Promise<Settled> {
  const { database, reader, account, webhook, delivery, stage, storage } = context
  const settled: Settled =
    decision.kind === 'rejected'
      ? asRejected(decision.problem)
      : { outcome: decision.kind, lead_id: null, error: translate(decision.reason), challenge: decision.challenge }
  const stored = storage ? await storage.admit(delivery, isTurnedAway(settled) ? 'turned_away' : 'rejected') : delivery
  if (!stored) return settled
  // Without a lead, the delivery may be about any person in its body.
  const { body, content_type } = stored
  const inBody = await reader.findContacts(body ?? Buffer.alloc(0), content_type, account.country, account.id)
  const contacts = [...read.contacts, ...inBody]
  const { attention = false, isLearned = false } = decision.kind === 'rejected' ? {} : decision
  try {
    await asActor(database, webhookActor(webhook), (tx) =>
      record(tx, { ...context, delivery: stored }, { ...read, contacts }, { ...settled, attention, isLearned }),
    )
  } catch (error) {
    // Recorded by an earlier run, whose commit was not answered because the database went away.
    if (stage !== 'new' || !isConflict(error)) throw error
  }
  return settled
}

const isTurnedAway = ({ problem }: Settled) => problem?.status === 403 || problem?.status === 429

interface Ended extends Pick<Result, 'outcome' | 'lead_id'> {
  error?: string | null
  attention?: boolean
  isLearned?: boolean
}

/** Writes the row of a delivery. Fields are learned from new deliveries and from records of a batch. */
async function record(
  tx: TransactionSql,
  context: DeliveryContext,
  read: ReadDelivery,
  { outcome, lead_id, error = null, attention = false, isLearned = true }: Ended,
): Promise<void> {
  const { delivery, stage, by } = context
  const { picks, warnings, contacts } = read
  const result = { outcome, lead_id, picks, warnings, error, contacts, attention }
  if (stage === 'new') await addDeliveries(tx, delivery.account_id, [{ delivery, result }])
  else await replaceResult(tx, delivery, result, stage)
  if (by) await recordReplay(tx, by, delivery.id, outcome)
  if (isLearned && (stage === 'new' || stage === 'record')) await learnFields(tx, context, read)
}

/** Names the user who replayed a delivery. The actor of its lead is the webhook. */
export function recordReplay(tx: TransactionSql, by: Actor, id: string, outcome: Result['outcome']): Promise<void> {
  return recordAudit(tx, by, { action: 'delivery.replayed', subject_id: id, details: { outcome } })
}

/**
 * Saves the first recognition as the proposed mapping, and the paths that are new. While webhooks cannot be changed, nothing is
 * saved: a later delivery is learned from.
 */
async function learnFields(tx: TransactionSql, context: DeliveryContext, read: ReadDelivery): Promise<void> {
  if (!hasNewFields(context, read)) return
  const { webhook, delivery } = context
  const actor = webhookActor(webhook)
  if (isFirstReading(context, read)) await saveProposal(tx, actor, webhook.id, toProposal(read))
  if (read.unseen.length > 0)
    await saveKnownFields(tx, actor, webhook.id, { paths: read.unseen, since: delivery.received_at })
}

const hasNewFields = (context: DeliveryContext, read: ReadDelivery) =>
  !context.database.isDirectoryReadOnly && (isFirstReading(context, read) || read.unseen.length > 0)

const isFirstReading = ({ webhook }: DeliveryContext, { picks }: ReadDelivery) =>
  webhook.proposal === null && picks.length > 0

/** Returns the recognition of a delivery without its values, with what was learned beyond it. */
export function toProposal({ picks, learned }: ReadDelivery): NonNullable<Webhook['proposal']> {
  const found = picks.map(({ value, ...match }) => match)
  return [...found, ...learned.filter(({ path }) => !found.some((match) => match.path === path))]
}

function receiptOf({ repeat_id }: Delivery, { platform_id, content_hash, lead }: ReadDelivery): Receipt | null {
  const id = platform_id ?? repeat_id ?? null
  if (id === null) return null
  const reading_hash = createHash('sha256').update(content_hash).update(JSON.stringify(lead)).digest()
  return { platform_id: id, reading_hash }
}

function repeatedWarning({ repeat_id }: Delivery, receipt: Receipt | null) {
  const message = 'was received before with the same content; nothing was changed'
  if (receipt && receipt.platform_id !== repeat_id) return { field: receipt.platform_id, message }
  const what = receipt ? 'record' : 'delivery'
  return { field: what, message: `This ${what} ${message}` }
}

/** The hash that is kept of a delivery that was answered 503. */
export const hashOfBody = ({ body }: Delivery) =>
  createHash('sha256')
    .update(body ?? '')
    .digest()
