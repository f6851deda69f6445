import type { Sql, TransactionSql } from 'postgres'
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

/**
 * The columns of a lead as it is answered, selected from `page` and its `users`. Notes can be long, so that lists on
 * screen leave them out.
 */
export function answeredColumns(sql: Sql | TransactionSql, { withoutNotes = false } = {}) {
  return sql`${sql(withoutNotes ? ofPageWithoutNotes : ofPage)}, users.email as assigned_to,
    ${instant(sql, 'created_at')}, ${instant(sql, 'updated_at')}`
}
