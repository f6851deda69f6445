import type { Database } from '../../platform/database/connect.ts'
import type { Sql, Statement, TransactionSql } from '../../platform/database/sql.ts'
import type { DateWindow } from '../../platform/http/date-window.ts'

/**
 * The start of a page: the end of the IST day in `days` on which its offset falls, how many rows to skip from there, and how
 * many that day has. The first page starts at the end of the window.
 */
export function startIn(sql: Sql | TransactionSql, { until }: DateWindow, offset: number) {
  if (offset === 0)
    return sql`start as materialized (select ${until}::timestamptz as until, 0::bigint as skip, 0::bigint as of_day from actor)`
  return sql`start as materialized (
    select (day + 1)::timestamp at time zone interval '05:30' as until, (${offset}::bigint - before)::bigint as skip,
      n::bigint as of_day
    from (select day, n, sum(n) over (order by day desc) - n as before from days) ordered
    where before <= ${offset}::bigint and before + n > ${offset}::bigint
  )`
}

/** 2026-11-21T05:00:00Z. Much faster than to_char: the connection's time zone is UTC and times are whole seconds. */
export function instant(
  sql: Sql | TransactionSql,
  column:
    | 'created_at'
    | 'updated_at'
    | 'called_at'
    | 'last_call_at'
    | 'call_again_at'
    | 'enquired_again_at'
    | 'closed_at',
  table: 'page' | 'leads' = 'page',
) {
  const named = sql(column)
  return sql`left(to_json(${sql(table)}.${named})#>>'{}', 19) || 'Z' as ${named}`
}

export interface CountedPage {
  total: number
  /** JSON as PostgreSQL wrote it. */
  rows: string
}

/** A page of at most so many rows is read briefly. Those that are skipped are read as well. */
const brief = { limit: 100, offset: 1000 }

/** Returns what runs the single statement that reads a page. */
export function readingPage(
  database: Database,
  { limit, offset }: { limit: number; offset: number },
): Database['read'] {
  return limit <= brief.limit && offset <= brief.offset ? database.readBriefly : database.read
}

/** Reads a page by a statement that selects its total and its rows. */
export async function readPage(statement: Statement): Promise<CountedPage> {
  const [page] = await statement
  return { total: Number(page!.total), rows: page!.rows }
}
