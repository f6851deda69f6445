import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { timeOfDay } from './time-of-day.ts'

interface Props {
  label: string
  /** The minute of the day. */
  value: number
  onSave(minutes: number): void
}

/** A time of the day. It is saved when the field is left. */
export function TimeField({ label, value, onSave }: Props) {
  const [text, setText] = useState<string | null>(null)
  const save = () => {
    setText(null)
    const [hours, minutes] = (text ?? '').split(':').map(Number)
    const chosen = (hours ?? Number.NaN) * 60 + (minutes ?? Number.NaN)
    if (Number.isInteger(chosen) && chosen !== value) onSave(chosen)
  }
  return (
    <TextInput
      type="time"
      label={label}
      value={text ?? timeOfDay(value)}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={save}
      w={140}
    />
  )
}
