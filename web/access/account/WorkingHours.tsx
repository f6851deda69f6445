import { plural, t } from '@lingui/core/macro'
import { Select, Stack } from '@mantine/core'
import type { AccountSettings } from '#contract/access/account'
import { formatMinutes, minuteOptions, minutesOf, minutesText, withChosen } from '../../platform/ui/minutes.ts'
import { Problem } from '../../platform/ui/Problem.tsx'
import { Section } from '../../platform/ui/Section.tsx'
import { WorkTimes } from '../../platform/ui/WorkTimes.tsx'
import { useSaveAccount } from './use-save-account.ts'

const coldAfter = [3, 5, 7, 10, 14, 21, 30]
/** In minutes. A day later is past the working day. */
const nextMorning = 1440
const retryAfter = [30, 60, 120, 240, nextMorning]

/** When leads should be called, when their owner is notified, when one is retried, and when one goes cold. */
export function WorkingHours({ account }: { account: AccountSettings }) {
  const { shown, save, problem } = useSaveAccount(account)
  const { work_days, work_from, work_until, alert_after, going_cold_after, first_retry_after } = shown
  return (
    <Section
      title={t`Working hours`}
      about={t`If a lead is not called in time, its owner is notified, and later the Manager of the team.`}
    >
      <Stack gap={16}>
        <WorkTimes times={{ work_days, work_from, work_until }} onSave={save} />
        <Select
          label={t`Alert if a lead is not called within`}
          description={t`Only working hours count, in IST.`}
          data={minuteOptions(alert_after)}
          allowDeselect={false}
          value={minutesText(alert_after)}
          onChange={(value) => save({ alert_after: minutesOf(value) })}
        />
        <Select
          label={t`First retry after`}
          description={t`When a lead was not reached. Later retries follow on the next days, at other times of day.`}
          data={withChosen(retryAfter, first_retry_after).map((minutes) => ({
            value: String(minutes),
            label: minutes === nextMorning ? t`Next morning` : formatMinutes(minutes),
          }))}
          allowDeselect={false}
          value={String(first_retry_after)}
          onChange={(minutes) => save({ first_retry_after: Number(minutes) })}
        />
        <Select
          label={t`A lead goes cold after`}
          description={t`Days without a call, for leads in Qualified or Proposal without a time to call again.`}
          data={withChosen(coldAfter, going_cold_after).map((days) => ({
            value: String(days),
            label: plural(days, { one: '# day', other: '# days' }),
          }))}
          allowDeselect={false}
          value={String(going_cold_after)}
          onChange={(days) => save({ going_cold_after: Number(days) })}
        />
        <Problem error={problem} />
      </Stack>
    </Section>
  )
}
