import { plural } from '@lingui/core/macro'
import { UnstyledButton } from '@mantine/core'
import type { QueuedLead } from '#contract/selling/call-queue'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import type { Arrivals as Arrived } from './arrivals.ts'
import styles from './CallQueue.module.css'

interface Props {
  arrivals: Arrived
  onOpen(lead: QueuedLead): void
}

/** What came and was not opened: "Call due: Asha Rao · just now", "1 new missed call". A press opens the first lead of it. */
export function Arrivals({ arrivals: { due, others }, onOpen }: Props) {
  const [first] = due
  return (
    <div role="status" className={styles.arrivals}>
      {first && (
        <UnstyledButton className={styles.arrival} onClick={() => onOpen(first)}>
          <span className={styles.otherName}>{dueText(first, due.length)}</span>
          {due.length === 1 && (
            <span className="nowrap">
              &nbsp;· <Timestamp at={first.since} short />
            </span>
          )}
        </UnstyledButton>
      )}
      {others.map(({ text, lead }) => (
        <UnstyledButton key={lead.reason} className={styles.arrival} onClick={() => onOpen(lead)}>
          <span className="nowrap">{text}</span>
        </UnstyledButton>
      ))}
    </div>
  )
}

const dueText = ({ name }: QueuedLead, count: number) =>
  plural(count, { one: `Call due: ${name}`, other: `# calls due: ${name}, …` })
