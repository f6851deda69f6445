import { t } from '@lingui/core/macro'
import { type OriginPart, originParts } from '#contract/crm/enquiries'
import type { LeadField } from '#contract/crm/leads'
import {
  callTargets,
  type EnquiryPart,
  enquiryTargets,
  type LeadTarget,
  leadTargets,
  type MappedField,
} from '#contract/intake/payload'
import { originNames } from '../../crm/enquiries/origin-names.ts'
import { leadFieldName } from '../../crm/leads/lead-words.ts'

type OwnField = Exclude<MappedField, LeadField>

const labels: Record<OwnField, string> = {
  first_name: t`First name`,
  last_name: t`Last name`,
  other_contacts: t`Other contacts`,
  ignore: t`Leave out`,
  answer: t`Answer`,
  product: originNames.product,
  campaign: originNames.campaign,
  ad_set: originNames.ad_set,
  ad: originNames.ad,
  form: originNames.form,
  keyword: originNames.keyword,
  page_url: originNames.page_url,
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

/** "Deal value" for deal_value. A dry run also names the enquiry. */
export const mappedFieldLabel = (field: string) =>
  field === 'enquiry' ? t`Enquiry` : Object.hasOwn(labels, field) ? labels[field as OwnField] : leadFieldName(field)

const otherParts: Record<Exclude<EnquiryPart, OriginPart>, string> = {
  answer: labels.answer,
  consent: labels.consent,
  consent_at: t`Consent · time`,
  consent_page: t`Consent · page`,
  do_not_call: labels.do_not_call,
  left_out: t`Left out`,
}

const isOrigin = (part: EnquiryPart): part is OriginPart => originParts.some((one) => one === part)

/** What a value that no lead field takes became: "Origin · Campaign". */
export const enquiryPartLabel = (part: EnquiryPart) =>
  isOrigin(part) ? t`Origin · ${{ part: originNames[part] }}` : otherParts[part]

const parts: readonly LeadTarget[] = ['first_name', 'last_name']
const rest = leadTargets.filter((field) => field !== 'name' && field !== 'ignore' && !parts.includes(field))

/** What a value can be mapped to beside "Leave out", in the order of a lead, the parts of a name beside it. */
export const choosableFields: readonly { group: string; fields: readonly MappedField[] }[] = [
  { group: t`Lead`, fields: ['name', ...parts, ...rest] },
  { group: t`Enquiry`, fields: enquiryTargets },
  { group: t`Call`, fields: callTargets },
]
