import { Title } from '@mantine/core'
import type { DeliveryPreview } from '#contract/payload'
import { formatDateTime, formatDuration } from '../../ui/time.ts'
import { LongText } from '../LongText.tsx'
import styles from './MappingTab.module.css'

/** The call log that an event of a telephone system would make if no other event of the call came. */
export function ResultingCall({ call }: { call: NonNullable<DeliveryPreview['call']> }) {
  const rows: [label: string, value: string | null][] = [
    ['Type', call.call_type],
    ['Outcome', call.outcome],
    ['Duration', call.duration_seconds > 0 ? formatDuration(call.duration_seconds) : null],
    ['Start', formatDateTime(call.called_at)],
    ['Agent', call.agents.join(', ')],
    ['Recording', call.recording_url],
    ['Notes', call.notes],
  ]
  return (
    <section aria-label="Resulting call">
      <Title order={2} mb={8} lh="30px">
        Resulting call
      </Title>
      <dl className={styles.fields}>
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value ? <LongText text={value} /> : <span>—</span>}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
