import { NumberInput, UnstyledButton } from '@mantine/core'
import { useId } from 'react'
import { money } from '../../ui/money.ts'
import styles from './Field.module.css'
import { Field } from './Field.tsx'
import { useInPlace } from './use-in-place.ts'

interface Props {
  label: string
  value: number | null
  save(value: number | null): Promise<unknown>
}

/** An amount in rupees; grouped in lakhs as it is typed. */
export function MoneyField({ label, value, save }: Props) {
  const valueId = useId()
  const { draft, open, opener, change, input } = useInPlace<number | string>({
    value: value ?? '',
    same: (one, other) => String(one) === String(other),
    save: (amount) => save(amount === '' ? null : Number(amount)),
  })
  return (
    <Field label={label}>
      {(labelId) =>
        draft !== undefined ? (
          <NumberInput
            {...input}
            aria-label={label}
            value={draft}
            onChange={change}
            prefix="₹"
            thousandSeparator=","
            thousandsGroupStyle="lakh"
            decimalScale={2}
            allowNegative={false}
            max={9_999_999_999_999.99}
            hideControls
          />
        ) : (
          <UnstyledButton
            ref={opener}
            id={valueId}
            className={styles.button}
            data-empty={value === null || undefined}
            aria-labelledby={`${labelId} ${valueId}`}
            onClick={open}
          >
            {value === null ? 'Add' : money(value)}
          </UnstyledButton>
        )
      }
    </Field>
  )
}
