import type { Sql, TransactionSql } from 'postgres'
import { type Actor, actorIn } from '../database/actor.ts'
import type { DateWindow } from '../http/date-window.ts'
import { answeredColumns, storedColumns } from './columns.ts'
import type { LeadQuery } from './contract.ts'
import { countLead, countsAlike } from './counts.ts'
import { leadFieldNames } from './fields.ts'
import type { LeadFields, LeadRow, LockedLead } from './lead.ts'
import { peopleIn, startIn } from './visible.ts'

/** The leads that hold this phone or this email, locked in the order of their ids so that two merges cannot deadlock. */
export async function lockMatches(
  tx: TransactionSql,
  accountId: string,
  phoneKey: string | null,
  emailKey: string | null,
): Promise<LockedLead[]> {
  const rows = await tx<StoredLead[]>`
    select ${tx(storedColumns)} from leads
    where account_id = ${accountId} and (phone_key = ${phoneKey} or email_key = ${emailKey}) order by id for update`
  return rows.map(withNumber)
}

type StoredLead = LockedLead & { deal_value: string | null }

const withNumber = (row: StoredLead): LockedLead => ({
  ...row,
  deal_value: row.deal_value === null ? null : Number(row.deal_value),
})

const changedColumns = [...leadFieldNames, 'updated_at', 'phone_key', 'email_key'] as const

/** Writes the merged lead, and moves its counts and what carries its assignee. */
export async function writeMerge(
  tx: TransactionSql,
  accountId: string,
  before: LeadFields & { id: string; created_at: Date },
  after: LeadRow,
  keys: { phone_key: string | null; email_key: string | null },
): Promise<void> {
  await tx`update leads set ${tx({ ...after, ...keys }, ...changedColumns)}
    where account_id = ${accountId} and id = ${before.id}`
  if (!countsAlike(before, after)) {
    await countLead(tx, accountId, before.created_at, before, -1)
    await countLead(tx, accountId, before.created_at, after, 1)
  }
  if (before.assigned_to !== after.assigned_to) {
    await tx`update timeline_entries set assigned_to = ${after.assigned_to}
      where account_id = ${accountId} and lead_id = ${before.id}`
    await tx`select reassign_calls(${accountId}, ${before.id}, ${after.assigned_to})`
  }
}

/** The lead as this actor sees it, locked; null where there is none. */
export async function lockLead(tx: TransactionSql, accountId: string, id: string): Promise<LockedLead | null> {
  const [row] = await tx<StoredLead[]>`
    select ${tx(storedColumns)} from leads where account_id = ${accountId} and id = ${id} for update`
  return row ? withNumber(row) : null
}

/** Removes the lead with its calls, timeline, notes and stored answers. */
export async function deleteLead(tx: TransactionSql, accountId: string, lead: LeadRow): Promise<void> {
  await tx`select uncount_calls(${accountId}, ${lead.id})`
  await countLead(tx, accountId, lead.created_at, lead, -1)
  await tx`delete from leads where account_id = ${accountId} and id = ${lead.id}`
}

export interface LeadFilter extends Pick<LeadQuery, 'status' | 'source' | 'priority' | 'assigned_to'> {
  window: DateWindow
  limit: number
  offset: number
  /** The web app's list shows none, and they may be long. */
  withoutNotes?: boolean
}

/**
 * A page of leads, newest first, and the exact total, in one round trip. The daily counts give the total, and the day
 * that the offset falls on: rows are read from that day's end on, so a deep page costs what the first one does.
 * `rows` is JSON as PostgreSQL wrote it.
 */
export async function listLeads(sql: Sql, actor: Actor, filter: LeadFilter): Promise<{ total: number; rows: string }> {
  const { window, limit, offset, status, source, priority } = filter
  const everyone = actor.sees === 'all' && filter.assigned_to === undefined
  const fine = status !== undefined || source !== undefined || priority !== undefined
  const alike = sql`${status ? sql`and status = ${status}` : sql``} ${source ? sql`and source = ${source}` : sql``}
    ${priority ? sql`and priority = ${priority}` : sql``}`
  const [page] = await sql<{ total: string; rows: string }[]>`
    with ${actorIn(sql, actor)},
    ${everyone ? sql`` : sql`${peopleIn(sql, actor, filter.assigned_to)},`}
    days as materialized (
      select counted.day, counted.n from actor, lateral (
        select day, sum(n) as n from ${fine ? sql`lead_counts` : sql`lead_day_counts`}
        where account_id = actor.account_id and day between ${window.first_day} and ${window.last_day} ${alike}
          ${everyone ? sql`` : sql`and assigned_to in (select id from people)`}
        group by day
      ) counted where counted.n > 0
    ),
    ${startIn(sql, offset)},
    page as (
      select leads.* from start, lateral (
        ${
          everyone
            ? sql`select * from leads where account_id = ${actor.account_id} and created_at >= ${window.from}
                and created_at < start.until ${alike}`
            : sql`select theirs.* from people, lateral (
                select * from leads where account_id = ${actor.account_id} and assigned_to = people.id
                  and created_at >= ${window.from} and created_at < start.until ${alike}
                order by created_at desc, id desc limit ${limit}::bigint + start.skip
              ) theirs`
        }
        order by created_at desc, id desc limit ${limit}::bigint offset start.skip
      ) leads
    )
    select coalesce((select sum(n) from days), 0) as total, (
      select coalesce(json_agg(lead), '[]')::text from (
        select ${answeredColumns(sql, filter)}
        from page left join users on users.account_id = page.account_id and users.id = page.assigned_to
        order by page.created_at desc, page.id desc
      ) lead
    ) as rows`
  return { total: Number(page!.total), rows: page!.rows }
}
