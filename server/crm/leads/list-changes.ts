import { msg } from '@lingui/core/runtime-macro'
import { type Actor, actorIn, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Sql, Statement, TransactionSql } from '../../platform/database/sql.ts'
import type { ChangeCursor, ChangePosition } from '../../platform/http/change-cursor.ts'
import { invalid } from '../../platform/http/problem.ts'
import { type CountedPage, readingPage } from './list-page.ts'

export interface ChangesQuery {
  cursor: ChangeCursor
  limit: number
  offset: number
}

interface ChangedPage extends CountedPage {
  /** Present where the total is a lower bound. */
  capped?: true
  has_more: boolean
  /** The last row of a page that others follow. */
  last: ChangePosition | null
}

interface List {
  /** Selects `id` and `at`, the time of the change, of all rows that match. */
  changed: Statement
  /** Selects the JSON of those in `ids`, in the order of `at` and `id`, as `rows`. */
  rows: Statement
}

/** Changes are not in the daily counts. They are counted, but no further. */
const maxCounted = 10_000
/** Programs that use no cursor skip what changed within one second by an offset. */
export const maxOffset = 100_000

/** The first page of a reading has a total, the others count only themselves. */
const countedTo = ({ cursor, limit, offset }: ChangesQuery) =>
  cursor.after === null ? Math.max(maxCounted, offset + limit) : offset + limit

/** Returns a page of what changed, in the order of changes. `isOfAll`: of all rows of the account, for which one plan is good. */
export function listChanges(
  database: Database,
  actor: Actor,
  query: ChangesQuery,
  { isOfAll, list }: { isOfAll: boolean; list: (sql: Sql | TransactionSql) => List | Promise<List> },
): Promise<ChangedPage> {
  const { cursor, offset } = query
  // A program that pages by both would leave out rows.
  if (cursor.after !== null && offset > 0)
    throw invalid(msg`${{ field: 'offset' }} must be 0 with this cursor, which begins after the last row.`, 'offset')
  if (offset > maxOffset)
    throw invalid(
      msg`${{ field: 'offset' }} must be at most ${{ maxOffset }} here. Give next_cursor of the answer before as cursor.`,
      'offset',
    )
  if (isOfAll) {
    const read = readingPage(database, { limit: countedTo(query), offset })
    return read(actor, async (sql) => readPage(sql, actor, query, await list(sql)))
  }
  return readAsActor(database, actor, async (tx) => {
    await tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
    return readPage(tx, actor, query, await list(tx))
  })
}

/** A condition: changed at the cursor or after it. */
export function isSince(sql: Sql | TransactionSql, at: Statement, { at: time, after }: ChangeCursor): Statement {
  return after === null ? sql`${at} >= ${time}` : sql`(${at}, id) > (${time}, ${after}::uuid)`
}

async function readPage(
  sql: Sql | TransactionSql,
  actor: Actor,
  query: ChangesQuery,
  { changed, rows }: List,
): Promise<ChangedPage> {
  const { limit, offset } = query
  const maxCount = countedTo(query)
  const [page] = await sql<{ n: number; at: Date | null; id: string | null; rows: string }[]>`
    with ${actorIn(sql, actor)},
    changed as materialized (
      select found.* from actor, lateral (
        select id, at from (${changed}) matching order by at, id limit ${maxCount + 1}::bigint
      ) found
    ),
    ids as materialized (select id, at from changed order by at, id limit ${limit}::bigint offset ${offset}::bigint),
    last as (select id, at from ids order by at desc, id desc limit 1)
    select (select count(*)::int from changed) as n, (select at from last) as at, (select id from last) as id, ${rows}`
  const { n, at, id, rows: answered } = page!
  const has_more = offset + limit < n
  const last = has_more ? { at: at!, id: id! } : null
  return { total: Math.min(n, maxCount), ...(n > maxCount ? { capped: true } : {}), has_more, last, rows: answered }
}
