import { t } from '@lingui/core/macro'
import { Button, createScopedKeydownHandler } from '@mantine/core'
import type { CallOutcome, CallType } from '#contract/telephony/calls'
import { callOutcomeLooks } from './CallBadges.tsx'
import styles from './CallForm.module.css'

/** In the order of their keys, 1 to 4. */
export const usualOutcomes = {
  Outbound: [
    ['Completed', t`Spoke`],
    ['No Answer', t`No answer`],
    ['Busy', t`Busy`],
    ['Voicemail', t`Voicemail`],
  ],
  Inbound: [
    ['Completed', t`Spoke`],
    ['Missed', t`Missed`],
    ['Busy', t`Busy`],
    ['Voicemail', t`Voicemail`],
  ],
} as const satisfies Record<CallType, [CallOutcome, string][]>

interface Props {
  type: CallType
  saving: boolean
  autoFocus: boolean
  onChoose(outcome: CallOutcome): void
}

/** Each saves the call. They are one tab stop; arrow keys go through them. */
export function OutcomeButtons({ type, saving, autoFocus, onChoose }: Props) {
  const onKeyDown = createScopedKeydownHandler({
    siblingSelector: '[data-outcome]',
    parentSelector: '[data-outcomes]',
    orientation: 'horizontal',
    loop: true,
    activateOnFocus: false,
    dir: 'ltr',
  })
  return (
    <fieldset className={styles.choices}>
      <legend>{t`Outcome: saves the call`}</legend>
      <div className={styles.outcomes} data-outcomes>
        {usualOutcomes[type].map(([outcome, label], place) => {
          const Sign = callOutcomeLooks[outcome].icon
          return (
            <Button
              key={outcome}
              data-outcome
              {...(place === 0 && autoFocus ? { 'data-autofocus': true } : {})}
              tabIndex={place === 0 ? 0 : -1}
              size="md"
              variant={place === 0 ? 'filled' : 'default'}
              leftSection={<Sign size={18} aria-hidden />}
              loading={saving}
              onKeyDown={onKeyDown}
              onClick={() => onChoose(outcome)}
            >
              {label}
            </Button>
          )
        })}
      </div>
    </fieldset>
  )
}
