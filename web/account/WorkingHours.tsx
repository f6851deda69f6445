import { Chip, Group, Select, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { AccountChange, AccountSettings } from '#contract/account'
import { type Data, patch } from '../api.ts'
import { queryClient } from '../query.ts'
import { notify } from '../ui/notify.tsx'
import { formatCount } from '../ui/numbers.ts'
import { Problem } from '../ui/Problem.tsx'
import { Section } from '../ui/Section.tsx'
import { TimeField } from '../ui/TimeField.tsx'
import { weekdays } from '../ui/time-of-day.ts'
import { accountQuery } from './queries.ts'

const coldAfter = [3, 5, 7, 10, 14, 21, 30]
const alerts = [5, 10, 15, 30, 60, 120, 240]

const spanOf = (minutes: number) =>
  minutes < 60 ? `${minutes} minutes` : minutes === 60 ? '1 hour' : `${minutes / 60} hours`

const withChosen = (usual: number[], chosen: number) =>
  [...new Set([...usual, chosen])].toSorted((one, other) => one - other)

/** When leads should be called, when their owner is notified, and when one goes cold. Each choice is saved at once. */
export function WorkingHours({ account }: { account: AccountSettings }) {
  const { work_days, work_from, work_until, alert_after, going_cold_after } = account
  const save = useMutation({
    mutationFn: async (change: AccountChange) => {
      const { data } = await patch<Data<AccountSettings>>('/web/account', change)
      queryClient.setQueryData(accountQuery.queryKey, data)
      notify('Working hours saved')
    },
  })
  const minutes = alert_after === null ? alerts : withChosen(alerts, alert_after)
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
        <Select
          label="A lead goes cold after"
          description="A lead in Qualified or Proposal without a call and without a time to call again."
          data={withChosen(coldAfter, going_cold_after).map((days) => ({
            value: String(days),
            label: formatCount(days, 'day'),
          }))}
          allowDeselect={false}
          value={String(going_cold_after)}
          onChange={(days) => save.mutate({ going_cold_after: Number(days) })}
        />
        <Problem error={save.error} />
      </Stack>
    </Section>
  )
}
