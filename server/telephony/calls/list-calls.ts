import { readCounts } from '../../crm/counts/read-counts.ts'
import { callCounts, unassigned } from '../../crm/counts/tables.ts'
import { type CountedPage, instant, readingPage, readPage, startIn } from '../../crm/leads/list-page.ts'
import { type Actor, actorIn, maySee, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Sql, Statement, TransactionSql } from '../../platform/database/sql.ts'
import { type CallFilters, callsOfLeads, hasOwner, matchesFilters, seesReview } from './call-filters.ts'
import type { CallSort } from './contract.ts'
import { needsCallback } from './missed.ts'

export interface CallListQuery extends CallFilters {
  limit: number
  offset: number
  /** By default the newest first. */
  sort?: CallSort | undefined
}

/** In characters. A list of long notes stays small; a single call is answered with all of its notes. */
const notesLength = 500

/** The web app's list counts no further, and the longest calls are those of so many of the newest. */
export const maxCounted = 100_000

/** Returns a page of calls for the web app, with the name and phone of their leads and shortened notes. */
export async function listCallsForWeb(
  database: Database,
  actor: Actor,
  query: CallListQuery,
): Promise<CountedPage & { capped: boolean }> {
  const options = { columns: 'web', countAtMost: maxCounted + 1 } as const
  const { total, rows } = isUncounted(query)
    ? await readAsActor(database, actor, async (tx) => {
        // How many calls a filter leaves differs too much for one plan.
        await tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
        return listCalls(tx, actor, query, options)
      })
    : await readingPage(database, query)(actor, (sql) => listCalls(sql, actor, query, options))
  const isMore = total > maxCounted && isUncounted(query)
  return { total: isMore ? maxCounted : total, capped: isMore || query.leadsCapped === true, rows }
}

/** The daily counts are kept by day, call type and assignee only, and lead to pages of the newest first. */
const isUncounted = ({ ownersAtCall, callers, sort = 'newest', ...filters }: CallListQuery) => {
  const { lead_id, outcome, source, leads, connected, missed, callback, minMinutes, review } = filters
  const given = Boolean(lead_id || outcome || source || leads || connected || missed || callback)
  const isOther = Boolean(minMinutes || review) || sort !== 'newest'
  return given || isOther || ownersAtCall !== undefined || callers !== undefined
}

interface Options {
  columns?: 'api' | 'web'
  /** Counts no further where the daily counts do not know the total. */
  countAtMost?: number
}

/** Returns a page of calls and the total, in one round trip. */
export function listCalls(
  sql: Sql | TransactionSql,
  actor: Actor,
  query: CallListQuery,
  { columns = 'api', countAtMost }: Options = {},
): Promise<CountedPage> {
  const { total, page } = isUncounted(query)
    ? matchingPage(sql, actor, query, countAtMost)
    : countedPage(sql, actor, query)
  return readPage(
    sql`
    with ${actorIn(sql, actor)}, ${page}
    select ${total} as total, (
      select coalesce(json_agg(call), '[]')::text from (
        select page.id, page.lead_id, page.call_type, page.duration_seconds, page.outcome,
          ${columns === 'web' ? webColumns(sql, actor.account_id, query) : sql`page.notes`},
          ${instant(sql, 'called_at')}, ${instant(sql, 'created_at')}
        from page order by ${orderOf(sql, query, 'page')}
      ) call
    ) as rows`,
  )
}

function orderOf(sql: Sql | TransactionSql, { sort }: CallListQuery, table: 'page' | 'matching'): Statement {
  const of = sql(table)
  if (sort === 'oldest') return sql`${of}.called_at, ${of}.id`
  const byDuration = sort === 'longest' ? sql`${of}.duration_seconds desc,` : sql``
  return sql`${byDuration} ${of}.called_at desc, ${of}.id desc`
}

/** Finds all matching calls, at most `countAtMost` of the newest, or of the oldest. These are counted, and have the page. */
function matchingPage(sql: Sql | TransactionSql, actor: Actor, query: CallListQuery, countAtMost: number | undefined) {
  const { window, lead_id, owners, limit, offset } = query
  // The calls of one lead are few: row-level security alone selects those that the actor sees.
  const ofOwners = lead_id && owners === undefined ? sql`` : hasOwner(sql, actor, query)
  const page = sql`matching as materialized (
      select found.* from actor, lateral (
        select calls.id, calls.called_at, calls.duration_seconds from ${callsOfLeads(sql, actor, query)}
        where ${matchesFilters(sql, actor, query)} and calls.account_id = actor.account_id
          and calls.called_at < ${window.until} ${ofOwners}
        order by ${query.sort === 'oldest' ? sql`calls.called_at, calls.id` : sql`calls.called_at desc, calls.id desc`}
        ${countAtMost === undefined ? sql`` : sql`limit ${countAtMost}`}
      ) found
    ),
    page as (
      select calls.* from (
        select account_id, id from actor, matching order by ${orderOf(sql, query, 'matching')} limit ${limit}::bigint offset ${offset}::bigint
      ) ids, lateral (
        select * from call_logs
        where account_id = ${actor.account_id} and call_logs.account_id = ids.account_id and call_logs.id = ids.id offset 0
      ) calls
    )`
  return { total: sql`(select count(*) from matching)`, page }
}

/** The daily counts give the total and the day on which the offset falls, and the page is read from the end of that day. */
function countedPage(sql: Sql | TransactionSql, actor: Actor, query: CallListQuery) {
  const { window, limit, offset, call_type, owners } = query
  const isUnassigned = owners === null
  const byUser = !isUnassigned && (owners !== undefined || actor.sees !== 'all')
  const matching = sql`${matchesFilters(sql, actor, query)} ${isUnassigned ? hasOwner(sql, actor, query) : sql``}`

  const counts = readCounts(sql, callCounts, {
    within: sql`account_id = ${actor.account_id} and account_id = actor.account_id
      and day between ${window.first_day} and ${window.last_day}`,
    where: {
      call_type: call_type && sql`call_type = ${call_type}`,
      assigned_to: isUnassigned
        ? sql`assigned_to = ${unassigned}`
        : byUser
          ? sql`assigned_to in (select id from people)`
          : undefined,
    },
  })
  const callsOfAll = sql`select calls.* from call_logs calls where ${matching} and calls.called_at < start.until`
  const callsOfUsers = sql`select theirs.* from people, lateral (
      select calls.* from call_logs calls
      where ${matching} and calls.assigned_to = people.id and calls.called_at < start.until
      order by calls.called_at desc, calls.id desc limit ${limit}::bigint + start.skip
    ) theirs`
  const page = sql`${byUser ? sql`${assigneesIn(sql, actor, owners)},` : sql``}
    days as materialized (
      select counted.day, counted.n from actor, lateral (select day, sum(n) as n from ${counts} group by day) counted
      where counted.n > 0
    ),
    ${startIn(sql, window, offset)},
    page as (
      select calls.* from start, lateral (
        ${byUser ? callsOfUsers : callsOfAll}
        order by called_at desc, id desc limit ${limit}::bigint offset start.skip
      ) calls
    )`
  return { total: sql`coalesce((select sum(n) from days), 0)`, page }
}

/** The assignees of a list: those that the actor sees, or those of them with these ids. */
function assigneesIn(sql: Sql | TransactionSql, actor: Actor, ids?: string[]) {
  const seen = ids ? ids.filter((id) => maySee(actor, id)) : actor.sees
  return sql`people as materialized (
    select theirs.id from actor, lateral (
      select id from users where account_id = ${actor.account_id} and account_id = actor.account_id
        ${seen === 'all' ? sql`` : sql`and id = any (${[...seen]}::uuid[])`}
      offset 0
    ) theirs
  )`
}

const webColumns = (sql: Sql | TransactionSql, accountId: string, filters: CallFilters) => sql`
  case when length(page.notes) > ${notesLength} then left(page.notes, ${notesLength}) || '…' else page.notes end as notes,
  coalesce(length(page.notes) > ${notesLength}, false) as notes_cut,
  (select email from users where account_id = ${accountId} and id = page.called_by) as called_by,
  (select name from users where account_id = ${accountId} and id = page.called_by) as called_by_name,
  page.agent, coalesce(page.recording_url ~* '^https?://', false) as has_recording,
  (select name from leads where account_id = ${accountId} and id = page.lead_id) as lead_name,
  (select phone from leads where account_id = ${accountId} and id = page.lead_id) as lead_phone,
  (select email from users where account_id = ${accountId} and id = page.assigned_to) as assigned_to,
  (select ${needsCallback(sql, accountId)} from (select page.*) calls) as unreturned,
  (select case when review is not null and ${seesReview(sql, filters)} then json_build_object('mark', review,
      'remark', review_remark, 'by', (select name from users where account_id = ${accountId} and id = calls.reviewed_by),
      'at', left(to_json(reviewed_at)#>>'{}', 19) || 'Z') end from (select page.*) calls) as review`
