import { appendChanges } from '../../server/crm/counts/append-changes.ts'
import { callCounts, leadCounts } from '../../server/crm/counts/tables.ts'
import type { Actor } from '../../server/platform/database/actor.ts'
import { copyInto } from '../../server/platform/database/copy.ts'
import type { Sql, TransactionSql } from '../../server/platform/database/sql.ts'
import type { SampleLead } from '../../server/setup/demo/sample-lead.ts'
import { callColumns, contactColumns, enquiryColumns, entryColumns, leadColumns, type Rows } from './rows.ts'

/** Leaves out leads whose phone or email another lead of the account has already. */
export async function withoutExisting(owner: Sql, { account_id }: Actor, leads: SampleLead[]): Promise<SampleLead[]> {
  const keysOf = (...fields: ('phone_key' | 'email_key' | 'other_phone')[]) =>
    leads.flatMap((lead) => fields.map((field) => lead[field])).filter((key) => key !== null)
  const phones = keysOf('phone_key', 'other_phone')
  const rows = await owner<{ key: string }[]>`
    select phone_key as key from leads where account_id = ${account_id} and phone_key = any(${phones})
    union all
    select email_key from leads where account_id = ${account_id} and email_key = any(${keysOf('email_key')})
    union all
    select key from lead_contacts where account_id = ${account_id} and key = any(${phones})`
  if (rows.length === 0) return leads
  const held = new Set<string | null>(rows.map(({ key }) => key))
  return leads.filter((lead) => ![lead.phone_key, lead.email_key, lead.other_phone].some((key) => held.has(key)))
}

/** Writes leads before calls and entries. */
export async function writeBatch(tx: TransactionSql, actor: Actor, rows: Rows): Promise<void> {
  await copyInto(tx, 'leads', leadColumns, rows.leads)
  await copyInto(tx, 'lead_contacts', contactColumns, rows.contacts)
  await copyInto(tx, 'enquiries', enquiryColumns, rows.enquiries)
  await copyInto(tx, 'call_logs', callColumns, rows.calls)
  await copyInto(tx, 'timeline_entries', entryColumns, rows.entries)
  await appendChanges(tx, actor.account_id, leadCounts, [...rows.countedLeads.values()])
  await appendChanges(tx, actor.account_id, callCounts, [...rows.countedCalls.values()])
}
