import { waitForCounts } from '../../server/crm/counts/move-changes.ts'
import { readCounts } from '../../server/crm/counts/read-counts.ts'
import { type CountTables, groupingSets, unassigned } from '../../server/crm/counts/tables.ts'
import { type Actor, asActor } from '../../server/platform/database/actor.ts'
import type { Database } from '../../server/platform/database/connect.ts'
import type { Statement, TransactionSql } from '../../server/platform/database/sql.ts'

/** Days in IST, the second one not included. `-infinity` and `infinity` are days too. */
export interface DayRange {
  from: string
  until: string
  /** The rows of these days, according to the counts. */
  rows: number
}

/** So many rows are counted by one statement. */
const rowsPerStatement = 300_000

/** In seconds. */
export const maxStatementSeconds = 120

/** Divides all days into ranges of about that many rows. Days without a count belong to a range too. */
export function toRanges(days: { day: string; n: number }[], maxRows = rowsPerStatement): DayRange[] {
  const ranges: DayRange[] = []
  let range: DayRange = { from: '-infinity', until: 'infinity', rows: 0 }
  for (const { day, n } of days) {
    if (range.rows > 0 && range.rows + n > maxRows) {
      ranges.push({ ...range, until: day })
      range = { from: day, until: 'infinity', rows: 0 }
    }
    range.rows += Math.max(0, n)
  }
  return [...ranges, range]
}

export interface Difference {
  /** How many keys, or leads, have a wrong value. */
  keys: number
  /** The sum of the deviations. */
  rows: number
}

/** Stored values, and the rows that they are of. */
export interface Comparison {
  name: string
  /** The rows by IST day, in the order of the days. */
  days(database: Database, actor: Actor): Promise<{ day: string; n: number }[]>
  compare(database: Database, actor: Actor, days: DayRange): Promise<Difference>
  repair(database: Database, actor: Actor, days: DayRange): Promise<unknown>
}

/** Counts against their rows. */
export const countComparison = (tables: CountTables): Comparison => ({
  name: tables.counts,
  days: (database, actor) => countsByDay(database, actor, tables),
  compare: (database, actor, days) => compareCounts(database, actor, tables, days),
  repair: (database, actor, days) => repairCounts(database, actor, tables, days),
})

export function countsByDay(database: Database, actor: Actor, tables: CountTables) {
  return counting(database, actor, (tx) => {
    const counts = readCounts(tx, tables, { within: tx`account_id = ${actor.account_id}` })
    return tx<{ day: string; n: number }[]>`
      select day::text, sum(n)::float8 as n from ${counts} group by day order by day`
  })
}

/** Compares the counts with the rows. One statement reads both, so what is written at the same time makes no difference. */
async function compareCounts(database: Database, actor: Actor, tables: CountTables, days: DayRange) {
  const [difference] = await counting(database, actor, (tx) => {
    return tx<[Difference]>`
      select count(*)::int as keys, coalesce(sum(abs(n)), 0)::float8 as rows
      from (${differences(tx, actor.account_id, tables, days)}) differences`
  })
  return difference
}

/**
 * Adds the differences to the counts. Every other transaction writes rows and changes together, and so leaves the differences as they
 * are: adding them is exact while writes go on.
 */
async function repairCounts(database: Database, actor: Actor, tables: CountTables, days: DayRange): Promise<number> {
  const repaired = await counting(database, actor, async (tx) => {
    await waitForCounts(tx, actor.account_id)
    const columns = tx.unsafe(tables.columns.join(', '))
    const counts = tx(tables.counts)
    return tx`insert into ${counts} (account_id, ${columns}, day, n)
      select ${actor.account_id}, ${columns}, day, n from (${differences(tx, actor.account_id, tables, days)}) differences
      on conflict (account_id, ${columns}, day) do update set n = ${counts}.n + excluded.n returning 1`
  })
  return repaired.length
}

export function counting<T>(database: Database, actor: Actor, work: (tx: TransactionSql) => Promise<T>): Promise<T> {
  return asActor(database, actor, async (tx) => {
    // A day can have millions of rows. While a statement runs, vacuum cannot remove what others delete. The other tables and
    // days need another plan.
    await tx`select set_config('statement_timeout', ${`${maxStatementSeconds}s`}, true), set_config('plan_cache_mode', 'force_custom_plan', true)`
    return work(tx)
  })
}

type Fragment = Statement

/** What the counts of these days lack; negative where they are too high. */
function differences(tx: TransactionSql, accountId: string, tables: CountTables, days: DayRange): Fragment {
  const { counts, changes, rows, time, columns } = tables
  const named = tx.unsafe(columns.join(', '))
  const values = tx.unsafe(
    columns.map((column) => (column === 'assigned_to' ? `coalesce(assigned_to, '${unassigned}')` : column)).join(', '),
  )
  const grouping = tx.unsafe(groupingSets(tables))
  const at = tx(time)
  // As text: the driver cannot send -infinity as a date.
  const [from, until] = [days.from, days.until].map((day) => tx`${day}::text::date`)
  const ofDays = tx`account_id = ${accountId} and day >= ${from!} and day < ${until!}`
  return tx`
    select ${named}, day, sum(n)::bigint as n from (
      select ${named}, day, count(*) as n from (
        select ${values}, (${at} at time zone interval '05:30')::date from ${tx(rows)} where account_id = ${accountId}
          and ${at} >= ${from!} - interval '05:30' and ${at} < ${until!} - interval '05:30'
      ) keyed (${named}, day) group by ${grouping}
      union all
      select ${named}, day, -sum(n) from ${tx(changes)} where ${ofDays} group by ${grouping}
      union all
      select ${named}, day, -n from ${tx(counts)} where ${ofDays}
    ) both_sides group by ${named}, day having sum(n) <> 0`
}
