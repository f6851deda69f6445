import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { createPortal } from 'react-dom'
import type { QueuedLead } from '#contract/selling/call-queue'
import { wallClock } from '../../platform/ui/wall-clock.ts'
import styles from './CallQueue.module.css'

interface Props {
  lead: QueuedLead
  /** It is shown after the form. */
  isNext: boolean
  onNext(isNext: boolean): void
}

/** A promised call whose time comes while the form of another call is open, among the bars that stay while it is scrolled. */
export function NearPromise({ lead: { name, since }, isNext, onNext }: Props) {
  const time = wallClock(Date.parse(since)).slice(11)
  const bar = (
    <p role="status" className={styles.promise}>
      <span className={styles.otherName}>{t`Promised call at ${time}: ${name}`}</span>
      <Button
        h={44}
        flex="none"
        variant={isNext ? 'filled' : 'default'}
        aria-pressed={isNext}
        onClick={() => onNext(!isNext)}
      >
        <Trans>Open next</Trans>
      </Button>
    </p>
  )
  return createPortal(bar, document.getElementById('bars')!)
}
