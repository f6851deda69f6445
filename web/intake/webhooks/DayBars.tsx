import { plural, t } from '@lingui/core/macro'
import { Tooltip, VisuallyHidden } from '@mantine/core'
import type { CSSProperties } from 'react'
import type { ListedWebhook } from '#contract/intake/webhooks'
import { formatList } from '../../platform/ui/lists.ts'
import { formatIsoDate } from '../../platform/ui/time.ts'
import styles from './DayBars.module.css'

type Day = ListedWebhook['days'][number]

const parts = ['created', 'merged', 'rejected', 'ignored'] as const
const total = ({ created, merged, rejected, ignored }: Day) => created + merged + rejected + ignored

/** "12 deliveries in 14 days: 8 created, 3 merged, 1 rejected, 0 ignored" */
function daysSummary(days: Day[]): string {
  const sum = (part: (typeof parts)[number]) => days.reduce((total, day) => total + day[part], 0)
  const all = days.reduce((sum, day) => sum + total(day), 0)
  const count = days.length
  if (all === 0) return t`No deliveries in ${count} days`
  const [created, merged, rejected, ignored] = [sum('created'), sum('merged'), sum('rejected'), sum('ignored')]
  return t`${plural(all, { one: '# delivery', other: '# deliveries' })} in ${count} days: ${created} created, ${merged} merged, ${rejected} rejected, ${ignored} ignored`
}

/** A bar for each of the last days; rejected ones are striped, so that they differ without color. */
export function DayBars({ days }: { days: Day[] }) {
  const max = Math.max(1, ...days.map(total))
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
                    style={{ '--share': `${(day[part] / max) * 100}%` } as CSSProperties}
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

function daySummary({ day, created, merged, rejected, ignored }: Day): string {
  const counts = [
    created > 0 && t`${created} created`,
    merged > 0 && t`${merged} merged`,
    rejected > 0 && t`${rejected} rejected`,
    ignored > 0 && t`${ignored} ignored`,
  ].filter((text) => text !== false)
  return `${formatIsoDate(day)}: ${formatList(counts) || t`none`}`
}
