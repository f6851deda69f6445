import { unseenColumns } from '../../crm/leads/unseen-lead.ts'
import { addNotice } from '../../crm/notices/add-notice.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { maxOffers } from './contract.ts'

export interface OfferRow {
  lead_id: string
  name: string
  product: string | null
  source: string
  city: string | null
  offered_at: Date
  due_at: Date
  offered_to: string[]
}

/**
 * Reads the newest offers of a user, without those of rules whose daily limit the user has reached. Runs for the whole account, because
 * the user does not see the leads.
 */
export function readOffers(
  tx: TransactionSql,
  { accountId, userId, day }: { accountId: string; userId: string; day: string },
): Promise<OfferRow[]> {
  return tx<OfferRow[]>`
    select lead_id, ${tx(unseenColumns.map((column) => `leads.${column}`))}, offered_at, due_at, offered_to
    from lead_offers offers join leads on leads.account_id = ${accountId} and leads.id = lead_id
      left join distribution_rules rules on rules.account_id = ${accountId} and rules.id = rule_id
      left join distribution_turns turns on turns.account_id = ${accountId} and turns.rule_id = rules.id
    where offers.account_id = ${accountId} and due_at is not null and ${userId}::uuid = any (offered_to)
      and leads.assigned_to is null
      and not coalesce(taken ->> 'day' >= ${day} and (taken -> 'leads' ->> ${userId})::integer >= daily_limit, false)
    order by offered_at desc, lead_id limit ${maxOffers}`
}

export interface StoredOffer {
  rule_id: string
  offered_to: string[]
  is_open: boolean
  claimed_by: string | null
}

/** Returns an offer of the user, also one that has ended a short time ago. */
export async function findOffer(
  tx: TransactionSql,
  accountId: string,
  userId: string,
  leadId: string,
): Promise<StoredOffer | null> {
  const [offer] = await tx<StoredOffer[]>`
    select rule_id, offered_to, due_at is not null as is_open, claimed_by from lead_offers
    where account_id = ${accountId} and lead_id = ${leadId} and ${userId}::uuid = any (offered_to)`
  return offer ?? null
}

/** Returns false if another user was first, or the offer has ended. */
export async function endByClaim(tx: TransactionSql, accountId: string, userId: string, leadId: string) {
  const claimed = await tx`update lead_offers set claimed_by = ${userId}, due_at = null
    where account_id = ${accountId} and lead_id = ${leadId} and due_at is not null and ${userId}::uuid = any (offered_to)`
  return claimed.count === 1
}

export async function dueOffers(tx: TransactionSql, accountId: string, now: Date, limit: number): Promise<string[]> {
  const due = await tx<{ lead_id: string }[]>`select lead_id from lead_offers
    where account_id = ${accountId} and due_at <= ${now} order by due_at limit ${limit}`
  return due.map(({ lead_id }) => lead_id)
}

export interface DueOffer {
  rule_id: string
  offered_to: string[]
  webhook_id: string | null
  otherwise: string | null
}

/** Locks the lead of a due offer. Null: it is no longer due, or another transaction has the lead. */
export async function lockDueOffer(tx: TransactionSql, accountId: string, leadId: string, now: Date) {
  const [lead] = await tx`select 1 from leads where account_id = ${accountId} and id = ${leadId} for update skip locked`
  if (!lead) return null
  const [offer] = await tx<DueOffer[]>`select rule_id, offered_to, webhook_id, otherwise from lead_offers
    where account_id = ${accountId} and lead_id = ${leadId} and due_at <= ${now}`
  return offer ?? null
}

/** Offers the lead to the users of another rule. */
export async function offerAgain(
  tx: TransactionSql,
  accountId: string,
  leadId: string,
  { ruleId, offeredTo, at, due }: { ruleId: string; offeredTo: string[]; at: Date; due: Date },
) {
  await tx`update lead_offers set rule_id = ${ruleId}, offered_to = ${offeredTo}, offered_at = ${at}, due_at = ${due}
    where account_id = ${accountId} and lead_id = ${leadId}`
  for (const user_id of offeredTo)
    await addNotice(tx, accountId, 'offered', { user_id, lead_id: leadId, at, about: {} })
}

/** A lead that has an owner, or that no further rule offers, is no longer offered. */
export async function endOffer(tx: TransactionSql, accountId: string, leadId: string): Promise<void> {
  await tx`update lead_offers set due_at = null
    where account_id = ${accountId} and lead_id = ${leadId} and due_at is not null`
}
