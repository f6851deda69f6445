import type { Sql, TransactionSql } from 'postgres'
import type { Actor } from '../database/actor.ts'
import { copyInto } from '../database/copy.ts'
import { callColumns, entryColumns, leadColumns, type Rows, type Tally } from './rows.ts'
import type { SampleLead } from './sample-lead.ts'

/** A slot that the service does not use, so that no request waits for the commit of a batch. */
const slot = 8

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

/** Writes leads before calls and entries. The counts come last, so that their rows are locked only briefly. */
export async function writeBatch(tx: TransactionSql, actor: Actor, rows: Rows): Promise<void> {
  await copyInto(tx, 'leads', leadColumns, rows.leads)
  await copyInto(tx, 'call_logs', callColumns, rows.calls)
  await copyInto(tx, 'timeline_entries', entryColumns, rows.entries)
  await tx`
    insert into lead_counts (account_id, day, status, source, priority, assigned_to, slot, n)
    select ${actor.account_id}, (c->>0)::date, c->>1, c->>2, c->>3, (c->>4)::uuid, ${slot}, (c->>5)::bigint
    from jsonb_array_elements(${tx.json(inOrder(rows.leadCounts))}) c
    on conflict (account_id, day, status, source, priority, assigned_to, slot)
    do update set n = lead_counts.n + excluded.n returning 1`
  await tx`
    insert into lead_day_counts (account_id, day, assigned_to, slot, n)
    select ${actor.account_id}, (c->>0)::date, (c->>4)::uuid, ${slot}, sum((c->>5)::bigint)
    from jsonb_array_elements(${tx.json(inOrder(rows.leadCounts))}) c group by 2, 3 order by 2, 3
    on conflict (account_id, day, assigned_to, slot)
    do update set n = lead_day_counts.n + excluded.n returning 1`
  await tx`
    insert into lead_field_totals (account_id, day, status, source, priority, slot, n)
    select ${actor.account_id}, (c->>0)::date, c->>1, c->>2, c->>3, ${slot}, sum((c->>5)::bigint)
    from jsonb_array_elements(${tx.json(inOrder(rows.leadCounts))}) c group by 2, 3, 4, 5 order by 2, 3, 4, 5
    on conflict (account_id, day, status, source, priority, slot)
    do update set n = lead_field_totals.n + excluded.n returning 1`
  await tx`
    insert into lead_totals (account_id, day, slot, n)
    select ${actor.account_id}, (c->>0)::date, ${slot}, sum((c->>5)::bigint)
    from jsonb_array_elements(${tx.json(inOrder(rows.leadCounts))}) c group by 2 order by 2
    on conflict (account_id, day, slot) do update set n = lead_totals.n + excluded.n returning 1`
  await tx`
    insert into call_counts (account_id, day, call_type, assigned_to, slot, n)
    select ${actor.account_id}, (c->>0)::date, c->>1, (c->>2)::uuid, ${slot}, (c->>3)::bigint
    from jsonb_array_elements(${tx.json(inOrder(rows.callCounts))}) c
    on conflict (account_id, day, call_type, assigned_to, slot)
    do update set n = call_counts.n + excluded.n returning 1`
  await tx`delete from lead_marks where account_id = ${actor.account_id}`
}

/** Sorts the rows, so that two batches that update the same counts cannot deadlock. */
function inOrder(tally: Tally): (string | number)[][] {
  const keys = [...tally.keys()].sort()
  return keys.map((key) => [...(JSON.parse(key) as string[]), tally.get(key)!])
}
