import type { ImportColumn } from '#contract/lead-import'

export type ImportField = ImportColumn['field']

const labels: Record<ImportField, string> = {
  ignore: 'Leave out',
  name: 'Name',
  first_name: 'First name',
  last_name: 'Last name',
  phone: 'Phone',
  email: 'Email',
  company: 'Company',
  city: 'City',
  source: 'Source',
  status: 'Status',
  priority: 'Priority',
  tags: 'Tags',
  deal_value: 'Deal value',
  notes: 'Notes',
  assigned_to: 'Owner, by email',
}

export const fieldOptions = Object.entries(labels).map(([value, label]) => ({ value, label }))

export const isField = (value: string): value is ImportField => Object.hasOwn(labels, value)

/** Of these, several columns are joined; of the others a row's first filled column counts. */
const joined: ImportField[] = ['ignore', 'notes', 'tags']

/** What is chosen for more than one column, though a lead has only one of it. */
export function chosenTwice(fields: ImportField[]): string[] {
  const twice = fields.filter((field, index) => fields.indexOf(field) !== index && !joined.includes(field))
  return [...new Set(twice)].map((field) => labels[field])
}

export const canBeReached = (fields: ImportField[]) => fields.includes('phone') || fields.includes('email')
