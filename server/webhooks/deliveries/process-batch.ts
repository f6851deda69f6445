import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { findAccount } from '../../account/users.ts'
import { recordAudit } from '../../audit/record.ts'
import { type Actor, asActor } from '../../database/actor.ts'
import { Busy, isAway, isConflict } from '../../database/errors.ts'
import { HttpProblem, internalError } from '../../http/problem.ts'
import { findContacts } from '../../payload/read-payload.ts'
import { maxRecords } from '../../payload/records.ts'
import type { DeliveryOutcome, RecordCounts } from '../contract.ts'
import {
  type Delivery,
  type DeliveryContext,
  type ProcessedDelivery,
  type RecordedDelivery,
  type Recorder,
  type SavedLead,
  webhookActor,
} from './delivery.ts'
import { DeliveryWaits, isTemporary, waitingText } from './keep-delivery.ts'
import { NoLead, noLeadReason } from './no-lead.ts'
import { nothingRead, type Read, readDelivery, toSubmission } from './read-delivery.ts'
import { callWithoutNumber, saveCallAgain } from './save-call.ts'
import { learnFields, recordWithoutLead, saveDelivery, toProposal } from './save-delivery.ts'
import { isCut, type Storage } from './storage-quota.ts'
import { cutRecords, lockRecords, recordBatch, recordReplay } from './store.ts'

/** Records of one request, or of one replay. */
export const maxAtOnce = 100

/** After this time, in milliseconds, the service finishes records that a request or a replay left, such as one whose process ended. */
const finishAfter = 60_000

const tooMany = (bodies: unknown[], advice: string) => {
  const count = bodies.length > maxRecords ? `more than ${maxRecords.toLocaleString('en')}` : bodies.length
  const message = `A request may have ${maxAtOnce} records, and this one has ${count}. ${advice}`
  return new HttpProblem(413, 'PAYLOAD_TOO_LARGE', message)
}
const tooManyStored = (bodies: unknown[]) => tooMany(bodies, 'All are stored: replay them, or send fewer.')
const tooManyCut = (bodies: unknown[]) => tooMany(bodies, 'The storage quota is used up: send fewer.')

/** Why no record of a batch made a lead. Its records are recorded already. */
export class BatchRejected extends HttpProblem {
  readonly outcome: DeliveryOutcome
  readonly records: RecordCounts | null

  constructor(why: HttpProblem, outcome: DeliveryOutcome = 'rejected', records: RecordCounts | null = null) {
    super(why.status, why.code, why.text, why)
    this.outcome = outcome
    this.records = records
  }
}

type StoredRecord = RecordedDelivery & { contacts: string[] }
type ProcessedRecord = { outcome: DeliveryOutcome; lead_id: string | null; problem: HttpProblem | null }

/** Records all records of a request, then processes each in a transaction of its own. */
export async function processBatch(
  context: DeliveryContext,
  bodies: string[],
  storage?: Storage,
): Promise<ProcessedDelivery> {
  if (bodies.length > maxAtOnce) {
    await storeTooMany(context, bodies, storage)
    throw new BatchRejected(tooManyStored(bodies))
  }
  const { records, before } = await recordOnce(context, bodies)
  let processed: ProcessedRecord[]
  try {
    processed = await processEach(context, records, before)
  } catch (error) {
    await storage?.admit(context.delivery, 'lead', bodies)
    // Records that were not processed wait.
    throw isTemporary(error) ? new DeliveryWaits() : error
  }
  if (storage) await limitRecords(context, records, processed, storage)
  const leads = processed.map(({ lead_id, outcome }) => ({ id: lead_id, status: outcome }))
  const { outcome, lead_id, problem } = bestOf(processed)
  if (outcome === 'waiting') throw problem!
  if (outcome === 'rejected') throw new BatchRejected(problem!)
  return { outcome, lead_id, leads, challenge: null }
}

/**
 * Replays a batch that was stored as a whole: it becomes its records, the delivery itself the first of them. Records
 * beyond a hundred wait, rejected, for the next replays.
 */
export async function reprocessBatch(
  context: DeliveryContext<RecordedDelivery>,
  bodies: string[],
  by: Actor | null,
): Promise<SavedLead> {
  const { database, webhook, delivery } = context
  const records = await recordsOf(context, bodies)
  await recordAll(context, records, { isRecorded: true })
  const processed = await processEach(context, records.slice(0, maxAtOnce))
  const { outcome, lead_id, problem } = bestOf(processed)
  if (by) {
    await asActor(database, webhookActor(webhook), (tx) =>
      recordAudit(tx, by, { action: 'delivery.replayed', subject_id: delivery.id, details: { outcome } }),
    )
  }
  const counts = { ...none, waiting: records.length - processed.length }
  for (const record of processed) counts[record.outcome]++
  if (lead_id === null) throw new BatchRejected(problem!, outcome, counts)
  return { outcome: outcome as SavedLead['outcome'], lead: { id: lead_id }, records: counts }
}

const none: RecordCounts = { created: 0, merged: 0, duplicate: 0, rejected: 0, ignored: 0, test: 0, waiting: 0 }

/** Returns the record that answers for the batch: the first with a lead, else one that ended otherwise, waits or is rejected. */
function bestOf(processed: ProcessedRecord[]): ProcessedRecord {
  return (
    processed.find(({ lead_id }) => lead_id !== null) ??
    processed.find(({ outcome }) => outcome !== 'rejected' && outcome !== 'waiting') ??
    processed.find(({ outcome }) => outcome === 'waiting') ??
    processed[0]!
  )
}

/** Stores all records; beyond the quota only the beginning of the body as one delivery, or nothing. */
async function storeTooMany(context: DeliveryContext, bodies: string[], storage: Storage | undefined) {
  const { delivery } = context
  const stored = storage ? await storage.admit(delivery, 'rejected', bodies) : delivery
  if (!stored) return
  if (isCut(stored)) await recordWithoutLead({ ...context, delivery: stored }, tooManyCut(bodies))
  else await recordOnce(context, bodies)
}

/** Applies the quota of rejected deliveries to records without a lead, which had to be stored until they were processed. */
async function limitRecords(
  { database, webhook }: DeliveryContext,
  records: StoredRecord[],
  processed: ProcessedRecord[],
  storage: Storage,
) {
  const cut: Delivery[] = []
  const dropped: Delivery[] = []
  for (const [index, record] of records.entries()) {
    const { lead_id, outcome } = processed[index]!
    const stored = await storage.admit(record, lead_id === null && outcome !== 'waiting' ? 'rejected' : 'lead')
    if (stored === null) dropped.push(record)
    else if (isCut(stored)) cut.push(stored)
  }
  if (cut.length + dropped.length > 0) {
    await asActor(database, webhookActor(webhook), (tx) => cutRecords(tx, webhook.account_id, cut, dropped))
  }
}

/**
 * Records all records. If an earlier run of this delivery, which lost its connection, recorded them, returns what it
 * processed `before`. The lock waits for a commit that is still under way.
 */
async function recordOnce(context: DeliveryContext, bodies: string[]) {
  const { database, webhook, delivery } = context
  const before = new Map<string, ProcessedRecord>()
  const records = await recordsOf(context, bodies)
  try {
    await recordAll(context, records, { isRecorded: false })
  } catch (error) {
    if (!isConflict(error)) throw error
    const { account_id } = delivery
    const known = await asActor(database, webhookActor(webhook), (tx) => lockRecords(tx, account_id, delivery.id))
    for (const { id, outcome, lead_id } of known) {
      if (outcome !== 'rejected' && outcome !== 'waiting') before.set(id, { outcome, lead_id, problem: null })
    }
  }
  return { records, before }
}

async function processEach(
  { database, webhook }: DeliveryContext,
  records: StoredRecord[],
  before = new Map<string, ProcessedRecord>(),
): Promise<ProcessedRecord[]> {
  // A path that is new in one record is known in the next.
  let known = webhook
  const learn = (read: Read, since: string) => {
    const { unseen } = read
    const known_fields = { ...known.known_fields, ...Object.fromEntries(unseen.map((path) => [path, since])) }
    known = { ...known, known_fields, proposal: known.proposal ?? toProposal(read) }
  }
  const processed: ProcessedRecord[] = []
  for (const record of records) {
    const done = before.get(record.id)
    if (done) {
      processed.push(done)
      continue
    }
    const { read, ...result } = await processRecord({ database, webhook: known, delivery: record })
    if (read) learn(read, record.received_at.toISOString())
    processed.push(result)
  }
  return processed
}

/** Processes one record of a batch, which is recorded already. `read` is null where it made no lead. */
async function processRecord(
  context: DeliveryContext<RecordedDelivery>,
): Promise<ProcessedRecord & { read: Read | null }> {
  const { database, webhook, delivery } = context
  let read = nothingRead
  const replaceResult: Recorder = (tx, _, result) => recordReplay(tx, delivery, result, null)
  try {
    const account = await findAccount(database, webhook.account_id)
    const found = await readDelivery(database, webhook, account, delivery)
    read = found.read
    const event = callWithoutNumber(found)
    if (event) {
      const { outcome, lead } = await saveCallAgain(context, { account, read, event, record: replaceResult })
      return { outcome, lead_id: lead.id, problem: null, read }
    }
    const noLead = noLeadReason(found, webhook)
    if (noLead) throw noLead
    const { submission, warnings } = toSubmission(webhook, account, delivery, found)
    read = { ...read, warnings }
    const { outcome, lead } = await saveDelivery(context, { ...found, read }, submission, async (tx, _, result) => {
      await replaceResult(tx, delivery, result)
      await learnFields(tx, context, read)
    })
    return { outcome, lead_id: lead.id, problem: null, read }
  } catch (error) {
    if (isAway(error) || error instanceof Busy) throw error
    // Another request holds its lead: the other records may succeed.
    if (isTemporary(error)) return { outcome: 'waiting', lead_id: null, problem: new DeliveryWaits(), read: null }
    const problem = error instanceof HttpProblem ? error : internalError()
    await recordWithoutLead(context, problem, { read, record: replaceResult })
    const outcome = problem instanceof NoLead ? problem.outcome : 'rejected'
    return { outcome, lead_id: null, problem, read: null }
  }
}

async function recordsOf({ database, webhook, delivery }: DeliveryContext, bodies: string[]): Promise<StoredRecord[]> {
  const { country } = await findAccount(database, webhook.account_id)
  const sent = createHash('sha256')
    .update(delivery.body ?? '')
    .digest('hex')
  const records: StoredRecord[] = []
  for (const [index, text] of bodies.entries()) {
    if (index % 50 === 49) await setImmediate()
    const body = Buffer.from(text)
    const content_type = 'application/json'
    records.push({
      ...delivery,
      id: index === 0 ? delivery.id : idOfRecord(delivery.id, index),
      body,
      content_type,
      lead_id: null,
      repeat_id: `batch:${sent}:${index + 1}`,
      contacts: await findContacts(body, content_type, country, webhook.account_id),
    })
  }
  return records
}

/** The same in each run of a delivery, so that a later run finds the records of the first. */
function idOfRecord(deliveryId: string, index: number): string {
  const hash = createHash('sha256').update(`${deliveryId} ${index}`).digest('hex')
  // Version 8: a UUID whose bits we choose.
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

async function recordAll(
  { database, webhook, delivery }: DeliveryContext,
  records: StoredRecord[],
  { isRecorded }: { isRecorded: boolean },
): Promise<void> {
  const waits = records.length <= maxAtOnce
  const error = waits ? waitingText : tooManyStored(records).message
  const finish_at = waits ? new Date(Date.now() + finishAfter) : null
  await asActor(database, webhookActor(webhook), (tx) =>
    recordBatch(tx, delivery, records, { error, finish_at, isRecorded }),
  )
}
