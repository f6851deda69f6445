import { t } from '@lingui/core/macro'
import type { LeadField } from '#contract/crm/leads'
import { callTargets, enquiryTargets, type LeadTarget, leadTargets, type MappedField } from '#contract/intake/payload'
import { leadFieldName } from '../../crm/leads/lead-words.ts'

type OwnField = Exclude<MappedField, LeadField>

const labels: Record<OwnField, string> = {
  first_name: t`First name`,
  last_name: t`Last name`,
  other_contacts: t`Other contacts`,
  ignore: t`Leave out`,
  answer: t`Answer`,
  product: t`Product`,
  campaign: t`Campaign`,
  ad_set: t`Ad set`,
  ad: t({ message: 'Ad', context: 'advertisement' }),
  form: t({ message: 'Form', context: 'filled in by a customer' }),
  keyword: t`Keyword`,
  page_url: t`Page`,
  consent: t`Consent`,
  do_not_call: t`Do not call`,
  call_id: t`Call id`,
  call_direction: t`Call direction`,
  call_state: t`Call status`,
  call_outcome: t`Call outcome`,
  call_start: t`Call start`,
  call_talk_time: t`Call talk time`,
  call_agent: t`Call agent`,
  call_recording: t`Call recording`,
  call_notes: t`Call notes`,
}

/** "Deal value" for deal_value. */
export const mappedFieldLabel = (field: string) =>
  Object.hasOwn(labels, field) ? labels[field as OwnField] : leadFieldName(field)

const parts: readonly LeadTarget[] = ['first_name', 'last_name']
const rest = leadTargets.filter((field) => field !== 'name' && field !== 'ignore' && !parts.includes(field))

/** What a value can be mapped to beside "Ignore", in the order of a lead, the parts of a name beside it. */
export const choosableFields: readonly { group: string; fields: readonly MappedField[] }[] = [
  { group: t`Lead`, fields: ['name', ...parts, ...rest] },
  { group: t`Enquiry`, fields: enquiryTargets },
  { group: t`Call`, fields: callTargets },
]
