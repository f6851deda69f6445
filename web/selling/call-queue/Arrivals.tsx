import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import type { QueuedLead } from '#contract/selling/call-queue'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import type { Arrivals as Arrived } from './arrivals.ts'
import styles from './CallQueue.module.css'

interface Props {
  arrivals: Arrived
  onOpen(lead: QueuedLead): void
}

/** What came and was not opened: "Call due: Asha Rao · just now", "1 new missed call". A press opens the lead, or the first one. */
export function Arrivals({ arrivals: { due, others }, onOpen }: Props) {
  return (
    <div role="status" className={styles.arrivals}>
      {due.map((lead) => (
        <Button key={lead.id} size="sm" maw="100%" onClick={() => onOpen(lead)}>
          <span className={styles.otherName}>{t`Call due: ${{ name: lead.name }}`}</span>
          <span className="nowrap">
            &nbsp;· <Timestamp at={lead.since} short />
          </span>
        </Button>
      ))}
      {others.map(({ text, lead }) => (
        <Button key={lead.reason} size="sm" variant="light" onClick={() => onOpen(lead)}>
          {text}
        </Button>
      ))}
    </div>
  )
}
