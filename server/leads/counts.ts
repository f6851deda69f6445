import type { TransactionSql } from 'postgres'
import { istDay } from '../http/date-window.ts'
import { byCountedField } from './counted-fields.ts'
import type { LeadRow } from './lead.ts'
import { deleteStaleMarks } from './marks.ts'

/** The assignee of unassigned leads in the counts, whose key columns cannot be null. */
export const unassigned = '00000000-0000-0000-0000-000000000000'

const slots = 7
let lastSlot = Math.floor(Math.random() * slots)

/**
 * Spreads writers of the same count over several rows, so that they do not wait for each other. They take turns: two that
 * choose at random often meet. Slot 0 is the cleanup's, and `batchSlot` is for batches.
 */
export function nextSlot(): number {
  lastSlot = (lastSlot + 1) % slots
  return 1 + lastSlot
}

export const batchSlot = 8

type Counted = Pick<LeadRow, 'status' | 'source' | 'priority' | 'assigned_to'>

/** A lead that is added to the counts of the day of its creation, or subtracted from them. */
export interface CountChange {
  lead: Counted & { created_at: Date }
  n: 1 | -1
}

/**
 * Writes the counts of leads, in one slot and in the order of their keys: two transactions that lock counts in different
 * orders would deadlock. Called once in a transaction, as late as possible, because others that count wait from here to
 * the commit.
 */
export async function countLeads(
  tx: TransactionSql,
  accountId: string,
  leads: CountChange[],
  slot = nextSlot(),
): Promise<void> {
  if (leads.length === 0) return
  const rows = leads.map(({ lead: { status, source, priority, assigned_to, created_at }, n }) => {
    return { day: istDay(created_at), status, source, priority, assigned_to: assigned_to ?? unassigned, n }
  })
  const changed = tx`jsonb_to_recordset(${tx.json(rows)})
    as changed (day date, status text, source text, priority text, assigned_to uuid, n bigint)`
  await Promise.all([
    tx`insert into lead_counts (account_id, day, status, source, priority, assigned_to, slot, n)
      select ${accountId}, day, status, source, priority, assigned_to, ${slot}, sum(n) from ${changed}
      group by 2, 3, 4, 5, 6 having sum(n) <> 0 order by 2, 3, 4, 5, 6
      on conflict (account_id, day, status, source, priority, assigned_to, slot)
      do update set n = lead_counts.n + excluded.n returning 1`,
    changes(rows, 'day', 'assigned_to') &&
      tx`insert into lead_day_counts (account_id, day, assigned_to, slot, n)
      select ${accountId}, day, assigned_to, ${slot}, sum(n) from ${changed}
      group by 2, 3 having sum(n) <> 0 order by 2, 3
      on conflict (account_id, day, assigned_to, slot) do update set n = lead_day_counts.n + excluded.n returning 1`,
    changes(rows, 'day', 'status', 'source', 'priority') &&
      tx`select count_in_field_total(${accountId}, day, status, source, priority, ${slot}, sum(n)::bigint) from ${changed}
      group by day, status, source, priority having sum(n) <> 0 order by day, status, source, priority`,
    changes(rows, 'day') &&
      tx`select count_in_total(${accountId}, day, ${slot}, sum(n)::bigint) from ${changed}
      group by day having sum(n) <> 0 order by day`,
    deleteStaleMarks(tx, accountId, leads),
  ])
}

/** Whether a count with these keys changes: a lead that only gets another status stays in the count of its day. */
function changes<Row extends { n: number }>(rows: Row[], ...keys: (keyof Row)[]): boolean {
  const sums = new Map<string, number>()
  for (const row of rows) {
    const key = JSON.stringify(keys.map((name) => row[name]))
    sums.set(key, (sums.get(key) ?? 0) + row.n)
  }
  return [...sums.values()].some((n) => n !== 0)
}

/** What counts show of a change of a lead. */
export function countChanges(before: CountChange['lead'], after: CountChange['lead']): CountChange[] {
  const alike = (['status', 'source', 'priority', 'assigned_to'] as const).every(
    (field) => before[field] === after[field],
  )
  return alike
    ? []
    : [
        { lead: before, n: -1 },
        { lead: after, n: 1 },
      ]
}

export interface CountTable {
  table: string
  key: string[]
  /** The table whose rows are counted, by the IST day of `time`. */
  of: string
  time: string
  /** The counts of past days are also kept by each value of a field alone, in `lead_value_totals`. */
  byValue?: true
}

export const countTables: CountTable[] = [
  {
    table: 'lead_counts',
    key: ['account_id', 'day', 'status', 'source', 'priority', 'assigned_to'],
    of: 'leads',
    time: 'created_at',
  },
  { table: 'lead_day_counts', key: ['account_id', 'day', 'assigned_to'], of: 'leads', time: 'created_at' },
  { table: 'lead_totals', key: ['account_id', 'day'], of: 'leads', time: 'created_at' },
  {
    table: 'lead_field_totals',
    key: ['account_id', 'day', 'status', 'source', 'priority'],
    of: 'leads',
    time: 'created_at',
    byValue: true,
  },
  { table: 'call_counts', key: ['account_id', 'day', 'call_type', 'assigned_to'], of: 'call_logs', time: 'called_at' },
  {
    table: 'delivery_counts',
    key: ['account_id', 'webhook_id', 'day', 'outcome'],
    of: 'deliveries',
    time: 'received_at',
  },
]

/**
 * Adds at most `limit` counts of past days to slot 0 and deletes counts of zero, so that the number of rows stays small.
 * Returns how many were added. Rows that a writer has locked are skipped until the next run. Nothing else writes to slot 0,
 * so no writer waits; an account's counts are folded by one caller at a time, or zeros may stay.
 */
export async function foldCounts(
  tx: TransactionSql,
  { table, key, byValue }: CountTable,
  { accountId, now, limit }: { accountId: string; now: Date; limit: number },
): Promise<number> {
  const counts = tx.unsafe(table)
  const keys = tx.unsafe(key.join(', '))
  const keysOf = (name: string) => tx.unsafe(key.map((column) => `${name}.${column}`).join(', '))
  const keptByValue = byValue
    ? tx`, kept_by_value as (
      insert into lead_value_totals (account_id, field, value, day, n)
      select account_id, field, value, day, sum(n) from summed, ${byCountedField(tx)}
      group by 1, 2, 3, 4 having sum(n) <> 0 order by 1, 2, 3, 4
      on conflict (account_id, field, value, day) do update set n = lead_value_totals.n + excluded.n
    )`
    : tx``
  const [folded] = await tx`
    with picked as (
      select ${keys}, slot from ${counts} where account_id = ${accountId} and day < ${istDay(now)} and slot > 0
      order by ${keys}, slot limit ${limit} for update skip locked
    ), gone as (
      delete from ${counts} using picked
      where (${keysOf(table)}, ${counts}.slot) = (${keysOf('picked')}, picked.slot)
      returning ${keysOf(table)}, ${counts}.n
    ), summed as (
      select ${keys}, sum(n)::bigint as n from gone group by ${keys}
    ), emptied as (
      delete from ${counts} using summed
      where (${keysOf(table)}) = (${keysOf('summed')}) and ${counts}.slot = 0 and ${counts}.n + summed.n = 0
      returning ${keysOf(table)}
    ), kept as (
      insert into ${counts} (${keys}, slot, n)
      select ${keys}, 0, n from summed
      where n <> 0 and not exists (select 1 from emptied where (${keysOf('emptied')}) = (${keysOf('summed')}))
      order by ${keys}
      on conflict (${keys}, slot) do update set n = ${counts}.n + excluded.n
    ) ${keptByValue}
    select count(*)::int as n from gone`
  return folded!.n
}
