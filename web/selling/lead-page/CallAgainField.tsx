import { t } from '@lingui/core/macro'
import { TextInput } from '@mantine/core'
import { useRef } from 'react'
import { pastTime } from '../../crm/leads/call-again.ts'
import { useCallAgainTimes } from '../../crm/leads/use-call-again-times.ts'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { formatDateTime } from '../../platform/ui/time.ts'
import { toInstant, wallClock } from '../../platform/ui/wall-clock.ts'
import { ChoiceField } from './ChoiceField.tsx'
import { Field } from './Field.tsx'
import { useInlineEdit } from './use-inline-edit.ts'

interface Props {
  value: string | null
  /** Why there is none. */
  reason: string | null
  save(at: string | null): Promise<unknown>
}

const label = t`Call again`
const [never, ownTime] = ['', 'own']

/** One of the usual times, or any other. */
export function CallAgainField({ value, reason, save }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const times = useCallAgainTimes()
  const { draft, open, opener, change, input } = useInlineEdit({
    value: value === null ? '' : wallClock(Date.parse(value)),
    same: (one, other) => one === other,
    // The value of a time that is typed in part is empty, too.
    validate: (time) => (field.current?.validity.badInput ? t`Enter the day and the time.` : pastTime(time)),
    save: (time) => save(time === '' ? null : toInstant(time)),
  })
  if (draft !== undefined)
    return (
      <Field label={label}>
        {() => (
          <TextInput
            {...input}
            ref={field}
            type="datetime-local"
            aria-label={t`Call again (IST)`}
            value={draft}
            onChange={(event) => change(event.currentTarget.value)}
          />
        )}
      </Field>
    )
  return (
    <ChoiceField
      ref={opener}
      label={label}
      value={value ?? never}
      choices={[
        { value: never, label: reason ?? t`Not planned` },
        ...(value ? [{ value, label: formatDateTime(value), shown: <Timestamp at={value} /> }] : []),
        ...times.filter(({ at }) => at !== value).map(({ at, label }) => ({ value: at, label })),
        { value: ownTime, label: t`At…` },
      ]}
      save={async (chosen) => {
        if (chosen === ownTime) return open()
        return save(chosen === never ? null : chosen)
      }}
    />
  )
}
