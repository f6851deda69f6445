import { createHash, randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { accountOf } from '../../account/users.ts'
import { recordAudit } from '../../audit/record.ts'
import { type Actor, asActor } from '../../database/actor.ts'
import type { Database } from '../../database/connect.ts'
import { HttpProblem } from '../../http/problem.ts'
import { findContacts } from '../../payload/read-payload.ts'
import { mostRecords } from '../../payload/records.ts'
import type { RecordCounts } from '../contract.ts'
import type { Webhook } from '../store.ts'
import { actorOf } from './read-delivery.ts'
import { isCut, type Storage } from './storage-quota.ts'
import { cutRecords, type Delivery, type Outcome, type Result, recordBatch } from './store.ts'
import { refuseDelivery, type SavedLead, type Taken, takeRecord } from './take-delivery.ts'

/** Records of one request, or of one replay. */
export const mostAtOnce = 100

const interrupted = 'The service stopped before this record was taken. Replay it.'
const tooMany = (bodies: unknown[], advice: string) => {
  const count = bodies.length > mostRecords ? `more than ${mostRecords.toLocaleString('en')}` : bodies.length
  const message = `A request may hold ${mostAtOnce} records, and this one has ${count}. ${advice}`
  return new HttpProblem(413, 'PAYLOAD_TOO_LARGE', message)
}
const tooManyKept = (bodies: unknown[]) => tooMany(bodies, 'All are kept: replay them, or send fewer.')
const tooManyCut = (bodies: unknown[]) => tooMany(bodies, 'The storage quota is used up: send fewer.')

/** Why no record of a batch made a lead. Its records are recorded already. */
export class BatchRefused extends HttpProblem {
  readonly outcome: Outcome
  readonly records: RecordCounts | null

  constructor(why: HttpProblem, outcome: Outcome = 'rejected', records: RecordCounts | null = null) {
    super(why.status, why.code, why.message, why.field, why.headers)
    this.outcome = outcome
    this.records = records
  }
}

type StoredRecord = Delivery & Pick<Result, 'lead_id'> & { contacts: string[] }

/** Takes each record of a request by itself: all are recorded first, then each has a transaction of its own. */
export async function takeBatch(
  database: Database,
  webhook: Webhook,
  delivery: Delivery,
  bodies: string[],
  storage?: Storage,
): Promise<Taken> {
  if (bodies.length > mostAtOnce) {
    await keepTooMany(database, webhook, delivery, bodies, storage)
    throw new BatchRefused(tooManyKept(bodies))
  }
  const records = await recordAll(database, webhook, delivery, bodies, { isRecorded: false })
  let taken: Awaited<ReturnType<typeof takeEach>> = []
  try {
    taken = await takeEach(database, webhook, records)
  } catch (error) {
    await storage?.admit(delivery, 'lead', bodies)
    throw error
  }
  if (storage) await limitRecords(database, webhook, records, taken, storage)
  const leads = taken.map(({ lead_id, outcome }) => ({ id: lead_id, status: outcome }))
  const { outcome, lead_id, refusal } = bestOf(taken)
  if (outcome === 'rejected') throw new BatchRefused(refusal!)
  return { outcome, lead_id, leads, challenge: null }
}

/**
 * Takes a batch that was kept whole: it becomes its records, the delivery itself the first of them. What is beyond a
 * hundred waits, rejected, for the next replays.
 */
export async function takeBatchAgain(
  database: Database,
  webhook: Webhook,
  delivery: Delivery,
  bodies: string[],
  by: Actor,
): Promise<SavedLead> {
  const records = await recordAll(database, webhook, delivery, bodies, { isRecorded: true })
  const taken = await takeEach(database, webhook, records.slice(0, mostAtOnce))
  const { outcome, lead_id, refusal } = bestOf(taken)
  await asActor(database, actorOf(webhook), (tx) => recordAudit(tx, by, 'delivery.replayed', delivery.id, { outcome }))
  const counts = { ...none, waiting: records.length - taken.length }
  for (const record of taken) counts[record.outcome]++
  if (lead_id === null) throw new BatchRefused(refusal!, outcome, counts)
  return { outcome: outcome as SavedLead['outcome'], lead: { id: lead_id }, records: counts }
}

const none: RecordCounts = { created: 0, merged: 0, duplicate: 0, rejected: 0, ignored: 0, test: 0, waiting: 0 }

/** The record that a batch is answered with: the first that has a lead, else the first that is not rejected. */
function bestOf<One extends { outcome: Outcome; lead_id: string | null }>(taken: One[]): One {
  return (
    taken.find(({ lead_id }) => lead_id !== null) ?? taken.find(({ outcome }) => outcome !== 'rejected') ?? taken[0]!
  )
}

/** Beyond the quota it is kept cut, as one delivery, or only counted. */
async function keepTooMany(
  database: Database,
  webhook: Webhook,
  delivery: Delivery,
  bodies: string[],
  storage: Storage | undefined,
) {
  const kept = storage ? await storage.admit(delivery, 'rejected', bodies) : delivery
  if (!kept) return
  if (!isCut(kept)) {
    await recordAll(database, webhook, delivery, bodies, { isRecorded: false })
    return
  }
  await refuseDelivery(database, webhook, kept, tooManyCut(bodies))
}

/** Records that made no lead keep what other rejected deliveries may. They had to be kept whole until they were taken. */
async function limitRecords(
  database: Database,
  webhook: Webhook,
  records: StoredRecord[],
  taken: { lead_id: string | null }[],
  storage: Storage,
) {
  const cut: Delivery[] = []
  const dropped: Delivery[] = []
  for (const [index, record] of records.entries()) {
    const kept = await storage.admit(record, taken[index]!.lead_id === null ? 'rejected' : 'lead')
    if (kept === null) dropped.push(record)
    else if (isCut(kept)) cut.push(kept)
  }
  if (cut.length + dropped.length > 0) {
    await asActor(database, actorOf(webhook), (tx) => cutRecords(tx, webhook.account_id, cut, dropped))
  }
}

async function takeEach(database: Database, webhook: Webhook, records: StoredRecord[]) {
  // What one record teaches the webhook is no news in the next.
  let known = webhook
  const taken = []
  for (const record of records) {
    taken.push(
      await takeRecord(database, known, record, ({ unseen, picks }) => {
        const since = record.received_at.toISOString()
        const known_fields = { ...known.known_fields, ...Object.fromEntries(unseen.map((path) => [path, since])) }
        known = { ...known, known_fields, proposal: known.proposal ?? picks }
      }),
    )
  }
  return taken
}

async function recordAll(
  database: Database,
  webhook: Webhook,
  delivery: Delivery,
  bodies: string[],
  { isRecorded }: { isRecorded: boolean },
): Promise<StoredRecord[]> {
  const { country } = await accountOf(database, webhook.account_id)
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
      id: index === 0 ? delivery.id : randomUUID(),
      ...{ body, content_type, lead_id: null },
      repeat_id: `batch:${sent}:${index + 1}`,
      contacts: await findContacts(body, content_type, country, webhook.account_id),
    })
  }
  const error = records.length > mostAtOnce ? tooManyKept(bodies).message : interrupted
  await asActor(database, actorOf(webhook), (tx) => recordBatch(tx, delivery, records, error, { isRecorded }))
  return records
}
