import type { AuditEntry } from '#contract/audit'
import { fieldLabel } from '#contract/leads'
import { timeOfDay, weekdays } from '../ui/time-of-day.ts'
import { mappedFieldLabel } from '../webhooks/field-labels.ts'

/** The labels that the forms use. */
const labels: Record<string, string> = {
  fields: 'Fields',
  ip_whitelist: 'IP whitelist',
  webhook_ids: 'Webhooks',
  default_country: 'Default country',
  lowest_role_to_delete: 'Lowest role that may delete',
  lowest_role_to_export: 'Lowest role that may export',
  answering_user_owns: 'Unassigned lead to the user who answers',
  names_owner: 'Show who owns a colleague’s customer',
  line: 'Number or extension',
  calls: 'Calls',
  work_days: 'Working days',
  work_from: 'Working hours from',
  work_until: 'Working hours until',
  alert_after: 'Alert if a lead is not called within',
  going_cold_after: 'Going cold after',
  fallback_owner: 'Fallback owner',
  pass_on_after: 'Pass on after',
  until: 'Until',
  follow_up: 'Follow-up',
  default_assignee: 'Default assignee',
  from: 'From',
  to: 'To',
  searched: 'By a search',
  chosen: 'Chosen leads',
  leads: 'Leads',
  skipped: 'Skipped',
  not_restored: 'Not restored',
}

/** What an empty value means. */
const withoutAny: Record<string, string> = {
  ip_whitelist: 'Any IP',
  default_assignee: 'By distribution rules',
  alert_after: 'Never',
  pass_on_after: 'Never',
  work_days: 'Hours of the account',
}

/** Fields whose values are names in the API. */
const wordOf: Record<string, (value: string) => string> = { fields: mappedFieldLabel, permissions: fieldLabel }

/** Fields whose numbers mean something else. */
const numberOf: Record<string, (value: number) => string> = {
  work_days: (day) => weekdays[day - 1] ?? String(day),
  work_from: timeOfDay,
  work_until: timeOfDay,
  alert_after: (minutes) => `${minutes} min`,
  pass_on_after: (minutes) => `${minutes} min`,
  going_cold_after: (days) => (days === 1 ? '1 day' : `${days} days`),
}

/** Returns the recorded details as labels and texts. */
export function describeDetails({ details }: AuditEntry, userName: (id: string) => string | undefined) {
  return Object.entries(details)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ label: labels[key] ?? fieldLabel(key), text: textOf(key, value) }))

  function textOf(key: string, value: unknown): string {
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0)
    return (isEmpty ? withoutAny[key] : undefined) ?? shown(value, wordOf[key] ?? userName, numberOf[key])
  }
}

function shown(
  value: unknown,
  nameOf: (text: string) => string | undefined,
  numberOf = String as (value: number) => string,
): string {
  if (value === null || value === '') return 'None'
  if (value === true) return 'Yes'
  if (value === false) return 'No'
  if (typeof value === 'string') return nameOf(value) ?? value
  if (typeof value === 'number') return numberOf(value)
  if (Array.isArray(value))
    return value.length === 0 ? 'None' : value.map((one) => shown(one, nameOf, numberOf)).join('\n')
  if (typeof value !== 'object') return String(value)
  if ('path' in value && 'field' in value) return `${value.path} → ${mappedFieldLabel(String(value.field))}`
  return Object.entries(value)
    .map(([key, one]) => `${fieldLabel(key)}: ${shown(one, nameOf)}`)
    .join(', ')
}
