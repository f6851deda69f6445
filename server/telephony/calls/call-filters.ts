import { type Account, findAccount, userByEmail } from '../../access/account/users.ts'
import type { WebCaller } from '../../access/sign-in/require-session.ts'
import { unassigned } from '../../crm/counts/tables.ts'
import { newestMatches } from '../../crm/leads/newest-matches.ts'
import { ownerThen } from '../../crm/leads/owner-then.ts'
import { searchTerms } from '../../crm/leads/search-terms.ts'
import { findSources } from '../../crm/leads/source-names.ts'
import { type Actor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Sql, Statement, TransactionSql } from '../../platform/database/sql.ts'
import { allDays, type DateWindow, dateWindow, daysBeforeToday } from '../../platform/http/date-window.ts'
import type { CallSearch } from './contract.ts'
import { isMissed, needsCallback } from './missed.ts'

/** A call matches all of them. */
export interface CallFilters extends Pick<CallSearch, 'lead_id' | 'call_type' | 'outcome' | 'source'> {
  window: DateWindow
  /** Ids of the owners of the lead; null for unassigned leads. */
  owners?: string[] | null | undefined
  /** Those at the time of the call. */
  ownersAtCall?: string[] | null | undefined
  /** Ids of the users who called or answered; null for calls of no known user. */
  callers?: string[] | null | undefined
  /** Ids of the leads that match a search. */
  leads?: string[]
  /** More leads match the search. */
  leadsCapped?: boolean
  connected?: boolean
  missed?: boolean
  callback?: boolean
  minMinutes?: number | undefined
  review?: CallSearch['review']
  /** Only reviews of this user's calls are seen. */
  reviewsOf?: string | undefined
}

type Fragment = Statement

/** A search finds the calls of so many of the newest leads that match. */
export const maxLeads = 500

/** Returns the filters of a request. A search without dates covers all calls. */
export async function readFilters(
  database: Database,
  actor: WebCaller,
  query: CallSearch,
  now: Date,
): Promise<CallFilters> {
  const { lead_id, call_type, outcome, source, assigned_to, owner_at_call, called_by, search, review } = query
  const { connected, missed, unreturned } = query
  const account = await findAccount(database, actor.account_id)
  const isForAllTime = search !== undefined && query.from_date === undefined && query.to_date === undefined
  return {
    ...{ lead_id, call_type, outcome },
    source: source === undefined ? undefined : (await findSources(database, actor, [source]))[0],
    window: dateWindow(isForAllTime ? allDays : query, now, daysBeforeToday.web),
    owners: assigned_to === 'nobody' ? null : idsOf(account, assigned_to),
    ownersAtCall: owner_at_call === 'nobody' ? null : idsOf(account, owner_at_call),
    callers: called_by === 'unknown' ? null : idsOf(account, called_by),
    connected: connected === 'true',
    missed: missed === 'true',
    callback: unreturned === 'true',
    minMinutes: query.min_minutes,
    review,
    reviewsOf: actor.user.role === 'Agent' ? actor.user_id : undefined,
    ...(search === undefined ? {} : await findLeads(database, actor, account, search)),
  }
}

/** An unknown email matches no call. */
function idsOf(account: Account, email: string | undefined): string[] | undefined {
  if (email === undefined) return undefined
  const user = userByEmail(account, email)
  return user ? [user.id] : []
}

async function findLeads(database: Database, actor: Actor, { country }: Account, search: string) {
  const leads = await readAsActor(database, actor, async (tx) => {
    // How many leads a prefix leaves differs too much for one plan.
    await tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
    return newestMatches(tx, actor, searchTerms(search, country), maxLeads + 1)
  })
  return { leads: leads.slice(0, maxLeads), leadsCapped: leads.length > maxLeads }
}

/** The calls of the filters' leads as an item of FROM: as `calls`, all if there was no search. These are few, and found by their lead. */
export function callsOfLeads(sql: Sql | TransactionSql, { account_id }: Actor, { leads }: CallFilters): Fragment {
  if (!leads) return sql`call_logs calls`
  return sql`(select * from call_logs where account_id = ${account_id} and lead_id = any (${leads}::uuid[]) offset 0) calls`
}

/** The filters as a condition on `calls`, without the owners and the end of the window. */
export function matchesFilters(sql: Sql | TransactionSql, actor: Actor, filters: CallFilters): Fragment {
  const { account_id } = actor
  const { window, lead_id, call_type, outcome, source, ownersAtCall, callers, connected, missed, callback } = filters
  const { minMinutes, review } = filters
  return sql`calls.account_id = ${account_id} and calls.called_at >= ${window.from}
    ${call_type ? sql`and calls.call_type = ${call_type}` : sql``} ${lead_id ? sql`and calls.lead_id = ${lead_id}` : sql``}
    ${outcome ? sql`and calls.outcome = ${outcome}` : sql``} ${isOneOf(sql, sql`calls.called_by`, callers)} ${isOneOf(sql, ownerAtCall(sql, actor), ownersAtCall)}
    ${source ? sql`and exists (select from leads where account_id = ${account_id} and id = calls.lead_id and source = ${source})` : sql``}
    ${minMinutes ? sql`and calls.duration_seconds >= ${minMinutes * 60}` : sql``} ${review ? sql`and ${hasReview(sql, review, filters)}` : sql``}
    ${connected ? sql`and calls.outcome = 'Completed' and calls.duration_seconds > 0` : sql``}
    ${callback ? sql`and ${needsCallback(sql, account_id)}` : missed ? sql`and ${isMissed(sql)}` : sql``}`
}

/** The owners as a condition on `calls`. Those that the actor sees are named for the plan; the policy enforces them. */
export function hasOwner(sql: Sql | TransactionSql, { sees }: Actor, { owners }: CallFilters): Fragment {
  return isOneOf(sql, sql`calls.assigned_to`, owners === undefined && sees !== 'all' ? [...sees] : owners)
}

function hasReview(sql: Sql | TransactionSql, review: NonNullable<CallFilters['review']>, filters: CallFilters) {
  const isSeen = seesReview(sql, filters)
  // As in the partial index of reviewed calls.
  if (review === 'reviewed') return sql`calls.review is not null and ${isSeen}`
  if (review === 'not_reviewed') return sql`not (calls.review is not null and ${isSeen})`
  return sql`calls.review = ${review === 'good' ? 'Good' : 'To improve'} and ${isSeen}`
}

/** Whether the user sees the review of `calls`, if there is one. */
export const seesReview = (sql: Sql | TransactionSql, { reviewsOf }: CallFilters): Fragment =>
  reviewsOf === undefined ? sql`true` : sql`calls.called_by is not distinct from ${reviewsOf}`

/** Who owned the lead of `calls` when it was called. Null: it was unassigned. */
export const ownerAtCall = (sql: Sql | TransactionSql, actor: Actor): Fragment =>
  ownerThen(sql, actor, {
    past: sql`nullif(coalesce(calls.assignee_at_call, calls.assigned_to), ${unassigned})`,
    current: sql`calls.assigned_to`,
  })

function isOneOf(sql: Sql | TransactionSql, column: Fragment, ids: string[] | null | undefined): Fragment {
  if (ids === undefined) return sql``
  if (ids === null) return sql`and ${column} is null`
  // One id is compared with `=`, for which an index gives the order.
  return ids.length === 1 ? sql`and ${column} = ${ids[0]!}` : sql`and ${column} = any (${ids}::uuid[])`
}
