import { createHash } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import { accountOf } from '../../account/users.ts'
import { recordAudit } from '../../audit/record.ts'
import { type Actor, asActor } from '../../database/actor.ts'
import { type Database, isAway, isBusy } from '../../database/connect.ts'
import { Busy } from '../../database/share.ts'
import { busy, HttpProblem, internalError } from '../../http/problem.ts'
import { type AssignedLead, leadToCreate, withAssignee } from '../../leads/create-lead.ts'
import type { Saved, Submission } from '../../leads/lead.ts'
import { isCreated, saveLead, saveLeadWithin } from '../../leads/save-lead.ts'
import type { Event } from '../../payload/event.ts'
import { findContacts } from '../../payload/read-payload.ts'
import type { RecordCounts } from '../contract.ts'
import { keepFields, keepProposal, type Webhook } from '../store.ts'
import { actorOf, nothingRead, type Read, type ReadDelivery, readDelivery, submissionOf } from './read-delivery.ts'
import { claimReceipt, keepReceipt } from './receipts.ts'
import type { Storage } from './storage-quota.ts'
import { type Delivery, type Outcome, type Result, recordDelivery, recordReplay } from './store.ts'
import { BatchRefused, takeBatch, takeBatchAgain } from './take-batch.ts'

export interface Taken {
  outcome: 'created' | 'merged' | 'duplicate' | 'test' | 'ignored'
  lead_id: string | null
  /** A handshake is answered with this text alone. */
  challenge: string | null
  /** Of a batch: what became of each record. */
  leads?: { id: string | null; status: Outcome }[]
}

type Recorder = (tx: TransactionSql, delivery: Delivery, result: Result) => Promise<void>

export interface SavedLead {
  outcome: Saved['outcome'] | 'duplicate'
  lead: { id: string }
  /** Of a batch that was kept whole. */
  records?: RecordCounts
}

/**
 * Makes the lead of a delivery, and records the delivery in the same transaction: what is acknowledged is committed,
 * both of it. Throws what is refused, recorded as well. What the platform did not send teaches the webhook nothing
 * (`learn`): a made-up test must not become the proposed mapping.
 */
export async function takeDelivery(
  database: Database,
  webhook: Webhook,
  delivery: Delivery,
  { learn, storage }: { learn: boolean; storage?: Storage } = { learn: true },
): Promise<Taken> {
  let read: Read = nothingRead
  // Null where the quota is used up, and it is only counted.
  const kept = async () => (storage ? storage.admit(delivery, 'rejected') : delivery)
  try {
    const account = await accountOf(database, webhook.account_id)
    const found = await readDelivery(webhook, account, delivery)
    if (found.records) {
      return await takeBatch(database, webhook, delivery, found.records, storage)
    }
    read = found.read
    if (found.is_test) return await recordTest(database, webhook, await kept(), read, learn)
    if (found.event) return await recordEvent(database, webhook, await kept(), read, found.event)
    const submission = submissionOf(webhook, account, delivery, read)
    const saved = await saveReading(database, webhook, delivery, found, submission, async (tx, _, result) => {
      await recordDelivery(tx, delivery, result)
      await keepWhatIsNew(tx, webhook, delivery, read)
    })
    await storage?.admit(delivery, 'lead')
    return { outcome: saved.outcome, lead_id: saved.lead.id, challenge: null }
  } catch (error) {
    // Kept whatever the reason, a fault of ours too; while the database is away nothing is acknowledged.
    // One that met a locked lead is kept too, before its 503.
    if (isAway(error) || error instanceof Busy || error instanceof BatchRefused) throw error
    const refusal = error instanceof HttpProblem ? error : isBusy(error) ? busy() : internalError()
    const recorded = await kept()
    if (recorded) await refuseDelivery(database, webhook, recorded, refusal, read)
    throw isBusy(error) ? refusal : error
  }
}

/** Takes one record of a batch, which is recorded already. A record that is rejected is an answer too. */
export async function takeRecord(
  database: Database,
  webhook: Webhook,
  delivery: Delivery & Pick<Result, 'lead_id'>,
  learn: (read: Read) => void,
): Promise<{ outcome: Outcome; lead_id: string | null; refusal: HttpProblem | null }> {
  let read: Read = nothingRead
  const record: Recorder = async (tx, _, result) => {
    await recordReplay(tx, delivery, result, null)
    await keepWhatIsNew(tx, webhook, delivery, read)
  }
  try {
    const account = await accountOf(database, webhook.account_id)
    const found = await readDelivery(webhook, account, delivery)
    read = found.read
    if (found.is_test) throw new MadeNoLead('test', testLead)
    if (found.event) throw new MadeNoLead('ignored', reasonOf(found.event), found.event.has_contact)
    const submission = submissionOf(webhook, account, delivery, read)
    const { outcome, lead } = await saveReading(database, webhook, delivery, found, submission, record)
    learn(read)
    return { outcome, lead_id: lead.id, refusal: null }
  } catch (error) {
    if (isAway(error) || error instanceof Busy) throw error
    const refusal = error instanceof HttpProblem ? error : isBusy(error) ? busy() : internalError()
    await refuseDelivery(database, webhook, delivery, refusal, read, (tx, _, result) =>
      recordReplay(tx, delivery, result, null),
    )
    return { outcome: refusal instanceof MadeNoLead ? refusal.outcome : 'rejected', lead_id: null, refusal }
  }
}

/**
 * Takes a recorded delivery again, as its webhook is set up now; its result takes the place of the earlier one. The
 * webhook makes the lead, and the log says who (`by`) had it done.
 */
export async function takeAgain(
  database: Database,
  webhook: Webhook,
  delivery: Delivery & Pick<Result, 'lead_id'>,
  by: Actor,
): Promise<SavedLead> {
  const record: Recorder = async (tx, _, result) => {
    await recordReplay(tx, delivery, result)
    await recordAudit(tx, by, 'delivery.replayed', delivery.id, { outcome: result.outcome })
  }
  let read: Read = nothingRead
  try {
    const account = await accountOf(database, webhook.account_id)
    const found = await readDelivery(webhook, account, delivery)
    if (found.records) return await takeBatchAgain(database, webhook, delivery, found.records, by)
    read = found.read
    if (found.is_test) throw new MadeNoLead('test', testLead)
    if (found.event) throw new MadeNoLead('ignored', reasonOf(found.event), found.event.has_contact)
    const submission = { ...submissionOf(webhook, account, delivery, read), replayed: true }
    return await saveReading(database, webhook, delivery, found, submission, record)
  } catch (error) {
    if (error instanceof HttpProblem && !(error instanceof BatchRefused)) {
      await refuseDelivery(database, webhook, delivery, error, read, record)
    }
    throw error
  }
}

/** Records a delivery that is refused, so that it can be replayed once what was in its way is mended. */
export async function refuseDelivery(
  database: Database,
  webhook: Webhook,
  delivery: Delivery,
  refusal: HttpProblem,
  read: Read = nothingRead,
  record: Recorder = recordDelivery,
): Promise<void> {
  const { outcome, attention } =
    refusal instanceof MadeNoLead ? refusal : { outcome: 'rejected' as const, attention: false }
  const contacts = await contactsNamed(database, delivery, read)
  const result: Result = { ...read, outcome, lead_id: null, error: refusal.message, attention, contacts }
  await asActor(database, actorOf(webhook), (tx) => record(tx, delivery, result))
}

const testLead = 'A test lead of the platform: it is kept here and was not made a lead.'
const ownTest = 'A test from the settings: it is kept here and was not made a lead.'

/** A replay that makes no lead and is not rejected either. */
export class MadeNoLead extends HttpProblem {
  readonly outcome: 'test' | 'ignored'
  readonly attention: boolean

  constructor(outcome: 'test' | 'ignored', message: string, attention = false) {
    super(400, 'INVALID_PARAM', message)
    this.outcome = outcome
    this.attention = attention
  }
}

const handshake = 'A handshake of the platform: its challenge was sent back.'

function reasonOf({ challenge, has_contact }: Event): string {
  if (challenge !== null) return handshake
  return has_contact
    ? 'No lead field was recognized, but it holds a possible phone or email: map it, then replay this delivery.'
    : 'No lead field was recognized: it is kept here and was not made a lead.'
}

/** Answered 200, for platforms switch off a webhook that rejects their events. It teaches the webhook nothing. */
async function recordEvent(
  database: Database,
  webhook: Webhook,
  delivery: Delivery | null,
  read: Read,
  event: Event,
): Promise<Taken> {
  const { challenge } = event
  const outcome = challenge === null ? 'ignored' : 'test'
  if (delivery === null) return { outcome, lead_id: null, challenge }
  const attention = outcome === 'ignored' && event.has_contact
  const contacts = await contactsNamed(database, delivery, read)
  const result: Result = { ...read, outcome, lead_id: null, error: reasonOf(event), attention, contacts }
  await asActor(database, actorOf(webhook), (tx) => recordDelivery(tx, delivery, result))
  return { outcome, lead_id: null, challenge }
}

/** For the platform's own button, which wants a 200: kept to be looked at, and nobody's lead. */
async function recordTest(
  database: Database,
  webhook: Webhook,
  delivery: Delivery | null,
  read: Read,
  learn: boolean,
): Promise<Taken> {
  if (delivery === null) return { outcome: 'test', lead_id: null, challenge: null }
  const error = learn ? testLead : ownTest
  const contacts = await contactsNamed(database, delivery, read)
  await asActor(database, actorOf(webhook), async (tx) => {
    await recordDelivery(tx, delivery, { ...read, outcome: 'test', lead_id: null, error, contacts })
    if (learn) await keepWhatIsNew(tx, webhook, delivery, read)
  })
  return { outcome: 'test', lead_id: null, challenge: null }
}

/** Without a lead, a delivery may be about anybody whom it names. */
async function contactsNamed(database: Database, delivery: Delivery, read: Read): Promise<string[]> {
  const { country } = await accountOf(database, delivery.account_id)
  const { account_id, body, content_type } = delivery
  return [...read.contacts, ...(await findContacts(body ?? Buffer.alloc(0), content_type, country, account_id))]
}

async function keepWhatIsNew(tx: TransactionSql, webhook: Webhook, delivery: Delivery, read: Read): Promise<void> {
  const actor = actorOf(webhook)
  if (webhook.proposal === null && read.picks.length > 0) await keepProposal(tx, actor, webhook.id, read.picks)
  if (read.unseen.length > 0) await keepFields(tx, actor, webhook.id, read.unseen, delivery.received_at)
}

/** Makes the lead, or merges, with the record of its delivery in the same transaction. */
function saveReading(
  database: Database,
  webhook: Webhook,
  delivery: Delivery & Partial<Pick<Result, 'lead_id'>>,
  found: ReadDelivery,
  submission: Submission,
  record: Recorder,
): Promise<SavedLead> {
  const platform_id = found.platform_id ?? delivery.repeat_id ?? null
  if (platform_id !== null) {
    return saveUnlessRepeated(database, webhook, delivery, { ...found, platform_id }, submission, record)
  }
  return saveLead(database, actorOf(webhook), submission, (tx, { outcome, lead }) =>
    record(tx, delivery, { ...found.read, outcome, lead_id: lead.id, error: null }),
  )
}

/**
 * A delivery with an id of its platform's makes its lead once. Two of the same at once: the second waits for the first
 * at the receipt, then is recorded as its repetition, and the lead's timeline does not hear of it. One that is replayed
 * leaves its receipt too, for its platform may yet repeat it.
 */
async function saveUnlessRepeated(
  database: Database,
  webhook: Webhook,
  delivery: Delivery & Partial<Pick<Result, 'lead_id'>>,
  { read, platform_id, content_hash }: ReadDelivery & { platform_id: string },
  submission: Submission,
  record: Recorder,
): Promise<SavedLead> {
  const actor = actorOf(webhook)
  const receipt = { webhook_id: webhook.id, platform_id, reading_hash: hashOf(content_hash, read) }
  const wanted = await leadToCreate(database, actor, submission)
  const save = async (tx: TransactionSql, lead: AssignedLead): Promise<SavedLead> => {
    const firstLead = await claimReceipt(tx, delivery, receipt)
    // A replay of the first itself is no repetition: what the webhook adds may be another by now.
    if (firstLead !== null && firstLead !== delivery.lead_id) {
      const isRecord = platform_id === delivery.repeat_id
      const repeated = isRecord
        ? { field: 'record', message: 'This record came before with the same content; nothing was done' }
        : { field: platform_id, message: 'came before with the same content; nothing was done' }
      const warnings = [...read.warnings, repeated]
      await record(tx, delivery, { ...read, outcome: 'duplicate', lead_id: firstLead, error: null, warnings })
      return { outcome: 'duplicate', lead: { id: firstLead } }
    }
    const saved = await saveLeadWithin(tx, actor, submission, lead)
    if (firstLead === null) await keepReceipt(tx, delivery, receipt, saved.lead.id)
    await record(tx, delivery, { ...read, outcome: saved.outcome, lead_id: saved.lead.id, error: null })
    return saved
  }
  const saveOnce = (lead: AssignedLead) => asActor(database, actor, (tx) => save(tx, lead))
  return withAssignee(database, actor, wanted, saveOnce, isCreated)
}

const hashOf = (content: string, read: Read) =>
  createHash('sha256').update(content).update(JSON.stringify(read.lead)).digest()
