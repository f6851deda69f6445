import { Tooltip, VisuallyHidden } from '@mantine/core'
import type { CSSProperties } from 'react'
import type { ListedWebhook } from '#contract/webhooks'
import { formatCount } from '../ui/numbers.ts'
import { formatIsoDate } from '../ui/time.ts'
import styles from './DayBars.module.css'

type Day = ListedWebhook['days'][number]

const parts = ['created', 'merged', 'rejected', 'ignored'] as const
const total = ({ created, merged, rejected, ignored }: Day) => created + merged + rejected + ignored

/** "12 deliveries in 14 days: 8 created, 3 merged, 1 rejected, 0 ignored" */
function daysSummary(days: Day[]): string {
  const sum = (part: (typeof parts)[number]) => days.reduce((total, day) => total + day[part], 0)
  const all = days.reduce((sum, day) => sum + total(day), 0)
  if (all === 0) return `No deliveries in ${days.length} days`
  const words = `${sum('created')} created, ${sum('merged')} merged, ${sum('rejected')} rejected, ${sum('ignored')} ignored`
  return `${formatCount(all, 'delivery', 'deliveries')} in ${days.length} days: ${words}`
}

/** A bar for each of the last days; rejected ones are striped, so that they differ without color. */
export function DayBars({ days }: { days: Day[] }) {
  const most = Math.max(1, ...days.map(total))
  return (
    <>
      <VisuallyHidden>{daysSummary(days)}</VisuallyHidden>
      <div className={styles.bars} aria-hidden>
        {days.map((day) => (
          <Tooltip key={day.day} label={daySummary(day)}>
            <div className={styles.day}>
              {parts.map((part) =>
                day[part] > 0 ? (
                  <span
                    key={part}
                    className={styles[part]}
                    style={{ '--share': `${(day[part] / most) * 100}%` } as CSSProperties}
                  />
                ) : null,
              )}
            </div>
          </Tooltip>
        ))}
      </div>
    </>
  )
}

function daySummary(day: Day): string {
  const counts = [
    day.created > 0 && `${day.created} created`,
    day.merged > 0 && `${day.merged} merged`,
    day.rejected > 0 && `${day.rejected} rejected`,
    day.ignored > 0 && `${day.ignored} ignored`,
  ].filter(Boolean)
  return `${formatIsoDate(day.day)}: ${counts.join(', ') || 'none'}`
}
