import type { Sql } from 'postgres'
import { type Actor, actorIn } from '../database/actor.ts'
import { answeredRows } from './columns.ts'
import { countsFor, fieldConditions, type LeadFilters } from './lead-filters.ts'
import { assigneesIn, startIn } from './visible.ts'

export interface NewestQuery extends Pick<LeadFilters, 'window' | 'status' | 'source' | 'priority'> {
  assignee?: { email: string } | undefined
  limit: number
  offset: number
  withoutNotes?: boolean
}

/**
 * Reads a page of leads, newest first, and the exact total, in one round trip. The daily counts give the total and the day
 * that the offset falls on. Rows are read from the end of that day on, so that a deep page costs as much as the first one.
 */
export async function newestLeads(
  sql: Sql,
  actor: Actor,
  query: NewestQuery,
): Promise<{ total: number; rows: string }> {
  const { window, assignee, limit, offset } = query
  const ofEveryone = actor.sees === 'all' && assignee === undefined
  const conditions = fieldConditions(sql, query)
  const [page] = await sql<{ total: string; rows: string }[]>`
    with ${actorIn(sql, actor)},
    ${ofEveryone ? sql`` : sql`${assigneesIn(sql, actor, assignee?.email)},`}
    days as materialized (
      select counted.day, counted.n from actor, lateral (
        select day, sum(n) as n from ${countsFor(sql, query)}
        where account_id = actor.account_id and day between ${window.first_day} and ${window.last_day} ${conditions}
          ${ofEveryone ? sql`` : sql`and assigned_to in (select id from people)`}
        group by day
      ) counted where counted.n > 0
    ),
    ${startIn(sql, offset)},
    page as (
      select leads.* from start, lateral (
        ${
          ofEveryone
            ? sql`select * from leads where account_id = ${actor.account_id} and created_at >= ${window.from}
                and created_at < start.until ${conditions}`
            : sql`select theirs.* from people, lateral (
                select * from leads where account_id = ${actor.account_id} and assigned_to = people.id
                  and created_at >= ${window.from} and created_at < start.until ${conditions}
                order by created_at desc, id desc limit ${limit}::bigint + start.skip
              ) theirs`
        }
        order by created_at desc, id desc limit ${limit}::bigint offset start.skip
      ) leads
    )
    select coalesce((select sum(n) from days), 0) as total,
      ${answeredRows(sql, sql`page`, sql`page.created_at desc, page.id desc`, query)}`
  return { total: Number(page!.total), rows: page!.rows }
}
