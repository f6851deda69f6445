import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Code, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { DailyBackups } from '#contract/operations/backup'
import { Problem } from '../../platform/ui/Problem.tsx'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { Warning } from '../../platform/ui/Warning.tsx'
import { backupsQuery } from './queries.ts'

/** Whether the daily backups of the server work, for Admins. */
export function Backups() {
  const { data: backups, error, refetch } = useQuery(backupsQuery)
  return (
    <section>
      <Title order={2}>
        <Trans>Backups</Trans>
      </Title>
      {backups ? (
        <State {...backups} />
      ) : error ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton height={48} mt={4} aria-busy />
      )}
    </section>
  )
}

function State({ state, last_success_at, keep }: DailyBackups) {
  if (state === 'off')
    return (
      <>
        <Text mt={4}>
          <Trans>No daily backups are made.</Trans>
        </Text>
        <Text c="dimmed">
          <Trans>
            The operator of the server turns them on, with <Code>BACKUP_DIR</Code>.
          </Trans>
        </Text>
      </>
    )
  return (
    <>
      {state === 'failed' && (
        <Warning>
          <Trans>The daily backup failed. Ask the operator of the server: its log says why.</Trans>
        </Warning>
      )}
      <Text mt={4}>
        {last_success_at ? (
          <Trans>
            Last backup: <Timestamp at={last_success_at} />
          </Trans>
        ) : (
          t`No backup was made yet.`
        )}
      </Text>
      <Text c="dimmed">
        {t`The server is backed up every night. The newest ${plural(keep, { one: '# backup', other: '# backups' })} are kept.`}
      </Text>
    </>
  )
}
