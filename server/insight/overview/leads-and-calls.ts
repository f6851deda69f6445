import { readCounts } from '../../crm/counts/read-counts.ts'
import { leadCounts, unassigned } from '../../crm/counts/tables.ts'
import { isGoingCold } from '../../crm/leads/follow-up.ts'
import type { Actor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import type { DateWindow } from '../../platform/http/date-window.ts'
import { isMissed, needsCallback } from '../../telephony/calls/missed.ts'
import { maxCalledLeads, maxGoingCold, type Overview } from './contract.ts'

/** The assignees that the actor sees, for the query plan. Row-level security enforces them anyway. */
const visible = (tx: TransactionSql, { sees }: Actor) =>
  sees === 'all' ? tx`` : tx`and assigned_to = any (${sees as string[]}::uuid[])`

interface DayCount {
  day: string
  n: number
}

/** Counts leads by day and source, and by day and status, from the daily counts. */
export async function countLeads(tx: TransactionSql, actor: Actor, { first_day, last_day }: DateWindow) {
  const within = tx`account_id = ${actor.account_id} and day between ${first_day} and ${last_day}`
  const assigned_to = actor.sees === 'all' ? undefined : tx`assigned_to = any (${actor.sees as string[]}::uuid[])`
  const by = (column: string) => readCounts(tx, leadCounts, { within, where: { assigned_to }, by: [column] })
  return tx<(DayCount & { source: string | null; status: string | null })[]>`
    select day::text, source, null as status, sum(n)::int as n from ${by('source')} group by day, source having sum(n) > 0
    union all
    select day::text, null, status, sum(n)::int from ${by('status')} group by day, status having sum(n) > 0`
}

/**
 * Counts calls by day and outcome, and by who called, so that they stay theirs when a lead changes hands. The daily counts have neither,
 * so the calls that the actor sees are counted, all at once. `user_id` is null for calls of no known user.
 */
export async function countCalls(tx: TransactionSql, actor: Actor, { from, until }: DateWindow) {
  const counted = await tx<(DayCount & { outcome: string; user_id: string | null; by_caller: boolean })[]>`
    select day::text, outcome, called_by as user_id, grouping(called_by) = 0 as by_caller, count(*)::int as n from (
      select (called_at at time zone interval '05:30')::date as day, outcome, called_by from call_logs
      where account_id = ${actor.account_id} and called_at >= ${from} and called_at < ${until} ${visible(tx, actor)}
    ) calls group by grouping sets ((day, outcome), (called_by))`
  return {
    byDay: counted.filter(({ by_caller }) => !by_caller),
    byCaller: counted.filter(({ by_caller }) => by_caller),
  }
}

/** Sums the deal values of new leads by status, from an index that has them. */
export async function sumDeals(tx: TransactionSql, actor: Actor, { from, until }: DateWindow) {
  return tx<{ status: string; paise: string }[]>`
    select status, sum(deal_paise) as paise from leads
    where account_id = ${actor.account_id} and created_at >= ${from} and created_at < ${until} ${visible(tx, actor)}
    group by status having sum(deal_paise) > 0`
}

/** Returns the deal values of leads that were won, in paise. */
export async function sumWon(tx: TransactionSql, actor: Actor, { from, until }: DateWindow): Promise<number> {
  const [summed] = await tx<{ paise: string }[]>`
    select coalesce(sum(deal_paise), 0) as paise from leads
    where account_id = ${actor.account_id} and closed_at >= ${from} and closed_at < ${until} and status = 'Won' ${visible(tx, actor)}`
  return Number(summed!.paise)
}

/** Returns the deal values of leads that were won since a time, in paise, by month in India. */
export async function sumWonByMonth(tx: TransactionSql, actor: Actor, since: Date) {
  return tx<{ month: string; paise: string }[]>`
    select to_char(closed_at at time zone interval '05:30', 'YYYY-MM') as month, coalesce(sum(deal_paise), 0) as paise from leads
    where account_id = ${actor.account_id} and closed_at >= ${since} and status = 'Won' ${visible(tx, actor)} group by 1`
}

/** Counts new leads by owner, from the daily counts. `owners` are all users of the account. */
export async function countLeadsByOwner(
  tx: TransactionSql,
  actor: Actor,
  { window: { first_day, last_day }, owners }: { window: DateWindow; owners: string[] },
) {
  const within = tx`account_id = ${actor.account_id} and day between ${first_day} and ${last_day}`
  // Named, because the index of counts begins with the owner.
  const named = actor.sees === 'all' ? [...owners, unassigned] : (actor.sees as string[])
  const of = { within, where: { assigned_to: tx`assigned_to = any (${named}::uuid[])` }, by: ['assigned_to'] }
  return tx<{ user_id: string; n: number }[]>`
    select assigned_to as user_id, sum(n)::int as n from ${readCounts(tx, leadCounts, of)} group by 1 having sum(n) > 0`
}

/** Sources shown for repeat enquiries. */
const maxSources = 50

/**
 * Returns the median time from the creation of a lead to its first call, in seconds, of new leads that were called: the newest
 * `maxCalledLeads`. An index has all that is read.
 */
export async function medianTimeToFirstCall(tx: TransactionSql, actor: Actor, { from, until }: DateWindow) {
  const [median] = await tx<Overview['first_call'][]>`
    select round(percentile_cont(0.5) within group (order by wait))::int as median_seconds, count(*)::int as leads from (
      select extract(epoch from first_call_at - created_at)::int as wait from leads
      where account_id = ${actor.account_id} and created_at >= ${from} and created_at < ${until} and first_call_at is not null
        ${visible(tx, actor)}
      order by created_at desc, id desc limit ${maxCalledLeads}
    ) called`
  return median!
}

/** Counts the repeat enquiries of the window by their source. */
export async function countRepeatEnquiries(tx: TransactionSql, actor: Actor, { from, until }: DateWindow) {
  return tx<{ source: string; n: number }[]>`
    select source, count(*)::int as n from enquiries
    where account_id = ${actor.account_id} and is_repeat and at >= ${from} and at < ${until} ${visible(tx, actor)}
    group by 1 order by 2 desc, 1 limit ${maxSources}`
}

/** Counts leads that are going cold, up to `maxGoingCold`. */
export async function countGoingCold(tx: TransactionSql, actor: Actor, before: Date) {
  const [counted] = await tx<{ n: number }[]>`
    select count(*)::int as n from (
      select from leads where account_id = ${actor.account_id} and ${isGoingCold(tx, before)} ${visible(tx, actor)} limit ${maxGoingCold}
    ) leads`
  return counted!.n
}

/** Counts missed inbound calls, and those still to call back. */
export async function countMissedCalls(tx: TransactionSql, actor: Actor, { from, until }: DateWindow) {
  const [counted] = await tx<{ missed: number; unreturned: number }[]>`
    select count(*)::int as missed, count(*) filter (where unreturned)::int as unreturned from (
      select (${needsCallback(tx, actor.account_id)}) as unreturned from call_logs calls
      where calls.account_id = ${actor.account_id} and calls.called_at >= ${from} and calls.called_at < ${until}
        and ${isMissed(tx)} and calls.call_type = 'Inbound' ${visible(tx, actor)}
    ) calls`
  return counted!
}
