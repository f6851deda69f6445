import { t } from '@lingui/core/macro'
import { fieldsAsShown } from '#contract/crm/leads'
import { type ImportField, isMigrated, migratedFields } from '#contract/intake/lead-import'
import { leadFieldName } from '../../crm/leads/lead-words.ts'

export type { ImportField }

const labels: Partial<Record<ImportField, string>> = {
  ignore: t`Don’t import`,
  assigned_to: t`Owner, by email or name`,
  first_name: t`First name`,
  last_name: t`Last name`,
  created_at: t`Created at`,
  updated_at: t`Updated at`,
  called_at: t`Call time`,
  call_type: t`Call type`,
  call_duration: t`Call duration`,
  call_outcome: t`Call outcome`,
  call_notes: t`Call notes`,
}
const labelOf = (field: ImportField) => labels[field] ?? leadFieldName(field)

const [name, ...others] = fieldsAsShown
const fields: ImportField[] = ['ignore', name!, 'first_name', 'last_name', ...others, ...migratedFields]

/** Only Admins import times and calls. */
export const fieldOptions = (isAdmin: boolean) =>
  fields.filter((field) => isAdmin || !isMigrated(field)).map((value) => ({ value, label: labelOf(value) }))

export const isField = (value: string): value is ImportField => fields.includes(value as ImportField)

/** Several columns of these fields are joined; of others the first column with a value counts. */
const joined: ImportField[] = ['ignore', 'notes', 'tags']

/** The fields that more than one column is mapped to, though a lead has only one value. */
export function chosenTwice(fields: ImportField[]): string[] {
  const twice = fields.filter((field, index) => fields.indexOf(field) !== index && !joined.includes(field))
  return [...new Set(twice)].map(labelOf)
}

export const canBeReached = (fields: ImportField[]) => fields.includes('phone') || fields.includes('email')
