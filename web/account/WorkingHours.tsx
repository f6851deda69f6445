import { Chip, Group, Select, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { AccountChange, AccountSettings } from '#contract/account'
import { type Data, patch } from '../api.ts'
import { queryClient } from '../query.ts'
import { notify } from '../ui/notify.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Section } from '../ui/Section.tsx'
import { TimeField } from '../ui/TimeField.tsx'
import { weekdays } from '../ui/time-of-day.ts'
import { accountQuery } from './queries.ts'

const alerts = [5, 10, 15, 30, 60, 120, 240]

const spanOf = (minutes: number) =>
  minutes < 60 ? `${minutes} minutes` : minutes === 60 ? '1 hour' : `${minutes / 60} hours`

/** When leads should be called, and when its owner is notified. Each choice is saved at once. */
export function WorkingHours({ account }: { account: AccountSettings }) {
  const { work_days, work_from, work_until, alert_after } = account
  const save = useMutation({
    mutationFn: async (change: AccountChange) => {
      const { data } = await patch<Data<AccountSettings>>('/web/account', change)
      queryClient.setQueryData(accountQuery.queryKey, data)
      notify('Working hours saved')
    },
  })
  const minutes =
    alert_after === null || alerts.includes(alert_after)
      ? alerts
      : [...alerts, alert_after].toSorted((one, other) => one - other)
  return (
    <Section
      title="Working hours"
      about="If a lead is not called in time, its owner is notified, and later the Manager of the team."
    >
      <Stack gap={16}>
        <Chip.Group
          multiple
          value={work_days.map(String)}
          onChange={(days) => {
            if (days.length > 0) save.mutate({ work_days: days.map(Number).toSorted() })
          }}
        >
          <Group gap={8} role="group" aria-label="Working days">
            {weekdays.map((label, index) => (
              <Chip key={label} value={String(index + 1)} radius="md">
                {label}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <Group gap={8}>
          <TimeField label="From" value={work_from} onSave={(minutes) => save.mutate({ work_from: minutes })} />
          <TimeField label="Until" value={work_until} onSave={(minutes) => save.mutate({ work_until: minutes })} />
        </Group>
        <Select
          label="Alert if a lead is not called within"
          description="In working time, IST."
          data={[
            ...minutes.map((value) => ({ value: String(value), label: spanOf(value) })),
            { value: 'never', label: 'Never' },
          ]}
          allowDeselect={false}
          value={alert_after === null ? 'never' : String(alert_after)}
          onChange={(value) => save.mutate({ alert_after: value === 'never' ? null : Number(value) })}
        />
        <Problem error={save.error} />
      </Stack>
    </Section>
  )
}
