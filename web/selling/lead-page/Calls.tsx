import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Text, Title } from '@mantine/core'
import { useRef, useState } from 'react'
import type { LeadInFull } from '#contract/crm/leads'
import type { CallPreview } from '#contract/telephony/calls'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { Problem } from '../../platform/ui/Problem.tsx'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { WaitingButton } from '../../platform/ui/WaitingButton.tsx'
import { CallOutcomeBadge, CallTypeBadge } from '../../telephony/calls/CallBadges.tsx'
import { CalledBy } from '../../telephony/calls/CalledBy.tsx'
import { CallMenu } from '../../telephony/calls/CallMenu.tsx'
import { shownLength } from '../../telephony/calls/call-length.ts'
import { PlayRecording } from '../../telephony/calls/PlayRecording.tsx'
import { ReviewNote } from '../../telephony/calls/ReviewNote.tsx'
import { CallNotes } from './CallNotes.tsx'
import styles from './Lead.module.css'
import { useCalls } from './queries.ts'

/** Shown at first, with the newest one that has notes. */
const few = 3

export function Calls({ lead, headings }: { lead: LeadInFull; headings: 2 | 3 }) {
  const { total } = lead.calls
  const { known, ...older } = useCalls(lead)
  const [unfolded, setUnfolded] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const unfold = () => {
    setUnfolded(true)
    list.current?.focus({ preventScroll: true })
  }
  const noted = known.findIndex(({ notes }) => notes)
  const shown = unfolded ? known : known.filter((_, at) => at < few || at === noted)

  return (
    <section>
      <Title order={headings} size="h2" mb={8}>
        <Trans>Calls</Trans>{' '}
        {total > 0 && (
          <Text span c="dimmed" inherit fw={400}>
            {formatNumber(total)}
          </Text>
        )}
      </Title>
      {total === 0 && (
        <Text c="dimmed">
          <Trans>No calls yet. Logged calls appear here and on the timeline.</Trans>
        </Text>
      )}
      <ul ref={list} className={styles.list} aria-label={t`Calls`} tabIndex={-1}>
        {shown.map((call) => (
          <li key={call.id} className={styles.call}>
            <div className={styles.callBody}>
              <div className={styles.callLine}>
                <CallTypeBadge type={call.call_type} />
                <CallOutcomeBadge {...call} />
                {shownLength(call.duration_seconds)}
              </div>
              <CallNotes call={call} />
              <Text size="xs" c="dimmed">
                {(call.called_by_name ?? call.agent) && (
                  <>
                    <CallerText call={call} /> ·{' '}
                  </>
                )}
                <Timestamp at={call.called_at} />
              </Text>
              {call.review && <ReviewNote review={call.review} />}
              <PlayRecording call={call} />
            </div>
            <CallMenu call={{ ...call, lead_name: lead.name }} withNotes={false} />
          </li>
        ))}
      </ul>
      <Problem error={older.error} retry={older.retry} />
      {!unfolded && total > shown.length && (
        <Button variant="subtle" size="compact-sm" mih={32} onClick={unfold}>
          {plural({ more: known.length - shown.length }, { one: 'Show # more call', other: 'Show # more calls' })}
        </Button>
      )}
      {unfolded && known.length < total && !older.error && (
        <WaitingButton variant="subtle" size="compact-sm" mih={32} waiting={older.isFetching} onClick={older.ask}>
          <Trans>Show older calls</Trans>
        </WaitingButton>
      )}
    </section>
  )
}

function CallerText({ call }: { call: CallPreview }) {
  if (call.call_type === 'Outbound')
    return (
      <Trans>
        Called by <CalledBy call={call} />
      </Trans>
    )
  return call.outcome === 'Completed' ? (
    <Trans>
      Answered by <CalledBy call={call} />
    </Trans>
  ) : (
    <Trans>
      Rang at <CalledBy call={call} />
    </Trans>
  )
}
