import type { TransactionSql } from '../../platform/database/sql.ts'
import { wholeSecond } from '../../platform/http/instants.ts'

/** What belongs to a lead and moves with it. `key` identifies a row of the account as text. */
const tables = [
  { name: 'call_logs', lead: 'lead_id', key: 'id::text' },
  { name: 'phone_calls', lead: 'lead_id', key: 'id::text' },
  { name: 'timeline_entries', lead: 'lead_id', key: 'id::text' },
  { name: 'enquiries', lead: 'lead_id', key: 'id::text' },
  { name: 'deliveries', lead: 'lead_id', key: 'id::text' },
  {
    name: 'delivery_receipts',
    lead: 'lead_id',
    key: `webhook_id || ' ' || encode(reading_hash, 'hex') || ' ' || platform_id`,
  },
  { name: 'idempotency_keys', lead: 'lead_id', key: `api_key_id || ' ' || key` },
  { name: 'notices', lead: 'lead_id', key: 'id::text' },
  { name: 'merged_leads', lead: 'kept_lead_id', key: 'lead_id::text' },
] as const

/** Rows that move in one transaction. Others wait for both leads meanwhile, for about a second. */
export const maxMoved = 5000

/** The keys of the rows that moved, by table. */
export type Moved = Partial<Record<string, string[]>>

/** Counts what belongs to a locked lead, up to one more than may move. */
export async function countBelongings(tx: TransactionSql, accountId: string, leadId: string): Promise<number> {
  const counts = await Promise.all(
    tables.map(
      ({ name, lead }) => tx<{ n: number }[]>`select count(*)::int as n from (
        select from ${tx(name)} where account_id = ${accountId} and ${tx(lead)} = ${leadId} limit ${maxMoved + 1}
      ) belongings`,
    ),
  )
  return counts.reduce((sum, [count]) => sum + count!.n, 0)
}

/** Sets the owner in the rows that contain it of what belongs to a lead. */
export async function giveBelongings(tx: TransactionSql, accountId: string, leadId: string, owner: string | null) {
  await tx`select reassign_calls(${accountId}, array[${leadId}::uuid], ${owner})`
  for (const table of ['timeline_entries', 'enquiries'])
    await tx`update ${tx(table)} set assigned_to = ${owner} where account_id = ${accountId} and lead_id = ${leadId}`
}

/** Moves what belongs to a lead to another one, and returns what moved. */
export async function moveAll(
  tx: TransactionSql,
  accountId: string,
  { from, to, at }: { from: string; to: string; at: Date },
): Promise<Moved> {
  const moved: Moved = {}
  for (const { name, lead, key } of tables) {
    const rows = await tx<{ key: string }[]>`update ${tx(name)} set ${tx(lead)} = ${to} ${correction(tx, name, at)}
      where account_id = ${accountId} and ${tx(lead)} = ${from} returning ${tx.unsafe(key)} as key`
    if (rows.length > 0) moved[name] = rows.map(({ key }) => key)
  }
  return moved
}

/** Moves back what moved, except for what another lead has by now. */
export async function moveBack(
  tx: TransactionSql,
  accountId: string,
  { from, to, at, moved }: { from: string; to: string; at: Date; moved: Moved },
): Promise<void> {
  for (const { name, lead, key } of tables) {
    const keys = moved[name]
    if (!keys) continue
    await tx`update ${tx(name)} set ${tx(lead)} = ${to} ${correction(tx, name, at)}
      where account_id = ${accountId} and ${tx(lead)} = ${from} and ${tx.unsafe(key)} in (select unnest(${keys}::text[]))`
  }
}

/** Programs that keep in step with call logs read the lead of a call again. */
const correction = (tx: TransactionSql, table: string, at: Date) =>
  table === 'call_logs'
    ? tx`, changed_at = greatest(${wholeSecond(at)}, coalesce(changed_at, created_at) + interval '1 second')`
    : tx``
