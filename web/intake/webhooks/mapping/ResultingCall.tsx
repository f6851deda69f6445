import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Title } from '@mantine/core'
import type { DeliveryPreview } from '#contract/intake/payload'
import { Fact, Facts } from '../../../platform/ui/Facts.tsx'
import { formatDateTime, formatDuration } from '../../../platform/ui/time.ts'
import { callOutcomeNames, callTypeNames } from '../../../telephony/calls/call-words.ts'
import { LongText } from '../LongText.tsx'

/** The call log that an event of a telephone system would make if no other event of the call came. */
export function ResultingCall({ call }: { call: NonNullable<DeliveryPreview['call']> }) {
  const rows: [label: string, value: string | null][] = [
    [t`Type`, callTypeNames[call.call_type]],
    [t`Outcome`, callOutcomeNames[call.outcome]],
    [t`Duration`, call.duration_seconds > 0 ? formatDuration(call.duration_seconds) : null],
    [t`Start`, formatDateTime(call.called_at)],
    [t`Agent`, call.agents.join(', ')],
    [t`Recording`, call.recording_url],
    [t`Notes`, call.notes],
  ]
  return (
    <section aria-label={t`Resulting call`}>
      <Title order={2} mb={8} lh="30px">
        <Trans>Resulting call</Trans>
      </Title>
      <Facts>
        {rows.map(([label, value]) => (
          <Fact key={label} name={label}>
            {value ? <LongText text={value} /> : '—'}
          </Fact>
        ))}
      </Facts>
    </section>
  )
}
