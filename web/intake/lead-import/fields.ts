import { t } from '@lingui/core/macro'
import type { OriginPart } from '#contract/crm/enquiries'
import { fieldsAsShown } from '#contract/crm/leads'
import {
  type EnquiryField,
  followUpFields,
  type ImportField,
  importFields,
  isOfEnquiry,
  migratedFields,
} from '#contract/intake/lead-import'
import { enquiryTargets } from '#contract/intake/payload'
import { originNames } from '../../crm/enquiries/origin-names.ts'
import { leadFieldName } from '../../crm/leads/lead-words.ts'

export type { ImportField }

const labels: Partial<Record<ImportField, string>> = {
  ignore: t`Leave out`,
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
  call_from: t`Call from`,
  call_to: t`Call to`,
  call_again_at: t`Call again at`,
  lost_reason: t`Lost reason`,
}
const ofEnquiry: Record<Exclude<EnquiryField, OriginPart>, string> = {
  answer: t`Answer`,
  consent: t`Consent`,
  consent_at: t`Consent · time`,
  consent_page: t`Consent · page`,
  do_not_call: t`Do not call`,
  answers: t`Answers of an export`,
  origin: t`Origin of an export`,
}

function labelOf(field: ImportField): string {
  if (!isOfEnquiry(field)) return labels[field] ?? leadFieldName(field)
  if (field in ofEnquiry) return ofEnquiry[field as keyof typeof ofEnquiry]
  return t`Origin · ${{ part: originNames[field as OriginPart] }}`
}

const [name, ...others] = fieldsAsShown
const leadFields: ImportField[] = [name!, 'first_name', 'last_name', ...others, 'other_contacts', ...followUpFields]

/** What a column can be. Only Admins import times and calls. `recognised`: what it was found to be. */
export function fieldOptions(isAdmin: boolean, recognised: ImportField) {
  const chosen: EnquiryField[] = [...enquiryTargets]
  if (isOfEnquiry(recognised) && !chosen.includes(recognised)) chosen.push(recognised)
  const group = (label: string, fields: readonly ImportField[]) => ({ group: label, items: fields.map(option) })
  return [
    option('ignore'),
    group(t`Lead`, leadFields),
    group(t`Enquiry`, chosen),
    ...(isAdmin ? [group(t`Times and calls`, migratedFields)] : []),
  ]
}

const option = (value: ImportField) => ({ value, label: labelOf(value) })

export const isField = (value: string): value is ImportField => importFields.includes(value as ImportField)

/** Several columns of these fields are joined, such as a date and its time of day; of others the first column with a value counts. */
const joined: ImportField[] = [
  ...['ignore', 'notes', 'tags', 'phone', 'email', 'other_contacts', 'first_name', 'answer', 'consent'],
  ...['created_at', 'updated_at', 'called_at', 'call_again_at', 'call_duration', 'call_notes'],
] as ImportField[]

/** The fields that more than one column is mapped to, though a lead has only one value. */
export function chosenTwice(fields: ImportField[]): string[] {
  const twice = fields.filter((field, index) => fields.indexOf(field) !== index && !joined.includes(field))
  return [...new Set(twice)].map(labelOf)
}

export const canBeReached = (fields: ImportField[]) => fields.some((field) => contacts.includes(field))
const contacts: ImportField[] = ['phone', 'email', 'other_contacts', 'call_from', 'call_to']
