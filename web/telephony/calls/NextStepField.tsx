import { t } from '@lingui/core/macro'
import { type MantineSize, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { maxNoNextStepLength } from '#contract/crm/leads'
import { leavesPromise } from '#contract/telephony/calls'
import { useMe } from '../../access/account/me.ts'
import { formatCallAgain } from '../../crm/leads/call-again.ts'
import { atTime, callAgainDays, nextFullHour, onDay, timesOfDay } from '../../crm/leads/call-again-days.ts'
import { toInstant, wallClock } from '../../platform/ui/wall-clock.ts'
import styles from './CallForm.module.css'
import { ChipField } from './ChipField.tsx'
import type { CallDraft } from './call-draft.ts'

type NextStep = Pick<CallDraft, 'call_again_at' | 'no_next_step'>

interface Props extends NextStep {
  /** When the lead is to be called again, before this call. */
  planned: string | null
  /** When Call next has the lead again, if this call does not reach it. */
  retry: string | undefined
  /** The call closes the lead. */
  isClosing: boolean
  /** Why the time is not valid. */
  error: ReactNode
  now: number
  size: MantineSize
  onChange(step: NextStep): void
}

const [keep, ownTime, none] = ['keep', 'own', 'none']

/** Usual reasons why a lead needs no next step. */
export const noStepReasons = [t`Customer will call back`, t`Waiting for the customer`]

/** When the lead is called again: one of the usual days and times, any other, or a reason for none. What is planned is kept, moved or ended. */
export function NextStepField({
  call_again_at,
  no_next_step,
  planned,
  retry,
  error,
  isClosing,
  now,
  size,
  onChange,
}: Props) {
  const { account } = useMe()
  const days = callAgainDays(account, now)
  const [day, time] = [call_again_at.slice(0, 10), call_again_at.slice(11)]
  const times = timesOfDay(account, day || days.at(-1)!.day, now)
  const isUsual = days.some((one) => one.day === day) && times.includes(time)
  const [open, setOpen] = useState(() => (call_again_at !== '' && !isUsual ? ownTime : no_next_step ? none : ''))
  const isKept = !isClosing && leavesPromise(planned, now)
  const shown = open || (day ? (days.some((one) => one.day === day) ? day : ownTime) : isKept ? keep : '')

  if (isClosing && planned === null && call_again_at === '' && no_next_step === '')
    return (
      <Text size="sm" c="dimmed">
        {t`A won or lost lead has no next step. To plan one, choose another status.`}
      </Text>
    )

  const set = (step: Partial<NextStep>) => onChange({ call_again_at: '', no_next_step: '', ...step })
  const choose = (value: string) => {
    setOpen(value === ownTime || value === none ? value : '')
    if (value === keep) set({})
    else if (value === ownTime) set({ call_again_at: call_again_at || nextFullHour(account, now) })
    else if (value === none) set({})
    else set({ call_again_at: onDay(account, call_again_at, value, now) })
  }
  return (
    <div className={styles.step}>
      <ChipField
        size={size}
        legend={
          <>
            {t`Call again`}{' '}
            {retry && shown === '' && !isClosing && (
              <Text span size="sm" fw={400} c="dimmed" ml={4}>
                {t`Not reached: retry ${{ time: formatCallAgain(retry, now) }}`}
              </Text>
            )}
          </>
        }
        value={shown}
        onChange={choose}
        onClear={() => {
          setOpen('')
          set({})
        }}
        choices={[
          ...(isKept ? [{ value: keep, label: t`Keep ${{ time: formatCallAgain(planned!, now) }}` }] : []),
          ...days.map(({ day, label }) => ({ value: day, label })),
          { value: ownTime, label: t`At…` },
          { value: none, label: t`None, because…` },
        ]}
      />
      {planned !== null && (
        <Text size="sm" c="dimmed">
          {plannedText(planned, {
            now,
            isKept,
            isMoved: call_again_at !== '',
            isEnded: isClosing || no_next_step !== '',
          })}
        </Text>
      )}
      {shown !== ownTime && shown !== none && (
        <ChipField
          size={size}
          legend={<VisuallyHidden>{t`Time`}</VisuallyHidden>}
          value={time}
          onChange={(chosen) => set({ call_again_at: atTime(account, call_again_at, chosen, now) })}
          choices={times.map((value) => ({ value, label: value }))}
        />
      )}
      {shown === ownTime && (
        <TextInput
          type="datetime-local"
          label={t`When (IST)`}
          maw={240}
          min={wallClock(now)}
          value={call_again_at}
          onChange={({ currentTarget }) => set({ call_again_at: currentTarget.value })}
        />
      )}
      {shown === none && (
        <>
          <ChipField
            size={size}
            legend={<VisuallyHidden>{t`Reason`}</VisuallyHidden>}
            value={no_next_step}
            onChange={(reason) => set({ no_next_step: reason })}
            choices={noStepReasons.map((reason) => ({ value: reason, label: reason }))}
          />
          <TextInput
            label={t`Why there is no next step`}
            maw={320}
            maxLength={maxNoNextStepLength}
            value={no_next_step}
            onChange={({ currentTarget }) => set({ no_next_step: currentTarget.value })}
          />
        </>
      )}
      {error && (
        <Text size="sm" c="var(--red)" role="alert">
          {error}
        </Text>
      )}
      {call_again_at !== '' && shown !== ownTime && (
        <Text size="sm" role="status">
          {formatCallAgain(toInstant(call_again_at), now)}
        </Text>
      )}
    </div>
  )
}

function plannedText(
  planned: string,
  { now, isKept, isMoved, isEnded }: Record<'isKept' | 'isMoved' | 'isEnded', boolean> & { now: number },
) {
  const time = formatCallAgain(planned, now)
  if (isMoved) return t`Planned: ${time}. This call moves it.`
  if (isEnded) return t`Planned: ${time}. This call ends it.`
  return isKept ? t`Planned: ${time}` : t`Planned: ${time}. This call keeps the promise.`
}
