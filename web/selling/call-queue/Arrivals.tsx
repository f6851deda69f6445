import { Button } from '@mantine/core'
import type { QueuedLead } from '#contract/selling/call-queue'
import { type arrivalsIn, arrivalText } from './arrivals.ts'
import styles from './CallQueue.module.css'

interface Props {
  arrivals: ReturnType<typeof arrivalsIn>
  /** With the leads that came for the same reason. */
  onOpen(lead: QueuedLead, others: QueuedLead[]): void
}

/** What came while a lead is shown: "1 new missed call". A press opens the first. */
export function Arrivals({ arrivals, onOpen }: Props) {
  return (
    <div role="status" className={styles.arrivals}>
      {[...arrivals].map(([reason, leads]) => (
        <Button key={reason} size="xs" variant="light" onClick={() => onOpen(leads[0]!, leads)}>
          {arrivalText(reason, leads.length)}
        </Button>
      ))}
    </div>
  )
}
