import type { PendingQuery, Row, TransactionSql } from 'postgres'
import { type Actor, asActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { batchSlot, type CountTable, unassigned } from '../leads/counts.ts'

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
export const longestStatement = 120

/** Divides all days into ranges of about that many rows. Days without a count belong to a range too. */
export function rangesOf(days: { day: string; n: number }[], most = rowsPerStatement): DayRange[] {
  const ranges: DayRange[] = []
  let range: DayRange = { from: '-infinity', until: 'infinity', rows: 0 }
  for (const { day, n } of days) {
    if (range.rows > 0 && range.rows + n > most) {
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
export const countComparison = (table: CountTable): Comparison => ({
  name: table.table,
  days: (database, actor) => countsByDay(database, actor, table.table),
  compare: (database, actor, days) => compareCounts(database, actor, table, days),
  repair: (database, actor, days) => repairCounts(database, actor, table, days),
})

export function countsByDay(database: Database, actor: Actor, table: string) {
  return counting(database, actor, (tx) => {
    const counts = tx.unsafe(table)
    return tx<{ day: string; n: number }[]>`
      select day::text, sum(n)::float8 as n from ${counts} where account_id = ${actor.account_id}
      group by day order by day`
  })
}

/** Compares the counts with the rows. One statement reads both, so what is written at the same time makes no difference. */
async function compareCounts(database: Database, actor: Actor, table: CountTable, days: DayRange) {
  const [difference] = await counting(database, actor, (tx) => {
    return tx<[Difference]>`with ${differences(tx, actor.account_id, table, days)}
      select count(*)::int as keys, coalesce(sum(abs(n)), 0)::float8 as rows from differences`
  })
  return difference
}

/**
 * Adds the differences to the counts. Every other transaction changes rows and counts together, and so leaves the differences
 * as they are: adding them is exact while writes go on. Two repairs at once would add them twice, so one waits for the other.
 */
async function repairCounts(database: Database, actor: Actor, table: CountTable, days: DayRange): Promise<number> {
  const repaired = await counting(database, actor, async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${actor.account_id}, 7106154))`
    // Leads that were changed by hand may have moved others to other places. The cleanup marks them again.
    if (table.of === 'leads') await tx`delete from lead_marks where account_id = ${actor.account_id}`
    const keys = tx.unsafe(table.key.join(', '))
    const counts = tx.unsafe(table.table)
    return tx`with ${differences(tx, actor.account_id, table, days)}
      insert into ${counts} (${keys}, slot, n) select ${keys}, ${batchSlot}, n from differences order by ${keys}
      on conflict (${keys}, slot) do update set n = ${counts}.n + excluded.n returning n`
  })
  return repaired.length
}

export function counting<T>(database: Database, actor: Actor, work: (tx: TransactionSql) => Promise<T>): Promise<T> {
  return asActor(database, actor, async (tx) => {
    // A day can have millions of rows. While a statement runs, vacuum cannot remove what others delete. The other tables and
    // days need another plan.
    await tx`select set_config('statement_timeout', ${`${longestStatement}s`}, true), set_config('plan_cache_mode', 'force_custom_plan', true)`
    return work(tx)
  })
}

type Fragment = PendingQuery<Row[]>

/** What the counts of these days lack; negative where they are too high. */
function differences(
  tx: TransactionSql,
  accountId: string,
  { table, key, of, time }: CountTable,
  days: DayRange,
): Fragment {
  const keys = tx.unsafe(key.join(', '))
  const expressions: Record<string, string> = {
    day: `(${time} at time zone interval '05:30')::date as day`,
    assigned_to: `coalesce(assigned_to, '${unassigned}') as assigned_to`,
  }
  const values = tx.unsafe(key.map((column) => expressions[column] ?? column).join(', '))
  const [counts, rows, at] = [table, of, time].map((name) => tx.unsafe(name))
  // As text: the driver cannot send -infinity as a date.
  const [from, until] = [days.from, days.until].map((day) => tx`${day}::text::date`)
  return tx`stored as (
      select ${keys}, sum(n)::bigint as n from ${counts!}
      where account_id = ${accountId} and day >= ${from!} and day < ${until!} group by ${keys}
    ), keyed as (
      select ${values} from ${rows!} where account_id = ${accountId}
        and ${at!} >= ${from!} - interval '05:30' and ${at!} < ${until!} - interval '05:30'
    ), counted as (
      select ${keys}, count(*) as n from keyed group by ${keys}
    ), compared as (
      select ${keys}, coalesce(counted.n, 0) - coalesce(stored.n, 0) as n
      from stored full join counted using (${keys})
    ), differences as (
      select * from compared where n <> 0
    )`
}
