import type { AuditEntry } from '#contract/audit'

const labels: Record<string, string> = {
  fields: 'Fields',
  ip_whitelist: 'Allowed addresses',
  webhook_ids: 'Webhooks',
  default_country: 'Default country',
  default_assignee: 'Default owner',
  assigned_to: 'Owner',
  from: 'From',
  to: 'To',
  searched: 'By a search',
}

/** What was recorded beside the sentence, as lines of a label and a text. */
export function detailsOf({ details }: AuditEntry, personName: (id: string) => string | undefined) {
  return Object.entries(details)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ label: labels[key] ?? words(key), text: shown(value, personName) }))
}

const words = (key: string) => (key.charAt(0).toUpperCase() + key.slice(1)).replaceAll('_', ' ')

function shown(value: unknown, personName: (id: string) => string | undefined): string {
  if (value === null || value === '') return 'Nothing'
  if (value === true) return 'Yes'
  if (value === false) return 'No'
  if (typeof value === 'string') return personName(value) ?? value
  if (Array.isArray(value)) return value.length === 0 ? 'None' : value.map((one) => shown(one, personName)).join('\n')
  if (typeof value !== 'object') return String(value)
  if ('path' in value && 'field' in value)
    return `${value.path} → ${value.field === 'ignore' ? 'left out' : value.field}`
  return Object.entries(value)
    .map(([key, one]) => `${words(key)}: ${shown(one, personName)}`)
    .join(', ')
}
