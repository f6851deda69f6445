import { Tooltip, VisuallyHidden } from '@mantine/core'
import type { ListedWebhook } from '#contract/webhooks'
import { formatCount } from '../ui/numbers.ts'
import { formatIsoDate } from '../ui/time.ts'
import styles from './DayBars.module.css'

type Day = ListedWebhook['days'][number]

const parts = ['created', 'merged', 'rejected', 'ignored'] as const
const total = ({ created, merged, rejected, ignored }: Day) => created + merged + rejected + ignored

/** "12 deliveries in 14 days: 8 created, 3 merged, 1 rejected, 0 ignored" */
function sentenceOfDays(days: Day[]): string {
  const sum = (part: (typeof parts)[number]) => days.reduce((so, day) => so + day[part], 0)
  const all = days.reduce((so, day) => so + total(day), 0)
  if (all === 0) return `No deliveries in ${days.length} days`
  const words = `${sum('created')} created, ${sum('merged')} merged, ${sum('rejected')} rejected, ${sum('ignored')} ignored`
  return `${formatCount(all, 'delivery', 'deliveries')} in ${days.length} days: ${words}`
}

/** A bar for each of the last days; rejected ones are striped, so that they are told apart without colour. */
export function DayBars({ days }: { days: Day[] }) {
  const most = Math.max(1, ...days.map(total))
  return (
    <>
      <VisuallyHidden>{sentenceOfDays(days)}</VisuallyHidden>
      <div className={styles.bars} aria-hidden>
        {days.map((day) => (
          <Tooltip key={day.day} label={sayDay(day)}>
            <div className={styles.day}>
              {parts.map((part) =>
                day[part] > 0 ? (
                  <span key={part} className={styles[part]} style={{ height: `${(day[part] / most) * 100}%` }} />
                ) : null,
              )}
            </div>
          </Tooltip>
        ))}
      </div>
    </>
  )
}

function sayDay(day: Day): string {
  const counts = [
    day.created > 0 && `${day.created} created`,
    day.merged > 0 && `${day.merged} merged`,
    day.rejected > 0 && `${day.rejected} rejected`,
    day.ignored > 0 && `${day.ignored} ignored`,
  ].filter(Boolean)
  return `${formatIsoDate(day.day)}: ${counts.join(', ') || 'none'}`
}
