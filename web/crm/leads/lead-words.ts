import { t } from '@lingui/core/macro'
import { fieldLabel, type LeadField, type LeadPriority, type LeadStatus } from '#contract/crm/leads'

/** The values and fields of leads, in the language of the page. */

export const statusNames: Record<LeadStatus, string> = {
  New: t`New`,
  Contacted: t`Contacted`,
  Qualified: t`Qualified`,
  Proposal: t`Proposal`,
  Won: t`Won`,
  Lost: t`Lost`,
}

export const priorityNames: Record<LeadPriority, string> = { Low: t`Low`, Medium: t`Medium`, High: t`High` }

const fieldNames: Record<LeadField, string> = {
  name: t`Name`,
  email: t`Email`,
  phone: t`Phone`,
  company: t`Company`,
  city: t`City`,
  source: t`Source`,
  status: t`Status`,
  priority: t`Priority`,
  tags: t`Tags`,
  deal_value: t`Deal value`,
  notes: t`Notes`,
  assigned_to: t`Owner`,
}

/** "Deal value" for deal_value; a name that is no field's is only capitalised. */
export const leadFieldName = (field: string) =>
  Object.hasOwn(fieldNames, field) ? fieldNames[field as LeadField] : fieldLabel(field)
