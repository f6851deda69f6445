import { readCounts } from '../counts/read-counts.ts'
import { callCounts, unassigned } from '../counts/tables.ts'
import { type Actor, actorIn, readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import type { Sql, TransactionSql } from '../database/sql.ts'
import type { DateWindow } from '../http/date-window.ts'
import { type CountedPage, instant, readingPage, readPage, startIn } from '../leads/list-page.ts'
import type { CallSearch } from './contract.ts'
import { isMissed, needsCallback } from './missed.ts'

/** `assigned_to` is the email of a user, or `nobody`. */
export interface CallListQuery extends Pick<CallSearch, 'lead_id' | 'call_type' | 'outcome' | 'assigned_to'> {
  window: DateWindow
  missed?: boolean
  callback?: boolean
  limit: number
  offset: number
}

/** In characters. A list of long notes stays small; a single call is answered with all of its notes. */
const notesLength = 500

/** The web app's list counts no further. */
const maxCounted = 100_000

/** Returns a page of calls for the web app, with the name and phone of their leads and shortened notes. */
export async function listCallsForWeb(
  database: Database,
  actor: Actor,
  query: CallListQuery,
): Promise<CountedPage & { capped: boolean }> {
  const options = { columns: 'web', countAtMost: maxCounted + 1 } as const
  const { total, rows } = hasUncountedFilter(query)
    ? await readAsActor(database, actor, async (tx) => {
        // How many calls a filter leaves differs too much for one plan.
        await tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
        return listCalls(tx, actor, query, options)
      })
    : await readingPage(database, query)(actor, (sql) => listCalls(sql, actor, query, options))
  const capped = total > maxCounted && hasUncountedFilter(query)
  return { total: capped ? maxCounted : total, capped, rows }
}

/** The daily counts are kept by day, call type and assignee only. */
const hasUncountedFilter = ({ lead_id, outcome, missed, callback }: CallListQuery) =>
  Boolean(lead_id || outcome || missed || callback)

/**
 * Returns a page of calls, newest first, and the total, in one round trip. The daily counts give the total and the day
 * on which the offset falls, and the page is read from the end of that day. If a filter is not in the daily counts, the
 * matching calls are counted by day instead, at most `countAtMost` of the newest.
 */
export async function listCalls(
  sql: Sql | TransactionSql,
  actor: Actor,
  query: CallListQuery,
  { columns = 'api', countAtMost }: { columns?: 'api' | 'web'; countAtMost?: number } = {},
): Promise<CountedPage> {
  const { window, limit, offset, lead_id, call_type, outcome, assigned_to, missed, callback } = query
  const isUnassigned = assigned_to === 'nobody'
  // The calls of one lead are few: row-level security alone selects those that the actor sees.
  const byUser = !isUnassigned && (assigned_to !== undefined || (actor.sees !== 'all' && lead_id === undefined))
  const ofType = call_type ? sql`and calls.call_type = ${call_type}` : sql``
  const matching = sql`calls.account_id = ${actor.account_id} and calls.called_at >= ${window.from} ${ofType}
    ${isUnassigned ? sql`and calls.assigned_to is null` : sql``}
    ${lead_id ? sql`and calls.lead_id = ${lead_id}` : sql``} ${outcome ? sql`and calls.outcome = ${outcome}` : sql``}
    ${callback ? sql`and ${needsCallback(sql, actor.account_id)}` : missed ? sql`and ${isMissed(sql)}` : sql``}`
  const ofUsers = byUser ? sql`and calls.assigned_to in (select id from people)` : sql``

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
  const countedDays = sql`select day, sum(n) as n from ${counts} group by day`
  const daysOfCalls = sql`select (called_at at time zone interval '05:30')::date as day, count(*) as n from (
      select called_at from call_logs calls
      where ${matching} and calls.account_id = actor.account_id and calls.called_at < ${window.until} ${ofUsers}
      ${countAtMost === undefined ? sql`` : sql`order by calls.called_at desc, calls.id desc limit ${countAtMost}`}
    ) newest group by 1`
  const callsOfAll = sql`select calls.* from call_logs calls where ${matching} and calls.called_at < start.until`
  const callsOfUsers = sql`select theirs.* from people, lateral (
      select calls.* from call_logs calls
      where ${matching} and calls.assigned_to = people.id and calls.called_at < start.until
      order by calls.called_at desc, calls.id desc limit ${limit}::bigint + start.skip
    ) theirs`

  return readPage(
    sql`
    with ${actorIn(sql, actor)},
    ${byUser ? sql`${assigneesIn(sql, actor, assigned_to)},` : sql``}
    days as materialized (
      select counted.day, counted.n from actor, lateral (
        ${hasUncountedFilter(query) ? daysOfCalls : countedDays}
      ) counted where counted.n > 0
    ),
    ${startIn(sql, window, offset)},
    page as (
      select calls.* from start, lateral (
        ${byUser ? callsOfUsers : callsOfAll}
        order by called_at desc, id desc limit ${limit}::bigint offset start.skip
      ) calls
    )
    select coalesce((select sum(n) from days), 0) as total, (
      select coalesce(json_agg(call), '[]')::text from (
        select page.id, page.lead_id, page.call_type, page.duration_seconds, page.outcome,
          ${columns === 'web' ? webColumns(sql, actor.account_id) : sql`page.notes`},
          ${instant(sql, 'called_at')}, ${instant(sql, 'created_at')}
        from page order by page.called_at desc, page.id desc
      ) call
    ) as rows`,
  )
}

/** The assignees of a list: those that the actor sees, or the one of them with this email. */
function assigneesIn(sql: Sql | TransactionSql, actor: Actor, email: string | undefined) {
  return sql`people as materialized (
    select theirs.id from actor, lateral (
      select id from users where account_id = ${actor.account_id} and account_id = actor.account_id
        ${actor.sees === 'all' ? sql`` : sql`and id = any (${actor.sees as string[]}::uuid[])`}
        ${email === undefined ? sql`` : sql`and lower(email) = ${email.toLowerCase()}`}
      offset 0
    ) theirs
  )`
}

const webColumns = (sql: Sql | TransactionSql, accountId: string) => sql`
  case when length(page.notes) > ${notesLength} then left(page.notes, ${notesLength}) || '…' else page.notes end as notes,
  coalesce(length(page.notes) > ${notesLength}, false) as notes_cut,
  (select email from users where account_id = ${accountId} and id = page.called_by) as called_by,
  (select name from leads where account_id = ${accountId} and id = page.lead_id) as lead_name,
  (select phone from leads where account_id = ${accountId} and id = page.lead_id) as lead_phone,
  (select email from users where account_id = ${accountId} and id = page.assigned_to) as assigned_to,
  (select ${needsCallback(sql, accountId)} from (select page.*) calls) as unreturned`
