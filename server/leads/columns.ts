import type { PendingQuery, Row, Sql, TransactionSql } from 'postgres'
import { type LeadField, leadFieldNames } from './fields.ts'
import { instant } from './visible.ts'

type Column = LeadField | 'id' | 'created_at' | 'updated_at'

/** What a stored lead is read as, in the order of the API's answers. */
export const leadColumns: Column[] = ['id', ...leadFieldNames, 'created_at', 'updated_at']

/** With the keys by which leads are matched. */
export const storedColumns = [...leadColumns, 'phone_key', 'email_key'] as const

/** What a lead keeps of its calls, for the web app. */
export function columnsOfCalls(sql: Sql | TransactionSql) {
  return sql`${instant(sql, 'last_call_at')}, page.last_call_outcome, page.attempts`
}

/** A lead of `page` as JSON: the beginning, which leads keep, and `rest`, which may be long or changes without them. */
export const answerWithRest = (sql: Sql | TransactionSql) =>
  sql`page.answer_start || ',' || substr(row_to_json(rest)::text, 2)`

/** A page of leads as JSON, as `rows`. `page` selects the leads, `order` sorts them. */
export function answeredRows(
  sql: Sql | TransactionSql,
  page: PendingQuery<Row[]>,
  order: PendingQuery<Row[]>,
  { inWebList = false },
) {
  const rest = inWebList ? columnsOfCalls(sql) : sql`page.notes`
  return sql`(select '[' || coalesce(string_agg(${answerWithRest(sql)}, ',' order by ${order}), '') || ']'
    from ${page} left join users on users.account_id = page.account_id and users.id = page.assigned_to,
      lateral (select ${rest}, users.email as assigned_to) rest) as rows`
}
