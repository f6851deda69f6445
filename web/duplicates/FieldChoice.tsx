import { Radio } from '@mantine/core'
import { useId } from 'react'
import type { ChosenField } from '#contract/duplicates'
import { fieldLabel, type LeadInFull } from '#contract/leads'
import { formatCallAgain } from '../calls/call-again.ts'
import { formatPhone } from '../contacts/phone.ts'
import { formatMoney } from '../ui/numbers.ts'
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
  const id = useId()
  return (
    <div className={styles.choice} role="radiogroup" aria-labelledby={id}>
      <span id={id} className={styles.label}>
        {field === 'call_again_at' ? 'Call again' : fieldLabel(field)}
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
  if (field === 'assigned_to') return lead.assigned_name ?? 'Unassigned'
  const value = lead[field]
  if (value === null) return 'None'
  if (field === 'phone') return formatPhone(String(value))
  if (field === 'deal_value') return formatMoney(Number(value))
  return field === 'call_again_at' ? formatCallAgain(value) : String(value)
}
