import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import type { CallReview } from '#contract/telephony/calls'
import { Badge } from '../../platform/ui/Badge.tsx'
import { formatDateTime } from '../../platform/ui/time.ts'
import styles from './CallsPage.module.css'
import { reviewMarkLooks, reviewMarkNames } from './review-words.ts'

interface Props {
  review: CallReview
  /** Cuts a long remark, and has who reviewed and when as its title. */
  short?: boolean
}

/** The review of a call: mark, remark, who and when. */
export function ReviewNote({ review: { mark, remark, by, at }, short = false }: Props) {
  const time = formatDateTime(at)
  const badge = <Badge {...reviewMarkLooks[mark]}>{reviewMarkNames[mark]}</Badge>
  if (short)
    return (
      <span className={styles.review} title={t`Reviewed by ${by}, ${time}`}>
        {badge}
        {remark && ` · ${remark}`}
      </span>
    )
  return (
    <div className={styles.wholeReview}>
      {badge}
      {remark && <div className={styles.allNotes}>{remark}</div>}
      <Text size="xs" c="dimmed">
        {t`Reviewed by ${by}, ${time}`}
      </Text>
    </div>
  )
}
