import { TextInput } from '@mantine/core'
import { noAmount, parseAmount } from '../../crm/leads/deal-value.ts'
import { formatMoney, formatNumber } from '../../platform/ui/numbers.ts'
import { Field, ValueButton } from './Field.tsx'
import { useInlineEdit } from './use-inline-edit.ts'

interface Props {
  label: string
  value: number | null
  save(value: number | null): Promise<unknown>
}

export function MoneyField({ label, value, save }: Props) {
  const { draft, open, opener, change, input } = useInlineEdit({
    value: value === null ? '' : formatNumber(value),
    same: (one, other) => one.trim() === other.trim(),
    validate: noAmount,
    save: (typed) => save(parseAmount(typed)),
  })
  return (
    <Field label={label}>
      {(labelId) =>
        draft !== undefined ? (
          <TextInput
            {...input}
            aria-label={label}
            value={draft}
            onChange={(event) => change(event.currentTarget.value)}
            inputMode="decimal"
            maxLength={40}
            autoComplete="off"
          />
        ) : (
          <ValueButton ref={opener} labelId={labelId} onClick={open}>
            {value === null ? null : formatMoney(value)}
          </ValueButton>
        )
      }
    </Field>
  )
}
