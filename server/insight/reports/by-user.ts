import type { LeadStatus } from '../../crm/leads/contract.ts'
import { isGoingCold, isOverdue } from '../../crm/leads/follow-up.ts'
import { closingOwner, firstOwner } from '../../crm/leads/owner-then.ts'
import type { Actor } from '../../platform/database/actor.ts'
import type { Statement, TransactionSql } from '../../platform/database/sql.ts'
import { ownerAtCall } from '../../telephony/calls/call-filters.ts'
import { isMissed, needsCallback } from '../../telephony/calls/missed.ts'
import type { CurrentFigures, OpenStatus, UserFigures } from './contract.ts'
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
const isOfUsers = (tx: TransactionSql, column: Statement, { users }: ReportFilters): Statement =>
  users === null ? tx`true` : tx`${column} = any (${users}::uuid[])`

const ofUsers = (tx: TransactionSql, column: Statement, filters: ReportFilters): Statement =>
  filters.users === null ? tx`` : tx`and ${isOfUsers(tx, column, filters)}`

const ofSource = (tx: TransactionSql, { source }: ReportFilters): Statement =>
  source === undefined ? tx`` : tx`and leads.source = ${source}`

/** Both periods as a condition on a time. Days between them are in neither. */
function inPeriods(tx: TransactionSql, time: Statement, { periods: { before, now } }: ReportFilters): Statement {
  const isBetween = before.until < now.from
  return tx`${time} >= ${before.from} and ${time} < ${now.until}
    ${isBetween ? tx`and (${time} < ${before.until} or ${time} >= ${now.from})` : tx``}`
}

const createdInPeriods = (tx: TransactionSql, filters: ReportFilters): Statement =>
  tx`${inPeriods(tx, tx`leads.created_at`, filters)} ${ofSource(tx, filters)}`

/** Whether a new lead counts for the users who owned it first. */
export const isNewOfUsers = (tx: TransactionSql, actor: Actor, filters: ReportFilters): Statement =>
  isOfUsers(tx, firstOwner(tx, actor), filters)

/** Whether a new lead waits for its first call, of the users who own it now. */
export const isUncalled = (tx: TransactionSql, filters: ReportFilters): Statement =>
  tx`status = 'New' and last_call_at is null ${ofUsers(tx, tx`leads.assigned_to`, filters)}`

/** Leads that were created in the periods, and count as new or as uncalled. */
export const createdIn = (tx: TransactionSql, actor: Actor, filters: ReportFilters): Statement =>
  tx`${createdInPeriods(tx, filters)} and (${isNewOfUsers(tx, actor, filters)} or ${isUncalled(tx, filters)})`

/** Leads that were won or lost in the periods. */
export const closedIn = (tx: TransactionSql, actor: Actor, filters: ReportFilters): Statement =>
  tx`closed_at is not null and ${inPeriods(tx, tx`closed_at`, filters)}
    ${ofUsers(tx, closingOwner(tx, actor), filters)} ${ofSource(tx, filters)}`

/**
 * Counts the leads that were created in the periods, by who owned them first, status and, if they are lost, last open status, and the
 * uncalled ones by who owns them now (`owner_now`), from an index that has all that is counted.
 */
export async function leadsByOwner(tx: TransactionSql, actor: Actor, filters: ReportFilters) {
  type Row = Of<Pick<UserFigures, 'leads' | 'uncalled'>> & {
    owner_now: string | null
    status: LeadStatus
    lost_from: OpenStatus | null
  }
  return tx<Row[]>`
    select ${firstOwner(tx, actor)} as user_id, assigned_to as owner_now, created_at < ${filters.periods.now.from} as before, status,
      case when status = 'Lost' then status_before_close end as lost_from,
      count(*) filter (where ${isNewOfUsers(tx, actor, filters)})::int as leads, count(*) filter (where ${isUncalled(tx, filters)})::int as uncalled
    from leads where account_id = ${actor.account_id} and ${createdIn(tx, actor, filters)} group by 1, 2, 3, 4, 5`
}

/**
 * Counts the leads that were won or lost in the periods, by who owned them then, and the lost ones by their last open status and by why,
 * from an index that has all that is counted.
 */
export async function closedByOwner(tx: TransactionSql, actor: Actor, filters: ReportFilters) {
  type Row = Of<Pick<UserFigures, 'won' | 'lost'>> & {
    lost_reason: string | null
    lost_from: OpenStatus | null
    won_paise: string | null
  }
  return tx<Row[]>`
    select ${closingOwner(tx, actor)} as user_id, closed_at < ${filters.periods.now.from} as before,
      case when status = 'Lost' then lost_reason end as lost_reason, case when status = 'Lost' then status_before_close end as lost_from,
      count(*) filter (where status = 'Won')::int as won, sum(deal_paise) filter (where status = 'Won') as won_paise,
      count(*) filter (where status = 'Lost')::int as lost
    from leads where account_id = ${actor.account_id} and ${closedIn(tx, actor, filters)} group by 1, 2, 3, 4`
}

/** Returns how long called leads waited for their first call, in seconds, by first owner and of all. Sorting numbers is faster than sorting owners too. */
export async function timesToFirstCall(tx: TransactionSql, actor: Actor, filters: ReportFilters) {
  return tx<(Of<{ median: number; p90: number }> & { of_all: boolean })[]>`
    with collected as materialized (
      select ${firstOwner(tx, actor)} as user_id, created_at < ${filters.periods.now.from} as before,
        array_agg(extract(epoch from first_call_at - created_at)::int) as waits
      from leads where account_id = ${actor.account_id} and ${createdInPeriods(tx, filters)} and ${isNewOfUsers(tx, actor, filters)}
        and first_call_at is not null group by 1, 2
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
  type Row = Of<Pick<UserFigures, 'calls' | 'connected'>> & { talk_seconds: string }
  return tx<Row[]>`
    select called_by as user_id, called_at < ${filters.periods.now.from} as before,
      count(*) filter (where call_type = 'Outbound')::int as calls, count(*) filter (where connected)::int as connected,
      coalesce(sum(duration_seconds) filter (where connected), 0) as talk_seconds
    from (
      select called_by, called_at, call_type, duration_seconds, outcome = 'Completed' and duration_seconds > 0 as connected
      from call_logs calls ${joinSource(tx, actor, filters)}
      where calls.account_id = ${actor.account_id} and ${inPeriods(tx, tx`called_at`, filters)}
        ${ofUsers(tx, tx`called_by`, filters)} ${visibleCalls(tx, actor)} ${ofSource(tx, filters)}
    ) calls group by 1, 2`
}

/** Counts missed inbound calls, by who owned the lead then, and those that need a callback, by its owner now. */
export async function missedByOwner(tx: TransactionSql, actor: Actor, filters: ReportFilters) {
  const { users } = filters
  return tx<Of<Pick<UserFigures, 'missed' | 'unreturned'>>[]>`
    with missed as materialized (
      select ${ownerAtCall(tx, actor)} as owner_then, calls.assigned_to as owner_now, called_at < ${filters.periods.now.from} as before,
        ${needsCallback(tx, actor.account_id)} as unreturned
      from call_logs calls ${joinSource(tx, actor, filters)}
      where calls.account_id = ${actor.account_id} and ${inPeriods(tx, tx`called_at`, filters)}
        and ${isMissed(tx)} and calls.call_type = 'Inbound' ${visibleCalls(tx, actor)} ${ofSource(tx, filters)}
    )
    select user_id, before, sum(missed)::int as missed, sum(unreturned)::int as unreturned from (
      select owner_then as user_id, before, count(*) as missed, 0 as unreturned from missed group by 1, 2
      union all select owner_now, before, 0, count(*) from missed where unreturned group by 1, 2
    ) counted ${users === null ? tx`` : tx`where user_id = any (${users}::uuid[])`} group by 1, 2`
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
  const among = tx`${ofUsers(tx, tx`assigned_to`, filters)} ${ofSource(tx, filters)}`
  return tx<(CurrentFigures & { user_id: string | null })[]>`
    select user_id, sum(overdue)::int as overdue, sum(going_cold)::int as going_cold from (
      select assigned_to as user_id, count(*) as overdue, 0 as going_cold from leads
      where account_id = ${actor.account_id} and ${isOverdue(tx, now)} ${among} group by 1
      union all
      select assigned_to, 0, count(*) from leads
      where account_id = ${actor.account_id} and ${isGoingCold(tx, coldBefore)} ${among} group by 1
    ) counted group by 1`
}

/** Counts and sums open leads with a deal value, by status and the month in which they are expected to be won: as they are now, of all days. */
export async function openDeals(
  tx: TransactionSql,
  actor: Actor,
  { filters, today }: { filters: ReportFilters; today: string },
) {
  type Row = { status: OpenStatus; month: string | 'overdue' | null; leads: number; paise: string }
  return tx<Row[]>`
    select status, case when expected_close < ${today} then 'overdue' else to_char(expected_close, 'YYYY-MM') end as month,
      count(*)::int as leads, sum(deal_paise) as paise
    from leads where account_id = ${actor.account_id} and closed_at is null and deal_paise is not null
      ${ofUsers(tx, tx`assigned_to`, filters)} ${ofSource(tx, filters)} group by 1, 2`
}
