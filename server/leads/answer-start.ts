import { instantText } from '../http/instants.ts'
import { startColumns } from './columns.ts'
import type { LeadRow } from './lead.ts'

/**
 * Returns the beginning of a lead's JSON in answers, which is stored with the lead: building it for each answer takes most of the time
 * of a list. `lead_answer_start` of the database does the same.
 */
export function answerStart(lead: LeadRow): string {
  const values = startColumns.map((column) => [column, asAnswered(lead[column])])
  return JSON.stringify(Object.fromEntries(values)).slice(0, -1)
}

const asAnswered = (value: unknown) => (value instanceof Date ? instantText(value) : value)
