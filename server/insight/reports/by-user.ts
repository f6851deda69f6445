import { isGoingCold, isOverdue } from '../../crm/leads/follow-up.ts'
import type { Actor } from '../../platform/database/actor.ts'
import type { Statement, TransactionSql } from '../../platform/database/sql.ts'
import { isMissed, needsCallback } from '../../telephony/calls/missed.ts'
import type { CurrentFigures, UserFigures } from './contract.ts'
import type { ComparedPeriods } from './period.ts'

/** Whose leads and calls a report counts. */
export interface ReportFilters {
  periods: ComparedPeriods
  source: string | undefined
  /** Ids of the users of the report; null: all, with unassigned leads and calls of no known user. */
  users: string[] | null
}

/** Null for unassigned leads, and for calls of no known user. */
type Of<Figures> = Figures & { user_id: string | null; before: boolean }

/** The owners as a condition for the plan. Row-level security decides what is visible. */
const ofUsers = (tx: TransactionSql, column: string, { users }: ReportFilters): Statement =>
  users === null ? tx`` : tx`and ${tx(column)} = any (${users}::uuid[])`

const ofSource = (tx: TransactionSql, { source }: ReportFilters): Statement =>
  source === undefined ? tx`` : tx`and leads.source = ${source}`

/** Both periods, the later one last, as a condition on leads. */
export const createdIn = (tx: TransactionSql, filters: ReportFilters): Statement =>
  tx`leads.created_at >= ${filters.periods.before.from}
    and leads.created_at < ${filters.periods.now.until} ${ofUsers(tx, 'assigned_to', filters)} ${ofSource(tx, filters)}`

/**
 * Counts the leads that were created in the periods, by owner and by why they are lost, from an index that has all that is counted.
 * Leads that are not lost have no reason.
 */
export async function leadsByOwner(tx: TransactionSql, actor: Actor, filters: ReportFilters) {
  type Row = Of<Pick<UserFigures, 'leads' | 'uncalled' | 'won' | 'lost'>> & {
    lost_reason: string | null
    won_paise: string | null
  }
  return tx<Row[]>`
    select assigned_to as user_id, created_at < ${filters.periods.now.from} as before,
      case when status = 'Lost' then lost_reason end as lost_reason, count(*)::int as leads,
      count(*) filter (where status = 'New' and last_call_at is null)::int as uncalled,
      count(*) filter (where status = 'Won')::int as won, sum(deal_paise) filter (where status = 'Won') as won_paise,
      count(*) filter (where status = 'Lost')::int as lost
    from leads where account_id = ${actor.account_id} and ${createdIn(tx, filters)} group by 1, 2, 3`
}

/** Returns how long called leads waited for their first call, in seconds, by owner and of all. Sorting numbers is faster than sorting owners too. */
export async function timesToFirstCall(tx: TransactionSql, actor: Actor, filters: ReportFilters) {
  return tx<(Of<{ median: number; p90: number }> & { of_all: boolean })[]>`
    with collected as materialized (
      select assigned_to as user_id, created_at < ${filters.periods.now.from} as before,
        array_agg(extract(epoch from first_call_at - created_at)::int) as waits
      from leads where account_id = ${actor.account_id} and ${createdIn(tx, filters)} and first_call_at is not null group by 1, 2
    )
    select user_id, before, false as of_all, median, p90 from collected cross join lateral (
      select percentile_cont(0.5) within group (order by wait) as median,
        percentile_cont(0.9) within group (order by wait) as p90
      from unnest(waits) as wait
    ) of_user
    union all
    select null, before, true, percentile_cont(0.5) within group (order by wait),
      percentile_cont(0.9) within group (order by wait)
    from collected, unnest(waits) as wait group by before`
}

/** Counts calls by who called or answered. Of other users, only Admins see the calls. */
export async function callsByCaller(tx: TransactionSql, actor: Actor, filters: ReportFilters) {
  const { before, now } = filters.periods
  type Row = Of<Pick<UserFigures, 'calls' | 'connected'>> & { talk_seconds: string }
  return tx<Row[]>`
    select called_by as user_id, called_at < ${now.from} as before,
      count(*) filter (where call_type = 'Outbound')::int as calls, count(*) filter (where connected)::int as connected,
      coalesce(sum(duration_seconds) filter (where connected), 0) as talk_seconds
    from (
      select called_by, called_at, call_type, duration_seconds, outcome = 'Completed' and duration_seconds > 0 as connected
      from call_logs calls ${joinSource(tx, actor, filters)}
      where calls.account_id = ${actor.account_id} and called_at >= ${before.from} and called_at < ${now.until}
        ${ofUsers(tx, 'called_by', filters)} ${visibleCalls(tx, actor)} ${ofSource(tx, filters)}
    ) calls group by 1, 2`
}

/** Counts missed inbound calls, and those that need a callback, by the owner of the lead. */
export async function missedByOwner(tx: TransactionSql, actor: Actor, filters: ReportFilters) {
  const { before, now } = filters.periods
  return tx<Of<Pick<UserFigures, 'missed' | 'unreturned'>>[]>`
    select user_id, before, count(*)::int as missed, count(*) filter (where unreturned)::int as unreturned from (
      select calls.assigned_to as user_id, called_at < ${now.from} as before,
        ${needsCallback(tx, actor.account_id)} as unreturned
      from call_logs calls ${joinSource(tx, actor, filters)}
      where calls.account_id = ${actor.account_id} and called_at >= ${before.from} and called_at < ${now.until}
        and ${isMissed(tx)} and calls.call_type = 'Inbound' ${ofUsers(tx, 'calls.assigned_to', filters)}
        ${visibleCalls(tx, actor)} ${ofSource(tx, filters)}
    ) missed group by 1, 2`
}

const joinSource = (tx: TransactionSql, { account_id }: Actor, { source }: ReportFilters): Statement =>
  source === undefined ? tx`` : tx`join leads on leads.account_id = ${account_id} and leads.id = calls.lead_id`

const visibleCalls = (tx: TransactionSql, { sees }: Actor): Statement =>
  sees === 'all' ? tx`` : tx`and calls.assigned_to = any (${sees as string[]}::uuid[])`

/** Counts leads with an overdue call back, and those going cold, by owner: as they are now, of all days. */
export async function currentByOwner(
  tx: TransactionSql,
  actor: Actor,
  { filters, now, coldBefore }: { filters: ReportFilters; now: Date; coldBefore: Date },
) {
  const among = tx`${ofUsers(tx, 'assigned_to', filters)} ${ofSource(tx, filters)}`
  return tx<(CurrentFigures & { user_id: string | null })[]>`
    select user_id, sum(overdue)::int as overdue, sum(going_cold)::int as going_cold from (
      select assigned_to as user_id, count(*) as overdue, 0 as going_cold from leads
      where account_id = ${actor.account_id} and ${isOverdue(tx, now)} ${among} group by 1
      union all
      select assigned_to, 0, count(*) from leads
      where account_id = ${actor.account_id} and ${isGoingCold(tx, coldBefore)} ${among} group by 1
    ) counted group by 1`
}
