import type { TransactionSql } from 'postgres'
import { isMissed, needsCallback } from '../calls/missed.ts'
import type { Actor } from '../database/actor.ts'
import type { DateWindow } from '../http/date-window.ts'

/** Questions of an overview. Whom the actor sees is named for the plan; the policy is the wall. */
const seen = (tx: TransactionSql, { sees }: Actor) =>
  sees === 'all' ? tx`` : tx`and assigned_to = any (${sees as string[]}::uuid[])`

interface DayCount {
  day: string
  n: number
}

/** Leads by day and source, and by day and status: from the daily counts. */
export async function countLeads(tx: TransactionSql, actor: Actor, { first_day, last_day }: DateWindow) {
  const rows = await tx<(DayCount & { source: string | null; status: string | null })[]>`
    select day::text, source, status, sum(n)::int as n from (
      select day, source, status, sum(n)::bigint as n from lead_counts
      where account_id = ${actor.account_id} and day between ${first_day} and ${last_day} ${seen(tx, actor)}
      group by day, source, status
    ) counted group by grouping sets ((day, source), (day, status)) having sum(n) > 0`
  return rows
}

/** Calls by day and outcome, counted as they stand: the daily counts do not know outcomes. */
export async function countCalls(tx: TransactionSql, actor: Actor, { from, until }: DateWindow) {
  return tx<(DayCount & { outcome: string })[]>`
    select day::text, outcome, n from (
      select (called_at at time zone interval '05:30')::date as day, outcome, count(*)::int as n from call_logs
      where account_id = ${actor.account_id} and called_at >= ${from} and called_at < ${until} ${seen(tx, actor)}
      group by 1, 2
    ) counted`
}

/** By whose the leads are: how many came, and how many calls there were with them, from the daily counts. */
export async function countPeople(tx: TransactionSql, actor: Actor, { first_day, last_day }: DateWindow) {
  const days = tx`account_id = ${actor.account_id} and day between ${first_day} and ${last_day} ${seen(tx, actor)}`
  return tx<{ assigned_to: string; leads: number; calls: number }[]>`
    select assigned_to, sum(leads)::int as leads, sum(calls)::int as calls from (
      select assigned_to, n as leads, 0 as calls from lead_day_counts where ${days}
      union all select assigned_to, 0, n from call_counts where ${days}
    ) counted group by assigned_to having sum(leads) > 0 or sum(calls) > 0`
}

/** So many of the newest calls are looked at for the time to the first. */
const mostCalls = 10_000

/**
 * From a lead's coming to the first call with it, in seconds; of the leads that came within the days, and not before the
 * oldest call looked at, since the first call of those may be one that is not.
 */
export async function medianToFirstCall(tx: TransactionSql, actor: Actor, { from, until }: DateWindow) {
  const [median] = await tx<{ seconds: number | null; leads: number }[]>`
    with calls as materialized (
      select lead_id, called_at from call_logs
      where account_id = ${actor.account_id} and called_at >= ${from} and called_at < ${until} ${seen(tx, actor)}
      order by called_at desc, id desc limit ${mostCalls}
    ), firsts as (
      select min(calls.called_at) - leads.created_at as wait
      from calls join leads on leads.account_id = ${actor.account_id} and leads.id = calls.lead_id
      where leads.created_at >= greatest(${from}::timestamptz, (
          select case when count(*) < ${mostCalls} then ${from}::timestamptz else min(called_at) end from calls
        ))
        and calls.called_at >= leads.created_at
      group by leads.id, leads.created_at
    )
    select round(extract(epoch from percentile_cont(0.5) within group (order by wait)))::int as seconds,
      count(*)::int as leads from firsts`
  return median!
}

/** Missed calls that nobody has returned, with the newest of them. */
export async function countUnreturned(tx: TransactionSql, actor: Actor, { from, until }: DateWindow) {
  const [counted] = await tx<{ missed: number; unreturned: number }[]>`
    select count(*)::int as missed, count(*) filter (where unreturned)::int as unreturned from (
      select (${needsCallback(tx, actor.account_id)}) as unreturned from call_logs calls
      where calls.account_id = ${actor.account_id} and calls.called_at >= ${from} and calls.called_at < ${until}
        and ${isMissed(tx)} and calls.call_type = 'Inbound' ${seen(tx, actor)}
    ) calls`
  return counted!
}
