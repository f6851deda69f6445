import { appendChanges } from '../counts/append-changes.ts'
import { callCounts, leadCounts } from '../counts/tables.ts'
import type { Actor } from '../database/actor.ts'
import { copyInto } from '../database/copy.ts'
import type { Sql, TransactionSql } from '../database/sql.ts'
import { callColumns, entryColumns, leadColumns, type Rows } from './rows.ts'
import type { SampleLead } from './sample-lead.ts'

/** Leaves out leads whose phone or email another lead of the account has already. */
export async function withoutExisting(owner: Sql, { account_id }: Actor, leads: SampleLead[]): Promise<SampleLead[]> {
  const keysOf = (field: 'phone_key' | 'email_key') => leads.map((lead) => lead[field]).filter((key) => key !== null)
  const rows = await owner<{ key: string }[]>`
    select phone_key as key from leads where account_id = ${account_id} and phone_key = any(${keysOf('phone_key')})
    union all
    select email_key from leads where account_id = ${account_id} and email_key = any(${keysOf('email_key')})`
  if (rows.length === 0) return leads
  const held = new Set<string | null>(rows.map(({ key }) => key))
  return leads.filter((lead) => !held.has(lead.phone_key) && !held.has(lead.email_key))
}

/** Writes leads before calls and entries. */
export async function writeBatch(tx: TransactionSql, actor: Actor, rows: Rows): Promise<void> {
  await copyInto(tx, 'leads', leadColumns, rows.leads)
  await copyInto(tx, 'call_logs', callColumns, rows.calls)
  await copyInto(tx, 'timeline_entries', entryColumns, rows.entries)
  await appendChanges(tx, actor.account_id, leadCounts, [...rows.countedLeads.values()])
  await appendChanges(tx, actor.account_id, callCounts, [...rows.countedCalls.values()])
}
