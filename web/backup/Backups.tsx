import { Box, Code, Group, Skeleton, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { DailyBackups } from '#contract/backup'
import { formatCount } from '../ui/numbers.ts'
import { Problem } from '../ui/Problem.tsx'
import { Timestamp } from '../ui/Timestamp.tsx'
import { backupsQuery } from './queries.ts'

/** Whether the daily backups of the server work, for Admins. */
export function Backups() {
  const { data: backups, error, refetch } = useQuery(backupsQuery)
  return (
    <section>
      <Title order={2}>Backups</Title>
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
        <Text mt={4}>No daily backups are made.</Text>
        <Text c="dimmed">
          The operator of the server turns them on, with <Code>BACKUP_DIR</Code>.
        </Text>
      </>
    )
  return (
    <>
      {state === 'failed' && (
        <Group gap={8} mt={4} wrap="nowrap">
          <Box flex="none" h={18}>
            <IconAlertTriangle size={18} color="var(--red)" aria-hidden />
          </Box>
          <Text>The daily backup failed. Ask the operator of the server: its log says why.</Text>
        </Group>
      )}
      <Text mt={4}>
        {last_success_at ? (
          <>
            Last backup: <Timestamp at={last_success_at} />
          </>
        ) : (
          'No backup was made yet.'
        )}
      </Text>
      <Text c="dimmed">The server is backed up every night. The newest {formatCount(keep, 'backup')} are kept.</Text>
    </>
  )
}
