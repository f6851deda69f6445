import { instantText } from '../../platform/http/instants.ts'
import { type LeadField, leadFieldNames } from './fields.ts'
import type { LeadRow } from './lead.ts'

type Column = LeadField | 'id' | 'created_at' | 'updated_at'

/** What a stored lead is read as, in the order of the API's answers. */
export const leadColumns: Column[] = ['id', ...leadFieldNames, 'created_at', 'updated_at']

/** Those that answers begin with. The others change without the lead, or may be long. */
export const startColumns = leadColumns.filter((column) => column !== 'notes' && column !== 'assigned_to')

/** With the keys by which leads are matched. */
export const storedColumns = [...leadColumns, 'phone_key', 'email_key'] as const

/**
 * Returns the beginning of a lead's JSON in answers, which is stored with the lead: building it for each answer takes most of the time
 * of a list.
 */
export function answerStart(lead: LeadRow): string {
  const values = startColumns.map((column) => [column, asAnswered(lead[column])])
  return JSON.stringify(Object.fromEntries(values)).slice(0, -1)
}

const asAnswered = (value: unknown) => (value instanceof Date ? instantText(value) : value)
