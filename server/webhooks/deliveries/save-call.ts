import type { Account } from '../../account/users.ts'
import type { CallEvent } from '../../calls/call-event.ts'
import {
  answeredBy,
  findPhoneCall,
  isOfUser,
  lockPhoneCall,
  type PhoneCall,
  savePhoneCall,
} from '../../calls/phone-calls.ts'
import { type Actor, asActor } from '../../database/actor.ts'
import type { TransactionSql } from '../../database/sql.ts'
import type { LeadRow } from '../../leads/lead.ts'
import { lockLead } from '../../leads/store.ts'
import { nextUpdate } from '../../leads/updated-at.ts'
import { withOwnerEmails, writeChange } from '../../leads/write-change.ts'
import { hasContact } from '../../payload/lead-draft.ts'
import { announceRinging } from '../../ringing/announce-ringing.ts'
import { answeredSummary } from '../../timeline/summaries.ts'
import type { Webhook } from '../store.ts'
import {
  type Delivery,
  type DeliveryContext,
  type RecordedDelivery,
  type Recorder,
  type SavedLead,
  webhookActor,
} from './delivery.ts'
import { NoLead } from './no-lead.ts'
import type { Read, ReadDelivery } from './read-delivery.ts'

/** An event of a call, as a delivery has it. */
export interface DeliveredCall {
  account: Account
  webhook: Webhook
  event: CallEvent
  received_at: Date
}

const senderOf = (webhook: Webhook) => `the webhook “${webhook.name}”`

/** Locks the call before its lead. Throws if the number is a user's. */
export async function lockCall(
  tx: TransactionSql,
  { account, event }: DeliveredCall,
  { phone_key }: { phone_key: string | null },
): Promise<void> {
  await lockPhoneCall(tx, account.id, event)
  if (phone_key !== null && (await isOfUser(tx, account.id, phone_key)))
    throw new NoLead('ignored', 'The number of this call is a user’s phone line, so there is no customer.', {
      attention: true,
    })
}

/**
 * Saves the event in the transaction that saved its lead, after `lockCall`. The user who answered may become the owner. Returns the call as
 * it was and as it is, for `announceRinging`. `phone`: as it was sent.
 */
export async function saveCallOfLead(
  tx: TransactionSql,
  actor: Actor,
  { account, webhook, event, received_at }: DeliveredCall,
  { lead: { id, assigned_to }, phone }: { lead: Pick<LeadRow, 'id' | 'assigned_to'>; phone: string | null },
): Promise<PhoneCall[]> {
  const reported = { webhook_id: webhook.id, event, lead: { id, phone }, received_at, sender: senderOf(webhook) }
  const before = await findPhoneCall(tx, account.id, reported)
  const call = await savePhoneCall(tx, actor, account, { ...reported, before })
  const userId = assigned_to === null && account.answeringUserOwns ? answeredBy(call) : null
  if (userId !== null) await assignToAnswering(tx, actor, account, { leadId: id, userId, at: received_at })
  return [...(before ? [before] : []), userId === null ? call : { ...call, assigned_to: userId }]
}

async function assignToAnswering(
  tx: TransactionSql,
  actor: Actor,
  account: Account,
  { leadId, userId, at }: { leadId: string; userId: string; at: Date },
): Promise<void> {
  const user = account.users.find(({ id, active }) => id === userId && active)
  const before = user && (await lockLead(tx, account.id, leadId))
  if (!before || before.assigned_to !== null) return
  const { phone_key, email_key, ...fields } = before
  const after = { ...fields, assigned_to: userId, updated_at: nextUpdate(before.updated_at, at) }
  const changes = withOwnerEmails(account, [{ field: 'assigned_to', before: null, after: userId }])
  const summary = answeredSummary(user.name)
  const entry = { at, kind: 'changed', summary, details: { changes } } as const
  await writeChange(tx, actor, { before, after, keys: { phone_key, email_key }, added: [], entry })
}

/** Returns the event of a call that another event identifies the customer of. */
export function callWithoutNumber({ call, is_test, read }: ReadDelivery): CallEvent | null {
  return call?.platform_id != null && !is_test && !hasContact(read.lead) ? call : null
}

/**
 * Saves an event without the customer's number, such as a recording that is ready: another event of the call has the number. Returns
 * null, and records the delivery as ignored, while none has come. The call's id is a contact of the delivery, so that it is found when
 * the lead is deleted.
 */
export async function saveCallWithoutNumber(
  { database, webhook, delivery }: DeliveryContext<Delivery | RecordedDelivery>,
  { account, read, event, record }: { account: Account; read: Read; event: CallEvent; record: Recorder },
): Promise<SavedLead | null> {
  const actor = webhookActor(webhook)
  const { received_at } = delivery
  const { saved, calls } = await asActor(database, actor, async (tx) => {
    await lockPhoneCall(tx, account.id, event)
    const reported = { webhook_id: webhook.id, event, lead: null, received_at, sender: senderOf(webhook) }
    const before = await findPhoneCall(tx, account.id, reported)
    const lead = before?.lead_id ? await lockLead(tx, account.id, before.lead_id) : null
    const call = await savePhoneCall(tx, actor, account, { ...reported, before })
    const result = { ...read, contacts: [`call:${event.platform_id}`], error: null }
    if (lead) {
      await record(tx, delivery, { ...result, outcome: 'merged', lead_id: lead.id })
      return { saved: { outcome: 'merged' as const, lead }, calls: before ? [before, call] : [call] }
    }
    await record(tx, delivery, { ...result, outcome: 'ignored', lead_id: null, error: noNumberYet })
    return { saved: null, calls: [call] }
  })
  await announceRinging(database, account.id, ...calls)
  return saved
}

const noNumberYet = 'An event of a call without the number of the customer: no other event of this call has come yet.'

/** Does the same for a delivery that was recorded before. Throws `NoLead` while the number is unknown. */
export async function saveCallAgain(...[context, found]: Parameters<typeof saveCallWithoutNumber>): Promise<SavedLead> {
  const saved = await saveCallWithoutNumber(context, found)
  if (!saved) throw new NoLead('ignored', noNumberYet)
  return saved
}
