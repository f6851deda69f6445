import type { TransactionSql } from 'postgres'
import { type Account, accountOf, activePersonByEmail } from '../accounts/people.ts'
import { type Actor, asActor } from '../database/actor.ts'
import { type Database, isAway } from '../database/connect.ts'
import { internalError, invalid, Refusal } from '../http/problem.ts'
import { type Saved, type Submission, saveLead } from '../leads/save-lead.ts'
import { type Delivery, type Result, recordDelivery, recordReplay } from './deliveries.ts'
import type { LeadDraft } from './lead-draft.ts'
import { mapPayload, type Pick, type Warning } from './map-payload.ts'
import { readBody } from './read-body.ts'
import { keepProposal, type Webhook } from './store.ts'

/** A webhook acts for its account: it sees all of it, and is nobody's. */
export function actorOf(webhook: Webhook): Actor {
  return { account_id: webhook.account_id, user_id: null, sees: 'all', via: 'webhook', via_id: webhook.id }
}

/**
 * Makes the lead of a delivery, and records the delivery in the same transaction: what is acknowledged is committed,
 * both of it (D17). Throws what is refused, recorded as well.
 */
export async function takeDelivery(
  database: Database,
  webhook: Webhook,
  delivery: Delivery,
  replayed = false,
): Promise<Saved> {
  const record = replayed ? recordReplay : recordDelivery
  let reading: Read = { picks: [], warnings: [] }
  try {
    const account = await accountOf(database, webhook.account_id)
    const { lead, ...read } = readLead(webhook, account, delivery)
    reading = read
    const submission = submissionOf(webhook, account, delivery, lead, reading, replayed)
    return await saveLead(database, actorOf(webhook), submission, async (tx, { outcome, lead }) => {
      await record(tx, delivery, { outcome, lead_id: lead.id, error: null, ...reading })
      if (webhook.proposal === null && reading.picks.length > 0) {
        await keepProposal(tx, actorOf(webhook), webhook.id, reading.picks)
      }
    })
  } catch (error) {
    // Kept whatever the reason, a fault of ours too (D17); while the database is away nothing is acknowledged.
    const refusal = error instanceof Refusal ? error : internalError()
    if (!isAway(error)) await refuseDelivery(database, webhook, delivery, refusal, reading, record)
    throw error
  }
}

/** Records a delivery that is refused, so that it can be replayed once what was in its way is mended. */
export async function refuseDelivery(
  database: Database,
  webhook: Webhook,
  delivery: Delivery,
  refusal: Refusal,
  reading: Read = { picks: [], warnings: [] },
  record: (tx: TransactionSql, delivery: Delivery, result: Result) => Promise<void> = recordDelivery,
): Promise<void> {
  const result: Result = { outcome: 'rejected', lead_id: null, error: refusal.message, ...reading }
  await asActor(database, actorOf(webhook), (tx) => record(tx, delivery, result))
}

type Read = { picks: Pick[]; warnings: Warning[] }

function readLead(webhook: Webhook, account: Account, delivery: Delivery) {
  const body = readBody(delivery.body ?? Buffer.alloc(0), delivery.content_type ?? undefined)
  if ('refusal' in body) throw invalid(body.refusal)
  return mapPayload(body.payload, { mapping: webhook.mapping, country: account.country })
}

/** Adds to the warnings of `read` what stood in the way of an assignee. */
function submissionOf(
  webhook: Webhook,
  account: Account,
  delivery: Delivery,
  lead: LeadDraft,
  read: Read,
  replayed: boolean,
): Submission {
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
    replayed,
  }
}
