import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Button, Progress } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMe } from '../../access/account/me.ts'
import { useHalfMinute } from '../../platform/ui/half-minute.ts'
import { notifyProblem } from '../../platform/ui/notify.tsx'
import styles from './BulkChanges.module.css'
import { bulkChangesQuery, cancelBulkChange, isUnfinished, undoBulkChange } from './queries.ts'
import { progressText } from './texts.ts'

/** In milliseconds. Later, an ended bulk change is on the page of bulk changes only. */
const shownAfterEnd = 600_000
const maxShown = 3

/** The user's own bulk changes that run or ended just now, on every page. */
export default function BulkChangeBars() {
  useHalfMinute()
  const { id: userId } = useMe()
  const { data = [] } = useQuery(bulkChangesQuery)
  const [hidden, setHidden] = useLocalStorage<string[]>({ key: 'hidden-bulk-changes', defaultValue: [] })
  const shown = data.filter(
    (job) =>
      job.user.id === userId &&
      (isUnfinished(job) ||
        (!hidden.includes(`${job.id} ${job.state}`) && Date.now() - Date.parse(job.finished_at!) < shownAfterEnd)),
  )
  return (
    <div className={styles.bars}>
      <div role="status">
        {shown.slice(0, maxShown).map((job) => (
          <div key={job.id} className={styles.bar}>
            <span>{progressText(job)}</span>
            {isUnfinished(job) && (
              <Progress
                className={styles.progress}
                value={(100 * job.position) / job.total}
                aria-label={t`Progress of the bulk change`}
              />
            )}
            {job.state === 'running' && (
              <Button size="compact-sm" variant="default" onClick={() => cancelBulkChange(job.id).catch(notifyProblem)}>
                <Trans>Cancel</Trans>
              </Button>
            )}
            {job.can_undo && (
              <Button size="compact-sm" variant="default" onClick={() => undoBulkChange(job.id).catch(notifyProblem)}>
                <Trans>Undo</Trans>
              </Button>
            )}
            {!isUnfinished(job) && (
              <>
                <Link to="/leads/bulk-changes" className={styles.link}>
                  <Trans>All bulk changes</Trans>
                </Link>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t`Close`}
                  ml="auto"
                  onClick={() => setHidden((before) => [...before.slice(-20), `${job.id} ${job.state}`])}
                >
                  <IconX size={16} />
                </ActionIcon>
              </>
            )}
          </div>
        ))}
      </div>
    </div>
  )
}
