import { type Actor, actorIn, maySee } from '../../platform/database/actor.ts'
import type { Sql, Statement } from '../../platform/database/sql.ts'
import { readCounts } from '../counts/read-counts.ts'
import { leadCounts } from '../counts/tables.ts'
import { conditionsByField, fieldConditions, isByField, type LeadFilters } from './lead-filters.ts'
import { type CountedPage, readPage, startIn } from './list-page.ts'
import { responseRows, type Shown } from './response-rows.ts'

export interface NewestQuery extends Pick<LeadFilters, 'window' | 'status' | 'source' | 'priority'>, Shown {
  owner?: { id: string } | undefined
  limit: number
  offset: number
}

/**
 * Reads a page of leads, newest first, and the exact total, in one round trip. The daily counts give the total and the day
 * that the offset falls on. Rows are read from the end of that day on.
 */
export async function newestLeads(sql: Sql, actor: Actor, query: NewestQuery): Promise<CountedPage> {
  const { window, owner, offset } = query
  const people = owner ? [owner.id].filter((id) => maySee(actor, id)) : actor.sees
  const { days, page: leads } = people === 'all' ? ofEveryone(sql, actor, query) : ofPeople(sql, actor, query, people)
  return readPage(
    sql`
    with ${actorIn(sql, actor)},
    days as materialized (select counted.day, counted.n from actor, lateral (${days}) counted where counted.n > 0),
    ${startIn(sql, window, offset)},
    page as (select leads.* from start, lateral (${leads}) leads)
    select coalesce((select sum(n) from days), 0) as total,
      ${responseRows(sql, actor.account_id, sql`page`, query)}`,
  )
}

function ofEveryone(sql: Sql, { account_id }: Actor, query: NewestQuery) {
  const { window, limit, offset } = query
  const conditions = fieldConditions(sql, query)
  const counts = readCounts(sql, leadCounts, {
    within: sql`account_id = ${account_id} and account_id = actor.account_id
      and day between ${window.first_day} and ${window.last_day}`,
    where: conditionsByField(sql, query),
  })
  return {
    days: sql`select day, sum(n::integer) as n from ${counts} group by day`,
    page:
      offset > 0
        ? leadsOf(
            sql,
            account_id,
            sql`newest_leads(${account_id}, ${window.from}, start.until, ${fieldsOf(sql, query)}, ${limit}::bigint,
              start.skip, start.of_day)`,
          )
        : sql`select * from leads where account_id = ${account_id} and created_at >= ${window.from}
            and created_at < start.until ${conditions}
          order by created_at desc, id desc limit ${limit}::bigint offset start.skip`,
  }
}

function ofPeople(sql: Sql, { account_id }: Actor, query: NewestQuery, people: readonly string[]) {
  const { window, limit, offset } = query
  const ids = sql`${people as string[]}::uuid[]`
  const fields = fieldsOf(sql, query)
  const found = sql`newest_leads_of(${account_id}, ${ids}, ${window.from}, start.until, ${fields},
    (select coalesce(sum(n), 0) from days)::bigint, ${limit}::bigint, start.skip)`
  return {
    days: sql`select of_day as day, leads as n
      from counted_days(actor.account_id, ${ids}, ${window.first_day}, ${window.last_day}, ${fields})`,
    // The first page of one user is read in the order of an index, without looking up each lead by its id.
    page:
      people.length === 1 && offset === 0 && !isByField(query)
        ? sql`select * from leads where account_id = ${account_id} and assigned_to = ${people[0]!}
            and created_at >= ${window.from} and created_at < start.until
          order by created_at desc, id desc limit ${limit}::bigint offset start.skip`
        : leadsOf(sql, account_id, found),
  }
}

/** The filters as arguments; null for none. */
function fieldsOf(sql: Sql, { status, source, priority }: NewestQuery) {
  const only = (values: string[] = []) => sql`${values[0] ?? null}::text`
  return sql`${only(status)}, ${only(source)}, ${only(priority)}`
}

/** The leads with the ids that a function found. Here the policy is checked, for those on the page alone. */
function leadsOf(sql: Sql, accountId: string, found: Statement) {
  return sql`select theirs.* from ${found} found,
    lateral (select * from leads where account_id = ${accountId} and id = found.lead offset 0) theirs`
}
