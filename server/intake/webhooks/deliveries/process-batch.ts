import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { asActor } from '../../../platform/database/actor.ts'
import { Busy, isAway, isConflict } from '../../../platform/database/errors.ts'
import { HttpProblem, internalError } from '../../../platform/http/problem.ts'
import { maxRecords } from '../../payload/contract.ts'
import { decideRecord, rejected } from './decide.ts'
import { type Delivery, isTemporary, nothingRead, type ReadDelivery, webhookActor } from './delivery.ts'
import { waitingText } from './keep-delivery.ts'
import { asRejected, type DeliveryContext, recordReplay, type Settled, settle, toProposal, waits } from './settle.ts'
import { isCut, type Storage } from './storage-quota.ts'
import { addRecords, type BatchRecord, cutRecords, lockRecords } from './store.ts'

/** How many records of one request, or of one replay, are processed. */
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

/**
 * Stores all records of a request, then settles each in a transaction of its own. A batch that was stored as a whole becomes its records,
 * the delivery itself the first of them. Records beyond a hundred wait, rejected, for the next replays; a new request with so many is
 * rejected.
 */
export async function processBatch(context: DeliveryContext, bodies: string[]): Promise<Settled> {
  const { database, webhook, delivery, stage, by, storage } = context
  if (stage === 'new' && bodies.length > maxAtOnce) return rejectTooMany(context, bodies)
  const { records, before } = await storeRecords(context, bodies)
  const first = records.slice(0, maxAtOnce)
  let settled: Settled[]
  try {
    settled = await settleEach(context, first, before)
  } catch (error) {
    if (stage !== 'new') throw error
    await storage?.admit(delivery, 'lead', bodies)
    // Records that were not processed wait.
    if (isTemporary(error)) return waits()
    throw error
  }
  if (storage) await limitRecords(context, first, settled, storage)
  const best = { ...bestOf(settled), challenge: null }
  if (by) await asActor(database, webhookActor(webhook), (tx) => recordReplay(tx, by, delivery.id, best.outcome))
  return { ...best, records: [...settled, ...records.slice(maxAtOnce).map(waits)] }
}

/** Returns the record that answers for the batch: the first with a lead, else one that ended otherwise, waits or is rejected. */
function bestOf(settled: Settled[]): Settled {
  return (
    settled.find(({ lead_id }) => lead_id !== null) ??
    settled.find(({ outcome }) => outcome !== 'rejected' && outcome !== 'waiting') ??
    settled.find(({ outcome }) => outcome === 'waiting') ??
    settled[0]!
  )
}

/** Stores all records; beyond the quota only the beginning of the body as one delivery, or nothing. */
async function rejectTooMany({ storage, ...context }: DeliveryContext, bodies: string[]): Promise<Settled> {
  const { delivery } = context
  const stored = storage ? await storage.admit(delivery, 'rejected', bodies) : delivery
  if (stored && isCut(stored)) await settle({ ...context, delivery: stored }, nothingRead, rejected(tooManyCut(bodies)))
  else if (stored) await storeRecords(context, bodies)
  return asRejected(tooManyStored(bodies))
}

/** Applies the quota of rejected deliveries to records without a lead, which had to be stored until they were processed. */
async function limitRecords(
  { database, webhook }: DeliveryContext,
  records: BatchRecord[],
  settled: Settled[],
  storage: Storage,
) {
  const cut: Delivery[] = []
  const dropped: Delivery[] = []
  for (const [index, record] of records.entries()) {
    const { lead_id, outcome } = settled[index]!
    const stored = await storage.admit(record, lead_id === null && outcome !== 'waiting' ? 'rejected' : 'lead')
    if (stored === null) dropped.push(record)
    else if (isCut(stored)) cut.push(stored)
  }
  if (cut.length + dropped.length > 0) {
    await asActor(database, webhookActor(webhook), (tx) => cutRecords(tx, webhook.account_id, cut, dropped))
  }
}

/**
 * Stores all records. If an earlier run of this delivery, which lost its connection, stored them, returns what it
 * processed `before`. The lock waits for a commit that is still under way.
 */
async function storeRecords(context: DeliveryContext, bodies: string[]) {
  const { database, webhook, delivery, stage } = context
  const actor = webhookActor(webhook)
  const before = new Map<string, Settled>()
  const records = await recordsOf(context, bodies)
  const isProcessed = records.length <= maxAtOnce
  const how = {
    error: isProcessed ? waitingText : tooManyStored(records).message,
    finish_at: isProcessed ? new Date(Date.now() + finishAfter) : null,
    isStored: stage !== 'new',
  }
  try {
    await asActor(database, actor, (tx) => addRecords(tx, delivery, records, how))
  } catch (error) {
    if (!isConflict(error)) throw error
    const known = await asActor(database, actor, (tx) => lockRecords(tx, delivery.account_id, delivery.id))
    for (const { id, outcome, lead_id, error } of known) {
      if (outcome !== 'rejected' && outcome !== 'waiting') before.set(id, { outcome, lead_id, error })
    }
  }
  return { records, before }
}

async function settleEach(context: DeliveryContext, records: BatchRecord[], before: Map<string, Settled>) {
  let { webhook } = context
  // A path that is new in one record is known in the next.
  const learn = (read: ReadDelivery, since: string) => {
    const unseen = Object.fromEntries(read.unseen.map((path) => [path, since]))
    const known_fields = { ...webhook.known_fields, ...unseen }
    webhook = { ...webhook, known_fields, proposal: webhook.proposal ?? toProposal(read) }
  }
  const { database, reader, account } = context
  const all: Settled[] = []
  for (const record of records) {
    const done = before.get(record.id)
    if (done) {
      all.push(done)
      continue
    }
    const { read, settled } = await settleRecord({
      database,
      reader,
      account,
      webhook,
      delivery: record,
      stage: 'record',
    })
    if (settled.lead_id !== null) learn(read, record.received_at.toISOString())
    all.push(settled)
  }
  return all
}

async function settleRecord(context: DeliveryContext): Promise<{ read: ReadDelivery; settled: Settled }> {
  let read = nothingRead
  try {
    read = await context.reader.read(context)
    return { read, settled: await settle(context, read, decideRecord(context, read)) }
  } catch (error) {
    if (isAway(error) || error instanceof Busy) throw error
    // Another request holds its lead: the other records may succeed.
    if (isTemporary(error)) return { read, settled: waits() }
    // Its person was deleted meanwhile.
    if (error instanceof HttpProblem) return { read, settled: asRejected(error) }
    return { read, settled: await settle(context, read, rejected(internalError())) }
  }
}

async function recordsOf({ reader, account, delivery }: DeliveryContext, bodies: string[]): Promise<BatchRecord[]> {
  const sent = createHash('sha256')
    .update(delivery.body ?? '')
    .digest('hex')
  const records: BatchRecord[] = []
  for (const [index, text] of bodies.entries()) {
    if (index % 50 === 49) await setImmediate()
    const body = Buffer.from(text)
    const content_type = 'application/json'
    records.push({
      ...delivery,
      id: index === 0 ? delivery.id : idOfRecord(delivery.id, index),
      body,
      content_type,
      body_hash: null,
      lead_id: null,
      batch_id: delivery.id,
      record: index + 1,
      records: bodies.length,
      repeat_id: `batch:${sent}:${index + 1}`,
      contacts: await reader.findContacts(body, content_type, account.country, account.id),
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
