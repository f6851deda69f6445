import { plural, t } from '@lingui/core/macro'
import type { Permission } from '#contract/access/api-keys'
import type { AuditEntry } from '#contract/access/audit'
import { roleNames } from '../../access/account/role-names.ts'
import { permissionWords } from '../../access/api-keys/permission-words.ts'
import { priorityNames, statusNames } from '../../crm/leads/lead-words.ts'
import { mappedFieldLabel } from '../../intake/webhooks/field-labels.ts'
import { formatMinutes } from '../../platform/ui/minutes.ts'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { timeOfDay, weekdays } from '../../platform/ui/time-of-day.ts'
import { callOutcomeNames, callTypeNames } from '../../telephony/calls/call-words.ts'
import { reviewFilterNames, reviewMarkNames } from '../../telephony/calls/review-words.ts'

/** The labels that the forms use. */
const labels: Record<string, string> = {
  fields: t`Fields`,
  ip_whitelist: t`IP whitelist`,
  webhook_ids: t`Webhooks`,
  default_country: t`Default country`,
  lowest_role_to_delete: t`Lowest role that may delete`,
  lowest_role_to_export: t`Lowest role that may export`,
  answering_user_owns: t`Unassigned lead to the user who answers`,
  names_owner: t`Show who owns a colleague’s lead`,
  line: t`Number or extension`,
  calls: t`Calls`,
  work_days: t`Working days`,
  work_from: t`Working hours from`,
  work_until: t`Working hours until`,
  alert_after: t`Alert if a lead is not called within`,
  going_cold_after: t`Going cold after`,
  first_retry_after: t`First retry after`,
  fallback_owner: t`Fallback owner`,
  pass_on_after: t`Pass on after`,
  until: t`Until`,
  follow_up: t`Follow-up`,
  default_assignee: t`Default assignee`,
  from: t`From`,
  to: t`To`,
  to_users: t`To`,
  searched: t`By a search`,
  chosen: t`Chosen leads`,
  leads: t`Leads`,
  skipped: t`Skipped`,
  deleted: t`Deleted`,
  restored: t`Restored`,
  not_restored: t`Not restored`,
}

/** Names of further fields. Those of others are only capitalised. */
const fieldNames: Record<string, string> = {
  action: t`Action`,
  by: t`By`,
  by_last_call: t`By last call`,
  call_again_at: t`Call again at`,
  call_type: t`Call type`,
  callback: t`Callback`,
  called_at: t`Called at`,
  callers: t`Callers`,
  cities: t`Cities`,
  cost: t`Cost`,
  days: t`Days`,
  default_source: t`Default source`,
  default_status: t`Default status`,
  default_tags: t`Default tags`,
  duration_seconds: t`Duration seconds`,
  enabled: t`Enabled`,
  from_date: t`From date`,
  import_id: t`Import id`,
  incoming: t`Incoming`,
  lead_id: t`Lead id`,
  lost_reason: t`Lost reason`,
  lost_reasons: t`Lost reasons`,
  mapping: t`Mapping`,
  mark: t`Mark`,
  max_value: t`Max value`,
  message: t`Message`,
  min_minutes: t`At least minutes`,
  min_value: t`Min value`,
  no_next_step: t`No next step`,
  missed: t`Missed`,
  month: t`Month`,
  name_before: t`Name before`,
  other_contacts: t`Other contacts`,
  other_lead: t`Other lead`,
  outcome: t`Outcome`,
  owners: t`Owners`,
  people: t`People`,
  answers: t`Answers`,
  campaigns: t`Campaigns`,
  forms: t`Forms`,
  products: t`Products`,
  permissions: t`Permissions`,
  position: t`Position`,
  review: t`Review`,
  role: t`Role`,
  rows: t`Rows`,
  secret_token: t`Secret token`,
  source_label: t`Source label`,
  sources: t`Sources`,
  tag: t`Tag`,
  team: t`Team`,
  text: t`Text`,
  to_date: t`To date`,
  user_id: t`User id`,
  webhook_id: t`Webhook id`,
  weight: t`Weight`,
  win_probabilities: t`Win probabilities`,
}

const nameOf = (field: string) => (Object.hasOwn(fieldNames, field) ? fieldNames[field]! : mappedFieldLabel(field))

/** What an empty value means. */
const withoutAny: Record<string, string> = {
  ip_whitelist: t`Any IP`,
  default_assignee: t`By distribution rules`,
  alert_after: t`Never`,
  pass_on_after: t`Never`,
  work_days: t`Hours of the account`,
}

const wordIn =
  (names: Readonly<Record<string, string>>) =>
  (value: string): string | undefined =>
    Object.hasOwn(names, value) ? names[value] : undefined

const permissionName = (value: string) =>
  Object.hasOwn(permissionWords, value) ? permissionWords[value as Permission].word : value

/** How a delivery or a call ended. */
const outcomeNames = {
  ...callOutcomeNames,
  created: t`created`,
  merged: t`merged`,
  duplicate: t`duplicate`,
  rejected: t`rejected`,
  ignored: t`ignored`,
  test: t`test`,
  waiting: t`waiting`,
}

/** Fields whose values are names in the API. */
const wordOf: Record<string, (value: string) => string | undefined> = {
  fields: nameOf,
  permissions: permissionName,
  role: wordIn(roleNames),
  lowest_role_to_delete: wordIn(roleNames),
  lowest_role_to_export: wordIn(roleNames),
  status: wordIn(statusNames),
  default_status: wordIn(statusNames),
  priority: wordIn(priorityNames),
  call_type: wordIn(callTypeNames),
  outcome: wordIn(outcomeNames),
  mark: wordIn(reviewMarkNames),
  review: wordIn(reviewFilterNames),
  by: wordIn({ phone: t`phone`, email: t`email` }),
}

/** Fields whose numbers mean something else. */
const numberOf: Record<string, (value: number) => string> = {
  work_days: (day) => weekdays[day - 1] ?? String(day),
  work_from: timeOfDay,
  work_until: timeOfDay,
  alert_after: (value) => t`${value} min`,
  pass_on_after: (value) => t`${value} min`,
  first_retry_after: formatMinutes,
  going_cold_after: (days) => plural(days, { one: '# day', other: '# days' }),
}

/** Returns the recorded details as labels and texts. */
export function describeDetails({ details }: AuditEntry, userName: (id: string) => string | undefined) {
  return Object.entries(details)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ label: labels[key] ?? nameOf(key), text: textOf(key, value) }))

  function textOf(key: string, value: unknown): string {
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0)
    return (isEmpty ? withoutAny[key] : undefined) ?? shown(value, wordOf[key] ?? userName, numberOf[key])
  }
}

function shown(
  value: unknown,
  nameIn: (text: string) => string | undefined,
  numberOf = String as (value: number) => string,
): string {
  if (value === null || value === '') return t`None`
  if (value === true) return t`Yes`
  if (value === false) return t`No`
  if (typeof value === 'string') return nameIn(value) ?? value
  if (typeof value === 'number') return numberOf(value)
  if (Array.isArray(value))
    return value.length === 0 ? t`None` : value.map((one) => shown(one, nameIn, numberOf)).join('\n')
  if (typeof value !== 'object') return String(value)
  if ('user_id' in value && 'leads' in value)
    return `${nameIn(String(value.user_id)) ?? String(value.user_id)} (${formatNumber(Number(value.leads))})`
  if ('path' in value && 'field' in value) return `${value.path} → ${mappedFieldLabel(String(value.field))}`
  return Object.entries(value)
    .map(([key, one]) => `${wordIn(statusNames)(key) ?? nameOf(key)}: ${shown(one, nameIn)}`)
    .join(', ')
}
