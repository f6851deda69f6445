import { t } from '@lingui/core/macro'
import { Chip, Group } from '@mantine/core'
import { TimeField } from './TimeField.tsx'
import { weekdays } from './time-of-day.ts'

/** The end of a shift at 00:00 is the end of its day. */
const midnight = 1440

interface Times {
  work_days: number[]
  work_from: number
  work_until: number
}

/** Working days and hours. Each choice is saved at once. */
export function WorkTimes({ times, onSave }: { times: Times; onSave(change: Partial<Times>): void }) {
  return (
    <>
      <Chip.Group
        multiple
        value={times.work_days.map(String)}
        onChange={(days) => {
          if (days.length > 0) onSave({ work_days: days.map(Number).toSorted() })
        }}
      >
        <Group gap={8} role="group" aria-label={t`Working days`}>
          {weekdays.map((label, index) => (
            <Chip key={label} value={String(index + 1)} radius="md">
              {label}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <Group gap={8}>
        <TimeField label={t`From`} value={times.work_from} onSave={(work_from) => onSave({ work_from })} />
        <TimeField
          label={t`Until`}
          value={times.work_until}
          onSave={(minute) => onSave({ work_until: minute || midnight })}
        />
      </Group>
    </>
  )
}
