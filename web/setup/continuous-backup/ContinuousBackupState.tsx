import { Trans } from '@lingui/react/macro'
import { Code, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ContinuousBackup } from '#contract/operations/continuous-backup'
import { Problem } from '../../platform/ui/Problem.tsx'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { Warning } from '../../platform/ui/Warning.tsx'
import { continuousBackupQuery } from './queries.ts'

/** Whether each change is saved at another place, and how the last restore drill ended, for Admins. */
export function ContinuousBackupState() {
  const { data: backup, error, refetch } = useQuery(continuousBackupQuery)
  return (
    <section>
      <Title order={2}>
        <Trans>Continuous backup</Trans>
      </Title>
      {backup ? (
        <State {...backup} />
      ) : error ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton height={48} mt={4} aria-busy />
      )}
    </section>
  )
}

function State({ state, drill }: ContinuousBackup) {
  if (state === 'off')
    return (
      <>
        <Text mt={4}>
          <Trans>Changes are not saved continuously, only with a daily backup.</Trans>
        </Text>
        <Text c="dimmed">
          <Trans>
            The operator of the server turns on the continuous backup, with <Code>CONTINUOUS_BACKUP</Code>.
          </Trans>
        </Text>
      </>
    )
  return (
    <>
      {state === 'saved' && (
        <Text mt={4}>
          <Trans>Each change is saved at another place within seconds.</Trans>
        </Text>
      )}
      {state === 'waiting' && (
        <Text mt={4}>
          <Trans>The first full copy is being made.</Trans>
        </Text>
      )}
      {state === 'failed' && (
        <Warning>
          <Trans>Changes are not saved. Ask the operator of the server: its log says why.</Trans>
        </Warning>
      )}
      <Drill {...drill} />
    </>
  )
}

function Drill({ state, at, restored_to }: ContinuousBackup['drill']) {
  if (state === 'failed')
    return (
      <>
        <Warning>
          <Trans>The last restore drill failed. Ask the operator of the server: its log says why.</Trans>
        </Warning>
        {at && (
          <Text mt={4}>
            <Trans>
              Last restore drill: <Timestamp at={at} />
            </Trans>
          </Text>
        )}
      </>
    )
  return (
    <>
      {at && restored_to && (
        <Text mt={4}>
          <Trans>
            Last restore drill passed: <Timestamp at={at} />
          </Trans>
        </Text>
      )}
      <Text c="dimmed">
        <Trans>A restore is tried every night.</Trans>
      </Text>
    </>
  )
}
