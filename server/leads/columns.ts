import type { PendingQuery, Row, Sql, TransactionSql } from 'postgres'
import { type LeadField, leadFieldNames } from './fields.ts'
import { instant } from './visible.ts'

type Column = LeadField | 'id' | 'created_at' | 'updated_at'

/** What a stored lead is read as, in the order of the API's answers. */
export const leadColumns: Column[] = ['id', ...leadFieldNames, 'created_at', 'updated_at']

/** With the keys by which leads are matched. */
export const storedColumns = [...leadColumns, 'phone_key', 'email_key'] as const

const answered = leadColumns.slice(0, -2).filter((column) => column !== 'assigned_to')
const ofPage = answered.map((column) => `page.${column}`)
const ofPageWithoutNotes = ofPage.filter((column) => column !== 'page.notes')

/** The columns of a lead as it is answered, selected from `page` and its `users`. */
export function answeredColumns(sql: Sql | TransactionSql, { withoutNotes = false } = {}) {
  return sql`${sql(withoutNotes ? ofPageWithoutNotes : ofPage)}, users.email as assigned_to,
    ${instant(sql, 'created_at')}, ${instant(sql, 'updated_at')}`
}

/** A page of leads as JSON, as `rows`. `page` selects the leads, `order` sorts them. */
export function answeredRows(
  sql: Sql | TransactionSql,
  page: PendingQuery<Row[]>,
  order: PendingQuery<Row[]>,
  { withoutNotes = false },
) {
  return sql`(select coalesce(json_agg(lead), '[]')::text from (
      select ${answeredColumns(sql, { withoutNotes })}
      from ${page} left join users on users.account_id = page.account_id and users.id = page.assigned_to
      order by ${order}
    ) lead) as rows`
}
