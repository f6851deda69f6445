import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, EmptyState, Group, Progress, Skeleton, Text } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BackLink } from '../../platform/ui/BackLink.tsx'
import { notifyProblem } from '../../platform/ui/notify.tsx'
import { Page } from '../../platform/ui/Page.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import styles from './BulkChanges.module.css'
import { bulkChangesQuery, cancelBulkChange, isUnfinished, undoBulkChange } from './queries.ts'
import { changeText, progressText } from './texts.ts'

/** The bulk changes of the last day, which can still be undone. */
export function BulkChangesPage() {
  const { data, error, refetch } = useQuery(bulkChangesQuery)
  return (
    <Page
      title={t`Bulk changes`}
      about={t`Changes of many leads in the last day. One runs after the other, also after you leave the page.`}
      back={
        <BackLink renderRoot={(props) => <Link to="/leads" {...props} />}>
          <Trans>Leads</Trans>
        </BackLink>
      }
    >
      {error && !data ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={60} />
      ) : data.length === 0 ? (
        <EmptyState
          icon={<IconListCheck size={28} aria-hidden />}
          title={t`No bulk changes`}
          description={t`Select leads in the list to change many at once.`}
        />
      ) : (
        <ul className={styles.list} aria-label={t`Bulk changes`}>
          {data.map((job) => (
            <li key={job.id}>
              <div className={styles.what}>
                <b>{changeText(job)}</b>
                <Text size="sm">{progressText(job)}</Text>
                {isUnfinished(job) && (
                  <Progress
                    value={(100 * job.position) / job.total}
                    aria-label={t`Progress of the bulk change`}
                    mt={4}
                  />
                )}
                <Text size="xs" c="dimmed">
                  {job.user.name} · <Timestamp at={job.started_at} />
                </Text>
              </div>
              <Group gap={8}>
                {job.state === 'running' && (
                  <Button variant="default" onClick={() => cancelBulkChange(job.id).catch(notifyProblem)}>
                    <Trans>Cancel</Trans>
                  </Button>
                )}
                {job.can_undo && (
                  <Button variant="default" onClick={() => undoBulkChange(job.id).catch(notifyProblem)}>
                    <Trans>Undo</Trans>
                  </Button>
                )}
              </Group>
            </li>
          ))}
        </ul>
      )}
    </Page>
  )
}
