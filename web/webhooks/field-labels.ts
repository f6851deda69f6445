import { fieldLabel } from '#contract/leads'
import { type MappedField, mappedFields } from '#contract/payload'

/** "Deal value" for deal_value. */
export const mappedFieldLabel = (field: string) => (field === 'ignore' ? 'Ignore' : fieldLabel(field))

const parts: readonly MappedField[] = ['first_name', 'last_name']
const rest = mappedFields.filter((field) => field !== 'name' && field !== 'ignore' && !parts.includes(field))

/** In the order of a lead, the parts of a name beside it, and "Ignore" first. */
export const choosableFields: readonly MappedField[] = ['ignore', 'name', ...parts, ...rest]
