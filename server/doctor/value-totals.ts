import type { TransactionSql } from 'postgres'
import { type Comparison, counting, countsByDay, type DayRange, type Difference } from './count-differences.ts'

/** The totals by value against the totals that they are the sums of, which the cleanup changes together. */
export const valueTotals: Comparison = {
  name: 'lead_value_totals',
  days: (database, actor) => countsByDay(database, actor, 'lead_totals'),
  compare: (database, actor, days) =>
    counting(database, actor, async (tx) => {
      const [difference] = await tx<[Difference]>`
        select count(*)::int as keys, coalesce(sum(abs(n)), 0)::float8 as rows
        from (${differences(tx, actor.account_id, days)}) differences`
      return difference
    }),
  repair: (database, actor, days) =>
    counting(database, actor, async (tx) => {
      // Two repairs at once would add the differences twice.
      await tx`select pg_advisory_xact_lock(hashtextextended(${actor.account_id}, 7106154))`
      return tx`insert into lead_value_totals (account_id, field, value, day, n)
        select ${actor.account_id}, field, value, day, n from (${differences(tx, actor.account_id, days)}) differences
        order by field, value, day
        on conflict (account_id, field, value, day) do update set n = lead_value_totals.n + excluded.n returning n`
    }),
}

/** What the totals by value of these days lack; negative where they are too high. */
function differences(tx: TransactionSql, accountId: string, days: DayRange) {
  const [from, until] = [days.from, days.until].map((day) => tx`${day}::text::date`)
  const ofDays = tx`account_id = ${accountId} and day >= ${from!} and day < ${until!}`
  return tx`
    select field, value, day, sum(n)::bigint as n from (
      select field, value, day, n
      from lead_field_totals, lateral (values ('priority', priority), ('source', source), ('status', status)) as of_field (field, value)
      where ${ofDays} and slot = 0
      union all
      select field, value, day, -n from lead_value_totals where ${ofDays}
    ) both_sides group by field, value, day having sum(n) <> 0`
}
