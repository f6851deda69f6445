import type { LeadRow } from '../../../crm/leads/lead.ts'
import { isContactOfLead, lockLead } from '../../../crm/leads/store.ts'
import { nextUpdate } from '../../../crm/leads/updated-at.ts'
import { withOwnerEmails, writeChange } from '../../../crm/leads/write-change.ts'
import { answeredSummary } from '../../../crm/timeline/summaries.ts'
import type { Actor } from '../../../platform/database/actor.ts'
import type { TransactionSql } from '../../../platform/database/sql.ts'
import type { CallEvent } from '../../../telephony/calls/call-event.ts'
import {
  answeredBy,
  findPhoneCall,
  isOfUser,
  lockPhoneCall,
  type PhoneCall,
  type ReportedCall,
  savePhoneCall,
} from '../../../telephony/calls/phone-calls.ts'
import { learnOwnNumbers } from '../../../telephony/phone-lines/own-numbers.ts'
import { senderOf } from './decide.ts'
import type { ReadingContext } from './delivery.ts'

/** An event of a call, as a delivery has it. */
export interface DeliveredCall extends Pick<ReadingContext, 'account' | 'webhook' | 'delivery'> {
  event: CallEvent
}

/** An event with the customer's number. */
export interface DeliveredCallOfLead extends DeliveredCall {
  /** Numbers of the business, in E.164. */
  own_numbers: string[]
}

/** The number of a call is a user's. */
export class OwnNumber extends Error {}

/** Locks the call before its lead. */
export async function lockCall(
  tx: TransactionSql,
  { account, event }: DeliveredCall,
  { phone_key }: { phone_key: string | null },
): Promise<void> {
  await lockPhoneCall(tx, account.id, event)
  if (phone_key === null || !(await isOfUser(tx, account.id, phone_key))) return
  // A line that is claimed by mistake, or by intent, keeps no call of a known lead away.
  if (!(await isContactOfLead(tx, account.id, phone_key)))
    throw new OwnNumber('The number of this call is a user’s phone line, so there is no customer.')
}

/**
 * Saves the event in the transaction that saved its lead, after `lockCall`. The user who answered may become the owner. Returns the call as
 * it was and as it is, for `notifyUsersOfCall`. `phone`: as it was sent.
 */
export async function saveCallOfLead(
  tx: TransactionSql,
  actor: Actor,
  delivered: DeliveredCallOfLead,
  { lead: { id, assigned_to }, phone }: { lead: Pick<LeadRow, 'id' | 'assigned_to'>; phone: string | null },
): Promise<PhoneCall[]> {
  const { account, delivery } = delivered
  const reported = reportOf(delivered, { id, phone })
  const before = await findPhoneCall(tx, account, reported)
  const call = await savePhoneCall(tx, actor, account, { ...reported, before })
  if (!before)
    await learnOwnNumbers(tx, account.id, { numbers: delivered.own_numbers, leadId: id, now: delivery.received_at })
  return [...(before ? [before] : []), await giveToAnswering(tx, actor, delivered, { id, assigned_to }, call)]
}

/** Gives an unassigned lead to the user who answered its call. Returns the call with its owner. */
async function giveToAnswering(
  tx: TransactionSql,
  actor: Actor,
  { account, delivery: { received_at: at } }: DeliveredCall,
  { id, assigned_to }: Pick<LeadRow, 'id' | 'assigned_to'>,
  call: PhoneCall,
): Promise<PhoneCall> {
  const userId = assigned_to === null && account.answeringUserOwns ? answeredBy(call) : null
  const user = userId && account.users.find((one) => one.id === userId && one.active)
  const before = user && (await lockLead(tx, account.id, id))
  if (!before || before.assigned_to !== null) return call
  const { phone_key, email_key, ...fields } = before
  const after = { ...fields, assigned_to: userId, updated_at: nextUpdate(before.updated_at, at) }
  const changes = withOwnerEmails(account, [{ field: 'assigned_to', before: null, after: userId }])
  const summary = answeredSummary(user.name)
  const entry = { at, kind: 'changed', summary, details: { changes } } as const
  await writeChange(tx, actor, { before, after, keys: { phone_key, email_key }, added: [], entry })
  return { ...call, assigned_to: userId }
}

/** Saves an event without the customer's number, and returns the lead of the call as far as it is known. */
export async function saveCallWithoutNumber(
  tx: TransactionSql,
  actor: Actor,
  call: DeliveredCall,
): Promise<{ lead_id: string | null; calls: PhoneCall[] }> {
  await lockPhoneCall(tx, call.account.id, call.event)
  const reported = reportOf(call, null)
  return saveWithCall(tx, actor, call, { ...reported, before: await findPhoneCall(tx, call.account, reported) })
}

/** Saves an event whose number finds no lead by itself with the call that has its id and that number. Returns null if there is none. */
export async function saveCallOfNumber(
  tx: TransactionSql,
  actor: Actor,
  call: DeliveredCall,
  phone: string,
): Promise<{ lead_id: string; calls: PhoneCall[] } | null> {
  await lockPhoneCall(tx, call.account.id, call.event)
  const reported = reportOf(call, { id: null, phone })
  const before = await findPhoneCall(tx, call.account, reported)
  if (!before?.lead_id) return null
  const { calls } = await saveWithCall(tx, actor, call, { ...reported, before })
  return { lead_id: before.lead_id, calls }
}

const reportOf = ({ webhook, event, delivery }: DeliveredCall, lead: ReportedCall['lead']): ReportedCall => {
  return { webhook_id: webhook.id, event, lead, received_at: delivery.received_at, sender: senderOf(webhook) }
}

async function saveWithCall(
  tx: TransactionSql,
  actor: Actor,
  delivered: DeliveredCall,
  { before, ...reported }: ReportedCall & { before: PhoneCall | null },
): Promise<{ lead_id: string | null; calls: PhoneCall[] }> {
  const { account } = delivered
  const lead = before?.lead_id ? await lockLead(tx, account.id, before.lead_id) : null
  const saved = await savePhoneCall(tx, actor, account, { ...reported, before })
  const call = lead ? await giveToAnswering(tx, actor, delivered, lead, saved) : saved
  return { lead_id: lead?.id ?? null, calls: before ? [before, call] : [call] }
}
