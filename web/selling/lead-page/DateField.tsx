import { t } from '@lingui/core/macro'
import { TextInput } from '@mantine/core'
import { useRef } from 'react'
import { formatIsoDate } from '../../platform/ui/time.ts'
import { Field, ValueButton } from './Field.tsx'
import { useInlineEdit } from './use-inline-edit.ts'

interface Props {
  label: string
  /** A day, as 2026-12-15. */
  value: string | null
  save(day: string | null): Promise<unknown>
}

export function DateField({ label, value, save }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const { draft, open, opener, change, input } = useInlineEdit({
    value: value ?? '',
    same: (one, other) => one === other,
    // The value of a day that is typed in part is empty, too.
    validate: () => (field.current?.validity.badInput ? t`Enter the day.` : undefined),
    save: (day) => save(day || null),
  })
  return (
    <Field label={label}>
      {(labelId) =>
        draft !== undefined ? (
          <TextInput
            {...input}
            ref={field}
            type="date"
            max="9998-12-31"
            aria-label={label}
            value={draft}
            onChange={(event) => change(event.currentTarget.value)}
          />
        ) : (
          <ValueButton ref={opener} labelId={labelId} onClick={open}>
            {value === null ? null : formatIsoDate(value)}
          </ValueButton>
        )
      }
    </Field>
  )
}
