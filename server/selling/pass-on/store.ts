import type { TransactionSql } from '../../platform/database/sql.ts'
import type { WaitingLead } from './next-pass-on.ts'

/** Leads of paused rules wait until the rule is resumed. */
export async function dueLeads(tx: TransactionSql, accountId: string, now: Date, limit: number): Promise<string[]> {
  const due = await tx<{ lead_id: string }[]>`select lead_id from pass_ons
    where account_id = ${accountId} and due_at <= ${now} and not exists (
      select from distribution_rules rules where rules.account_id = ${accountId} and rules.id = rule_id and paused
    ) order by due_at limit ${limit}`
  return due.map(({ lead_id }) => lead_id)
}

/** Locks a due lead, whose `pass_ons` change only then. False: it is no longer due, or another transaction has the lead. */
export async function claimDue(tx: TransactionSql, accountId: string, leadId: string, now: Date): Promise<boolean> {
  const [lead] = await tx`select 1 from leads where account_id = ${accountId} and id = ${leadId} for update skip locked`
  if (!lead) return false
  const [due] = await tx`select 1 from pass_ons
    where account_id = ${accountId} and lead_id = ${leadId} and due_at <= ${now}`
  return due !== undefined
}

/** Longer than any call that a telephone system reports as answered without an end. */
const callsEndWithin = '2 hours'

/** Reads what decides whether the lead passes on. It is final while the lead is locked. */
export async function readWaiting(
  tx: TransactionSql,
  accountId: string,
  leadId: string,
  now: Date,
): Promise<WaitingLead | null> {
  const [row] = await tx<WaitingLead[]>`
    select rule_id, user_id, had, since, leads.assigned_to,
      leads.status <> 'New' or leads.last_call_at is not null or leads.call_again_at is not null or exists (
        select from timeline_entries entries
        where entries.account_id = ${accountId} and entries.lead_id = ${leadId} and entries.at >= since and kind not in ('created', 'submitted')
          and (kind <> 'merged' or details ->> 'via' = 'web') and not details ? 'passed_on'
      ) as "isTouched",
      exists (
        select from phone_calls calls
        where calls.account_id = ${accountId} and calls.lead_id = ${leadId} and calls.state <> 'ended'
          and calls.changed_at > ${now}::timestamptz - ${callsEndWithin}::interval
      ) as "isBeingCalled"
    from pass_ons join leads on leads.account_id = ${accountId} and leads.id = lead_id
    where pass_ons.account_id = ${accountId} and lead_id = ${leadId}`
  return row ?? null
}

export async function postpone(tx: TransactionSql, accountId: string, leadId: string, until: Date): Promise<void> {
  await tx`update pass_ons set due_at = ${until} where account_id = ${accountId} and lead_id = ${leadId}`
}

export async function endPassOn(tx: TransactionSql, accountId: string, leadId: string): Promise<void> {
  await tx`delete from pass_ons where account_id = ${accountId} and lead_id = ${leadId}`
}
