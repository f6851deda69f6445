import { type LeadField, leadFieldNames } from './fields.ts'

type Column = LeadField | 'id' | 'created_at' | 'updated_at'

/** What a stored lead is read as, in the order of the API's answers. */
export const leadColumns: Column[] = ['id', ...leadFieldNames, 'created_at', 'updated_at']

/** Those that answers begin with. The others change without the lead, or may be long. */
export const startColumns = leadColumns.filter((column) => column !== 'notes' && column !== 'assigned_to')

/** With the keys by which leads are matched. */
export const storedColumns = [...leadColumns, 'phone_key', 'email_key'] as const
