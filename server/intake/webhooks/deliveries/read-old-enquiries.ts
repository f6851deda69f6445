import { setTimeout as pause } from 'node:timers/promises'
import { presentAccounts } from '../../../access/account/suspension.ts'
import { findAccount } from '../../../access/account/users.ts'
import { findEnquiryAt } from '../../../crm/enquiries/store.ts'
import { firstEnquiry, nextEnquiry, recordEnquiry } from '../../../crm/leads/lead-enquiry.ts'
import { lockLead } from '../../../crm/leads/store.ts'
import { type Actor, accountActor, asActor } from '../../../platform/database/actor.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { isAway } from '../../../platform/database/errors.ts'
import { repeat } from '../../../platform/database/repeat.ts'
import { wholeSecond } from '../../../platform/http/instants.ts'
import { decideRecord } from './decide.ts'
import { isTemporary, webhookActor } from './delivery.ts'
import { deliveryReader } from './read-delivery.ts'
import { findWithWebhook } from './replay.ts'

const every = 60_000
/** Deliveries of an account that are read before its place is saved, and the milliseconds until the next ones. */
const [batch, rest] = [20, 200]

/** Reads the deliveries that were kept before leads had enquiries, once for each account. */
export function readOldEnquiriesContinuously(database: Database, onError: (error: unknown) => void) {
  const run = (signal: AbortSignal) => readOldEnquiries(database, onError, signal)
  return repeat(run, { every, first: 10_000, watch: database.watch, onError })
}

export async function readOldEnquiries(
  database: Database,
  onError: (error: unknown) => void,
  signal?: AbortSignal,
): Promise<void> {
  const accounts = await database.directory<{ account_id: string }[]>`
    select account_id from enquiry_readings where account_id in ${presentAccounts(database.directory)}`
  for (const { account_id } of accounts) {
    const actor: Actor = { ...accountActor(account_id), silent: true }
    try {
      while (!signal?.aborted && (await readBatch(database, actor, onError)))
        await pause(rest, undefined, { ref: false, signal }).catch(() => {})
    } catch (error) {
      if (isAway(error)) throw error
      onError(error)
    }
  }
}

/** Returns false when no delivery is left. */
async function readBatch(database: Database, actor: Actor, onError: (error: unknown) => void): Promise<boolean> {
  const { account_id } = actor
  const next = await asActor(
    database,
    actor,
    (tx) => tx<{ id: string; received_at: Date }[]>`
      select deliveries.id, deliveries.received_at from enquiry_readings last
      join deliveries on deliveries.account_id = ${account_id}
        and (deliveries.received_at, deliveries.id) > (last.received_at, last.delivery_id)
      where last.account_id = ${account_id} order by deliveries.received_at, deliveries.id limit ${batch}`,
  )
  for (const { id } of next) {
    try {
      await readOne(database, actor, id)
    } catch (error) {
      // The place is not saved: the next run reads the delivery again.
      if (isAway(error) || isTemporary(error)) throw error
      onError(error)
    }
  }
  const last = next.at(-1)
  await asActor(database, actor, (tx) =>
    last
      ? tx`update enquiry_readings set received_at = ${last.received_at}, delivery_id = ${last.id} where account_id = ${account_id}`
      : tx`delete from enquiry_readings where account_id = ${account_id}`,
  )
  return last !== undefined
}

async function readOne(database: Database, actor: Actor, id: string): Promise<void> {
  const found = await findWithWebhook(database, actor, id)
  const { delivery, webhook } = found ?? {}
  if (!delivery?.lead_id || !delivery.body || !webhook || !['created', 'merged'].includes(delivery.outcome)) return
  const account = await findAccount(database, actor.account_id)
  const context = { database, reader: deliveryReader, account, webhook, delivery }
  const decision = decideRecord(context, await deliveryReader.read(context))
  if (decision.kind !== 'lead') return
  const { submission } = decision
  const sender = webhookActor(webhook)
  await asActor(database, sender, async (tx) => {
    const lead = await lockLead(tx, actor.account_id, delivery.lead_id!)
    if (!lead) return
    const last = await findEnquiryAt(tx, sender, lead.id, { at: wholeSecond(delivery.received_at), within: 0 })
    const enquiry =
      delivery.outcome === 'created' && !last
        ? firstEnquiry(sender, submission)
        : nextEnquiry(sender, submission, { ...lead, notes: null }, last)
    if (enquiry) await recordEnquiry(tx, sender, { ...lead, notified: null }, { enquiry, replayed: true })
  })
}
