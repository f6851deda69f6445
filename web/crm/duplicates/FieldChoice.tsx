import { t } from '@lingui/core/macro'
import { Radio } from '@mantine/core'
import { useId } from 'react'
import type { ChosenField } from '#contract/crm/duplicates'
import type { LeadInFull } from '#contract/crm/leads'
import { formatMoney } from '../../platform/ui/numbers.ts'
import { formatPhone, usePhonePlans } from '../contacts/phone.ts'
import { formatCallAgain } from '../leads/call-again.ts'
import { leadFieldName, priorityNames, statusNames } from '../leads/lead-words.ts'
import styles from './Duplicates.module.css'

interface Props {
  field: ChosenField
  /** The kept lead, then the other one. */
  leads: [LeadInFull, LeadInFull]
  isOthers: boolean
  onChoose(isOthers: boolean): void
}

/** A field in which two leads differ: one of both values is kept. */
export function FieldChoice({ field, leads, isOthers, onChoose }: Props) {
  usePhonePlans()
  const id = useId()
  return (
    <div className={styles.choice} role="radiogroup" aria-labelledby={id}>
      <span id={id} className={styles.label}>
        {field === 'call_again_at' ? t`Call again` : leadFieldName(field)}
      </span>
      {leads.map((lead, at) => (
        <Radio
          key={lead.id}
          name={`${id}-${field}`}
          label={valueText(field, lead)}
          checked={isOthers === (at === 1)}
          onChange={() => onChoose(at === 1)}
        />
      ))}
    </div>
  )
}

function valueText(field: ChosenField, lead: LeadInFull): string {
  if (field === 'assigned_to') return lead.assigned_name ?? t`Unassigned`
  const value = lead[field]
  if (value === null) return t`None`
  if (field === 'phone') return formatPhone(String(value))
  if (field === 'deal_value') return formatMoney(Number(value))
  if (field === 'status') return statusNames[lead.status]
  if (field === 'priority') return priorityNames[lead.priority]
  return field === 'call_again_at' ? formatCallAgain(value) : String(value)
}
