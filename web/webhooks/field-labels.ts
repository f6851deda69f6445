import { fieldLabel } from '#contract/leads'
import { callTargets, type LeadTarget, leadTargets, type MappedField } from '#contract/payload'

const labels: Record<string, string> = { ignore: 'Ignore', call_state: 'Call status' }

/** "Deal value" for deal_value. */
export const mappedFieldLabel = (field: string) => labels[field] ?? fieldLabel(field)

const parts: readonly LeadTarget[] = ['first_name', 'last_name']
const rest = leadTargets.filter((field) => field !== 'name' && field !== 'ignore' && !parts.includes(field))

/** What a value can be mapped to beside "Ignore", in the order of a lead, the parts of a name beside it. */
export const choosableFields: readonly { group: string; fields: readonly MappedField[] }[] = [
  { group: 'Lead', fields: ['name', ...parts, ...rest] },
  { group: 'Call', fields: callTargets },
]
