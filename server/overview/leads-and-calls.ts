import { isMissed, needsCallback } from '../calls/missed.ts'
import { readCounts } from '../counts/read-counts.ts'
import { leadCounts, unassigned } from '../counts/tables.ts'
import type { Actor } from '../database/actor.ts'
import type { TransactionSql } from '../database/sql.ts'
import type { DateWindow } from '../http/date-window.ts'

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

/** Counts calls by day and outcome. The daily counts have no outcome, so the calls themselves are counted. */
export async function countCalls(tx: TransactionSql, actor: Actor, { from, until }: DateWindow) {
  return tx<(DayCount & { outcome: string })[]>`
    select day::text, outcome, n from (
      select (called_at at time zone interval '05:30')::date as day, outcome, count(*)::int as n from call_logs
      where account_id = ${actor.account_id} and called_at >= ${from} and called_at < ${until} ${visible(tx, actor)}
      group by 1, 2
    ) counted`
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

/**
 * Counts calls by who called, so that they stay theirs when a lead changes hands. Null: no known user. The actor sees the calls of leads
 * that they see now. An index has all that is counted.
 */
export async function countCallsByCaller(tx: TransactionSql, actor: Actor, { from, until }: DateWindow) {
  return tx<{ user_id: string | null; n: number }[]>`
    select called_by as user_id, count(*)::int as n from call_logs
    where account_id = ${actor.account_id} and called_at >= ${from} and called_at < ${until} ${visible(tx, actor)}
    group by 1`
}

/** The time to first call is taken from at most this many of the newest calls. */
const maxCalls = 10_000

/**
 * Returns the median time from the creation of a lead to its first call, in seconds. Leads older than the oldest call
 * that is read are left out: their first call may not be among those calls.
 */
export async function medianTimeToFirstCall(tx: TransactionSql, actor: Actor, { from, until }: DateWindow) {
  const [median] = await tx<{ seconds: number | null; leads: number }[]>`
    with calls as materialized (
      select lead_id, called_at from call_logs
      where account_id = ${actor.account_id} and called_at >= ${from} and called_at < ${until} ${visible(tx, actor)}
      order by called_at desc, id desc limit ${maxCalls}
    ), firsts as (
      select min(calls.called_at) - leads.created_at as wait
      from calls join leads on leads.account_id = ${actor.account_id} and leads.id = calls.lead_id
      where leads.created_at >= greatest(${from}::timestamptz, (
          select case when count(*) < ${maxCalls} then ${from}::timestamptz else min(called_at) end from calls
        ))
        and calls.called_at >= leads.created_at
      group by leads.id, leads.created_at
    )
    select round(extract(epoch from percentile_cont(0.5) within group (order by wait)))::int as seconds,
      count(*)::int as leads from firsts`
  return median!
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
