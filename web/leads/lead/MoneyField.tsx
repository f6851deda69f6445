import { MoneyInput } from '../../ui/MoneyInput.tsx'
import { money } from '../../ui/money.ts'
import { Field, ValueButton } from './Field.tsx'
import { useInPlace } from './use-in-place.ts'

interface Props {
  label: string
  value: number | null
  save(value: number | null): Promise<unknown>
}

export function MoneyField({ label, value, save }: Props) {
  const { draft, open, opener, change, input } = useInPlace<number | string>({
    value: value ?? '',
    same: (one, other) => String(one) === String(other),
    save: (amount) => save(amount === '' ? null : Number(amount)),
  })
  return (
    <Field label={label}>
      {(labelId) =>
        draft !== undefined ? (
          <MoneyInput {...input} aria-label={label} value={draft} onChange={change} />
        ) : (
          <ValueButton ref={opener} labelId={labelId} onClick={open}>
            {value === null ? null : money(value)}
          </ValueButton>
        )
      }
    </Field>
  )
}
