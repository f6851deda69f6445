import type { TransactionSql } from 'postgres'
import { appendChanges } from '../counts/append-changes.ts'
import { leadCounts } from '../counts/tables.ts'
import { answerStart } from './answer-start.ts'
import { storedColumns } from './columns.ts'
import { leadFieldNames } from './fields.ts'
import type { ContactKeys, LeadRow, LockedLead } from './lead.ts'

/** Locks and returns the leads with this phone or email, in the order of their ids so that two merges cannot deadlock. */
export async function lockMatches(
  tx: TransactionSql,
  accountId: string,
  { phone_key, email_key }: ContactKeys,
): Promise<LockedLead[]> {
  const rows = await tx<StoredLead[]>`
    select ${tx(storedColumns)} from leads
    where account_id = ${accountId} and (phone_key = ${phone_key} or email_key = ${email_key}) order by id for update`
  return rows.map(withNumber)
}

type StoredLead = LockedLead & { deal_value: string | null }

const withNumber = (row: StoredLead): LockedLead => ({
  ...row,
  deal_value: row.deal_value === null ? null : Number(row.deal_value),
})

const changedColumns = [...leadFieldNames, 'updated_at', 'phone_key', 'email_key', 'answer_start'] as const

export interface LeadUpdate {
  before: LeadRow
  after: LeadRow
  keys: ContactKeys
}

/** Writes the changed lead, and the rows that contain its assignee. */
export async function updateLead(
  tx: TransactionSql,
  accountId: string,
  { before, after, keys }: LeadUpdate,
): Promise<void> {
  await Promise.all([
    tx`update leads set ${tx({ ...after, ...keys, answer_start: answerStart(after) }, ...changedColumns)}
      where account_id = ${accountId} and id = ${before.id}`,
    before.assigned_to === after.assigned_to
      ? null
      : tx`update timeline_entries set assigned_to = ${after.assigned_to}
          where account_id = ${accountId} and lead_id = ${before.id}`,
  ])
}

/** Locks and returns a lead; null if the actor sees none. */
export async function lockLead(tx: TransactionSql, accountId: string, id: string): Promise<LockedLead | null> {
  const [row] = await tx<StoredLead[]>`
    select ${tx(storedColumns)} from leads where account_id = ${accountId} and id = ${id} for update`
  return row ? withNumber(row) : null
}

export async function callAgainAt(tx: TransactionSql, accountId: string, id: string): Promise<Date | null> {
  const [row] = await tx<{ call_again_at: Date | null }[]>`
    select call_again_at from leads where account_id = ${accountId} and id = ${id}`
  return row?.call_again_at ?? null
}

export async function setCallAgain(tx: TransactionSql, accountId: string, id: string, at: Date | null): Promise<void> {
  await tx`update leads set call_again_at = ${at} where account_id = ${accountId} and id = ${id}`
}

/** Removes the lead with its calls, timeline, notes and stored answers. */
export async function deleteLead(tx: TransactionSql, accountId: string, lead: LeadRow): Promise<void> {
  await appendChanges(tx, accountId, leadCounts, [{ row: lead, n: -1 }])
  await tx`select uncount_calls(${accountId}, ${lead.id})`
  await tx`delete from leads where account_id = ${accountId} and id = ${lead.id}`
}
