import { createHash } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import { type Account, accountOf, activePersonByEmail } from '../accounts/people.ts'
import { type Actor, asActor } from '../database/actor.ts'
import { type Database, isAway } from '../database/connect.ts'
import { internalError, invalid, Refusal } from '../http/problem.ts'
import { leadToCreate } from '../leads/create-lead.ts'
import { type Saved, type Submission, saveLead, saveLeadWithin } from '../leads/save-lead.ts'
import { compareFields } from './compare-fields.ts'
import { type Delivery, type Result, recordDelivery, recordReplay } from './deliveries.ts'
import { mapPayload, type Reading } from './map-payload.ts'
import { isTest, platformIdOf } from './platform-marks.ts'
import { readBody } from './read-body.ts'
import { claimReceipt, keepReceipt } from './receipts.ts'
import { keepFields, keepProposal, type Webhook } from './store.ts'

/** A webhook acts for its account: it sees all of it, and is nobody's. */
function actorOf(webhook: Webhook): Actor {
  return { account_id: webhook.account_id, user_id: null, sees: 'all', via: 'webhook', via_id: webhook.id }
}

export interface Taken {
  outcome: 'created' | 'merged' | 'test'
  lead_id: string | null
}

/**
 * Makes the lead of a delivery, and records the delivery in the same transaction: what is acknowledged is committed,
 * both of it (D17). Throws what is refused, recorded as well.
 */
export async function takeDelivery(database: Database, webhook: Webhook, delivery: Delivery): Promise<Taken> {
  let read: Read = nothingRead
  try {
    const account = await accountOf(database, webhook.account_id)
    const payload = payloadOf(delivery)
    read = readPayload(webhook, account, payload)
    if (isTest(payload)) return await recordTest(database, webhook, delivery, read)
    const submission = submissionOf(webhook, account, delivery, read)
    const record = async (tx: TransactionSql, { outcome, lead }: Saved) => {
      await recordDelivery(tx, delivery, { outcome, lead_id: lead.id, error: null, ...read })
      await keepWhatIsNew(tx, webhook, delivery, read)
    }
    const platformId = platformIdOf(payload)
    const saved =
      platformId === null
        ? await saveLead(database, actorOf(webhook), submission, record)
        : await saveUnlessRepeated(database, webhook, delivery, platformId, read, submission, record)
    return { outcome: saved.outcome, lead_id: saved.lead.id }
  } catch (error) {
    // Kept whatever the reason, a fault of ours too (D17); while the database is away nothing is acknowledged.
    const refusal = error instanceof Refusal ? error : internalError()
    if (!isAway(error)) await refuseDelivery(database, webhook, delivery, refusal, read)
    throw error
  }
}

/** Takes a recorded delivery again, as its webhook is set up now; its result takes the place of the earlier one. */
export async function takeAgain(database: Database, webhook: Webhook, delivery: Delivery): Promise<Saved> {
  let read: Read = nothingRead
  try {
    const account = await accountOf(database, webhook.account_id)
    read = readPayload(webhook, account, payloadOf(delivery))
    const submission = { ...submissionOf(webhook, account, delivery, read), replayed: true }
    return await saveLead(database, actorOf(webhook), submission, (tx, { outcome, lead }) =>
      recordReplay(tx, delivery, { outcome, lead_id: lead.id, error: null, ...read }),
    )
  } catch (error) {
    if (error instanceof Refusal) await refuseDelivery(database, webhook, delivery, error, read, recordReplay)
    throw error
  }
}

/** Records a delivery that is refused, so that it can be replayed once what was in its way is mended. */
export async function refuseDelivery(
  database: Database,
  webhook: Webhook,
  delivery: Delivery,
  refusal: Refusal,
  read: Read = nothingRead,
  record: (tx: TransactionSql, delivery: Delivery, result: Result) => Promise<void> = recordDelivery,
): Promise<void> {
  const result: Result = { outcome: 'rejected', lead_id: null, error: refusal.message, ...read }
  await asActor(database, actorOf(webhook), (tx) => record(tx, delivery, result))
}

/** What a payload was read as, and what is to be said of it. */
interface Read extends Reading {
  /** Paths that this webhook never saw before. */
  unseen: string[]
}

const nothingRead: Read = { lead: {}, picks: [], warnings: [], unmapped: [], unseen: [] }

function payloadOf(delivery: Delivery): Record<string, unknown> {
  const body = readBody(delivery.body ?? Buffer.alloc(0), delivery.content_type ?? undefined)
  if ('refusal' in body) throw invalid(`${body.refusal}.`)
  return body.payload
}

function readPayload(webhook: Webhook, account: Account, payload: Record<string, unknown>): Read {
  const reading = mapPayload(payload, { mapping: webhook.mapping, country: account.country })
  const { unseen, warnings } = compareFields(webhook, reading)
  return { ...reading, warnings: [...reading.warnings, ...warnings], unseen }
}

/** For the platform's own button, which wants a 200: kept to be looked at, and nobody's lead. */
async function recordTest(database: Database, webhook: Webhook, delivery: Delivery, read: Read): Promise<Taken> {
  const error = 'A test lead of the platform: it is kept here and was not made a lead.'
  await asActor(database, actorOf(webhook), async (tx) => {
    await recordDelivery(tx, delivery, { outcome: 'rejected', lead_id: null, error, ...read })
    await keepWhatIsNew(tx, webhook, delivery, read)
  })
  return { outcome: 'test', lead_id: null }
}

async function keepWhatIsNew(tx: TransactionSql, webhook: Webhook, delivery: Delivery, read: Read): Promise<void> {
  const actor = actorOf(webhook)
  if (webhook.proposal === null && read.picks.length > 0) await keepProposal(tx, actor, webhook.id, read.picks)
  if (read.unseen.length > 0) await keepFields(tx, actor, webhook.id, read.unseen, delivery.received_at)
}

/**
 * A delivery with an id of its platform's makes its lead once. Two of the same at once: the second waits for the first
 * at the receipt, then is recorded as its repetition, and the lead's timeline does not hear of it.
 */
async function saveUnlessRepeated(
  database: Database,
  webhook: Webhook,
  delivery: Delivery,
  platformId: string,
  read: Read,
  submission: Submission,
  record: (tx: TransactionSql, saved: Saved) => Promise<void>,
): Promise<{ outcome: Saved['outcome']; lead: { id: string } }> {
  const actor = actorOf(webhook)
  const receipt = { webhook_id: webhook.id, platform_id: platformId, reading_hash: hashOf(read) }
  const wanted = await leadToCreate(database, actor, submission)
  return asActor(database, actor, async (tx) => {
    const firstLead = await claimReceipt(tx, delivery, receipt)
    if (firstLead !== null) {
      const repeated = { field: platformId, message: 'came before with the same content; nothing was done' }
      const warnings = [...read.warnings, repeated]
      await recordDelivery(tx, delivery, { ...read, outcome: 'merged', lead_id: firstLead, error: null, warnings })
      return { outcome: 'merged', lead: { id: firstLead } }
    }
    const saved = await saveLeadWithin(tx, actor, submission, wanted)
    await keepReceipt(tx, delivery, receipt, saved.lead.id)
    await record(tx, saved)
    return saved
  })
}

const hashOf = (read: Read) => createHash('sha256').update(JSON.stringify(read.lead)).digest()

/** Adds to the warnings of `read` what stood in the way of an assignee. */
function submissionOf(webhook: Webhook, account: Account, delivery: Delivery, read: Read): Submission {
  const { lead } = read
  const { name, assigned_to, ...fields } = lead
  if (name === undefined || (lead.email === undefined && lead.phone === undefined)) {
    throw invalid(
      'No email and no phone was found in this payload. Map them in the settings of this webhook, then replay it.',
    )
  }
  const assignee = assigned_to === undefined ? undefined : activePersonByEmail(account, assigned_to)
  if (assigned_to !== undefined && !assignee) {
    read.warnings.push({ field: 'assigned_to', message: `“${assigned_to}” is no active user, and was passed over` })
  }
  const fallback = account.people.find((person) => person.id === webhook.default_assignee && person.active)
  if (webhook.default_assignee !== null && !fallback) {
    read.warnings.push({ field: 'assigned_to', message: 'The default assignee is deactivated, and was passed over' })
  }
  return {
    given: {
      ...fields,
      name,
      // Default tags are always added, to a lead that exists too (D19).
      tags: [...(lead.tags ?? []), ...webhook.default_tags],
      ...(assignee ? { assigned_to: assignee.id } : {}),
    },
    defaults: {
      source: webhook.default_source ?? webhook.source_label,
      status: webhook.default_status,
      priority: 'Medium',
    },
    onMatch: 'fill',
    assignment: { byRules: true, otherwise: fallback?.id ?? null, webhook_id: webhook.id },
    sender: `the webhook “${webhook.name}”`,
    received_at: delivery.received_at,
  }
}
