import { type MappedField, mappedFields } from '#contract/payload'

const own: Partial<Record<string, string>> = {
  deal_value: 'Deal value',
  assigned_to: 'Assigned to',
  first_name: 'First name',
  last_name: 'Last name',
  ignore: 'Not used',
}

/** "Deal value" for deal_value. */
export const fieldWord = (field: string) => own[field] ?? field.charAt(0).toUpperCase() + field.slice(1)

const parts: readonly MappedField[] = ['first_name', 'last_name']
const rest = mappedFields.filter((field) => field !== 'name' && field !== 'ignore' && !parts.includes(field))

/** In the order of a lead, the parts of a name beside it, and "Not used" first. */
export const choosableFields: readonly MappedField[] = ['ignore', 'name', ...parts, ...rest]
