import type { Sql, TransactionSql } from 'postgres'
import { type Actor, actorIn, seesText } from '../database/actor.ts'
import { type DateWindow, istDay } from '../http/date-window.ts'
import { anySlot } from '../leads/counts.ts'
import { instant, peopleIn, startIn } from '../leads/visible.ts'
import { type Caller, senderOf } from '../sign-in/caller.ts'
import type { WebCaller } from '../sign-in/require-session.ts'
import { loggedSentence } from '../timeline/sentences.ts'
import type { CallLogQuery } from './contract.ts'

export interface CallLogRow {
  id: string
  lead_id: string
  call_type: string
  duration_seconds: number
  outcome: string
  notes: string | null
  called_at: Date
  created_at: Date
}

/** One round trip. False when the actor sees no such lead. */
export async function createCallLog(
  sql: Sql | TransactionSql,
  actor: Caller | WebCaller,
  call: CallLogRow,
): Promise<boolean> {
  const details = { via: actor.via, via_id: actor.via_id, call_log_id: call.id }
  const [row] = await sql`select create_call_log(
    ${actor.account_id}, ${actor.user_id}, ${seesText(actor)}, ${call.id}, ${call.lead_id}, ${call.call_type},
    ${call.duration_seconds}, ${call.outcome}, ${call.notes}, ${call.called_at}, ${call.created_at},
    ${istDay(call.called_at)}, ${anySlot()}, ${loggedSentence(senderOf(actor), call)}, ${sql.json(details)}, ${actor.via},
    ${actor.via_id}) as done`
  return row!.done
}

/** Null when the actor sees none. */
export async function findCallLog(tx: TransactionSql, accountId: string, id: string): Promise<CallLogRow | null> {
  const [call] = await tx<CallLogRow[]>`
    select id, lead_id, call_type, duration_seconds, outcome, notes, called_at, created_at from call_logs
    where account_id = ${accountId} and id = ${id}`
  return call ?? null
}

/**
 * Deletes the call log and takes it out of the counts. Null when the actor sees none. Its lead is locked first, as it
 * is by whoever deletes or reassigns the lead with all its calls: the other way round the two would wait for each other.
 */
export async function deleteCallLog(tx: TransactionSql, accountId: string, id: string) {
  await tx`select id from leads where account_id = ${accountId}
    and id = (select lead_id from call_logs where account_id = ${accountId} and id = ${id}) for share`
  const [call] = await tx<(CallLogRow & { assigned_to: string | null })[]>`
    delete from call_logs where account_id = ${accountId} and id = ${id}
    returning id, lead_id, call_type, duration_seconds, outcome, called_at, assigned_to`
  if (!call) return null
  await tx`select count_calls(${accountId}, ${istDay(call.called_at)}, ${call.call_type}, ${call.assigned_to}, -1)`
  return call
}

export interface CallLogFilter extends Pick<CallLogQuery, 'lead_id' | 'call_type'> {
  window: DateWindow
  limit: number
  offset: number
}

/**
 * A page of call logs, newest call first, and the exact total, in one round trip: as `listLeads` does it. The calls of
 * one lead are few, and are counted as they stand.
 */
export async function listCallLogs(
  sql: Sql,
  actor: Actor,
  filter: CallLogFilter,
): Promise<{ total: number; rows: string }> {
  const { window, limit, offset, lead_id, call_type } = filter
  const everyone = actor.sees === 'all' || lead_id !== undefined
  const alike = call_type ? sql`and call_type = ${call_type}` : sql``
  const within = sql`account_id = ${actor.account_id} and called_at >= ${window.from} ${alike}`
  const [page] = await sql<{ total: string; rows: string }[]>`
    with ${actorIn(sql, actor)},
    ${everyone ? sql`` : sql`${peopleIn(sql, actor, undefined)},`}
    days as materialized (
      select counted.day, counted.n from actor, lateral (
        ${
          lead_id === undefined
            ? sql`select day, sum(n) as n from call_counts
                where account_id = actor.account_id and day between ${window.first_day} and ${window.last_day} ${alike}
                  ${everyone ? sql`` : sql`and assigned_to in (select id from people)`}
                group by day`
            : sql`select (called_at at time zone interval '05:30')::date as day, count(*) as n from call_logs
                where ${within} and account_id = actor.account_id and lead_id = ${lead_id} and called_at < ${window.until}
                group by 1`
        }
      ) counted where counted.n > 0
    ),
    ${startIn(sql, offset)},
    page as (
      select calls.* from start, lateral (
        ${
          everyone
            ? sql`select * from call_logs where ${within} and called_at < start.until
                ${lead_id === undefined ? sql`` : sql`and lead_id = ${lead_id}`}`
            : sql`select theirs.* from people, lateral (
                select * from call_logs where ${within} and assigned_to = people.id and called_at < start.until
                order by called_at desc, id desc limit ${limit}::bigint + start.skip
              ) theirs`
        }
        order by called_at desc, id desc limit ${limit}::bigint offset start.skip
      ) calls
    )
    select coalesce((select sum(n) from days), 0) as total, (
      select coalesce(json_agg(call), '[]')::text from (
        select page.id, page.lead_id, page.call_type, page.duration_seconds, page.outcome, page.notes,
          ${instant(sql, 'called_at')}, ${instant(sql, 'created_at')}
        from page order by page.called_at desc, page.id desc
      ) call
    ) as rows`
  return { total: Number(page!.total), rows: page!.rows }
}
