import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Button, Progress } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useMe } from '../../access/account/me.ts'
import { useHalfMinute } from '../../platform/ui/half-minute.ts'
import { notify, notifyProblem } from '../../platform/ui/notify.tsx'
import styles from './BulkChanges.module.css'
import { bulkChangesQuery, cancelBulkChange, isUnfinished, undoBulkChange, undoneHere } from './queries.ts'
import { progressText } from './texts.ts'

/** In milliseconds. Later, an ended bulk change is on the page of bulk changes only. */
const shownAfterEnd = 600_000
/** As many as the server lists. */
const maxDismissed = 50

/** One line on every page: the bulk change of the user that runs, or those that ended just now until they are dismissed or undone. */
export default function BulkChangeBar() {
  useHalfMinute()
  const { id: userId } = useMe()
  const { data = [] } = useQuery(bulkChangesQuery)
  useEffect(() => {
    for (const job of data) if (job.state === 'undone' && undoneHere.delete(job.id)) notify(progressText(job))
  }, [data])
  const isListed = useLocation({ select: ({ pathname }) => pathname === '/leads/bulk-changes' })
  const [dismissed, setDismissed] = useLocalStorage<string[]>({
    key: 'dismissed-bulk-changes',
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const own = data.filter(({ user }) => user.id === userId)
  const unfinished = own.filter(isUnfinished)
  const ended = own.filter(
    (job) =>
      !isUnfinished(job) &&
      job.state !== 'undone' &&
      !dismissed.includes(job.id) &&
      Date.now() - Date.parse(job.finished_at!) < shownAfterEnd,
  )
  const dismiss = () => setDismissed((before) => [...before, ...ended.map(({ id }) => id)].slice(-maxDismissed))
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for other bulk changes
  useEffect(() => {
    if (isListed && ended.length > 0) dismiss()
  }, [isListed, ended.length])

  // One runs after the other, and the oldest first. One that stopped is not hidden by those after it.
  const job = unfinished.at(-1) ?? ended.find(({ state }) => state === 'stopped') ?? ended[0]
  const runs = unfinished.length > 0
  if (isListed || !job) return <div role="status" />
  const all = runs
    ? unfinished.length > 1 &&
      plural(unfinished.length, { one: '# bulk change running', other: '# bulk changes running' })
    : ended.length > 1
      ? plural(ended.length, { one: '# bulk change finished', other: '# bulk changes finished' })
      : t`All bulk changes`
  return (
    <div className={styles.bar} role="status">
      <span>{progressText(job)}</span>
      {runs && (
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
      {all && (
        <Link to="/leads/bulk-changes" className={styles.link}>
          {all}
        </Link>
      )}
      {!runs && (
        <ActionIcon variant="subtle" color="gray" aria-label={t`Close`} ml="auto" onClick={dismiss}>
          <IconX size={16} />
        </ActionIcon>
      )}
    </div>
  )
}
