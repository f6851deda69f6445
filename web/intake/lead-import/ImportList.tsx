import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Progress, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ImportUndo, LeadImport } from '#contract/intake/lead-import'
import { useIsAdmin } from '../../access/account/me.ts'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { Problem } from '../../platform/ui/Problem.tsx'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { importsQuery, importText, undoText } from './imports.ts'
import styles from './LeadImport.module.css'
import { UndoImport } from './UndoImport.tsx'

/** The newest imports: their leads, their rejected rows, and their undo. */
export function ImportList() {
  const isAdmin = useIsAdmin()
  const { data, error, refetch } = useQuery(importsQuery)
  if (data?.length === 0) return null
  return (
    <section className={styles.imports}>
      <Title order={2}>{isAdmin ? t`Imports` : t`Your imports`}</Title>
      {error && !data ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={60} mt={8} />
      ) : (
        <ul className={styles.importList} aria-label={t`Imports`}>
          {data.map((one) => (
            <ImportEntry key={one.id} of={one} />
          ))}
        </ul>
      )}
    </section>
  )
}

function ImportEntry({ of }: { of: LeadImport }) {
  const { id, user, file, created, merged, rejected, rejected_kept, started_at, undo, can_undo } = of
  const left = undo?.state === 'undone' ? undo.called + undo.merged + undo.changed : created + merged
  const href = `/web/leads/imports/${id}/rejected.csv`
  return (
    <li>
      <div className={styles.import}>
        <Text fw={500}>{file || t`File`}</Text>
        <Text size="sm">{importText(of)}</Text>
        {undo && <Text size="sm">{undoText(undo)}</Text>}
        {undo?.state === 'undoing' && (
          <Progress value={progressOf(undo)} aria-label={t`Progress of the undo`} mt={4} maw={320} />
        )}
        <Text size="xs" c="dimmed">
          {user ?? t`Command line`} · <Timestamp at={started_at} />
        </Text>
      </div>
      <Group gap={8}>
        {left > 0 && (
          <Button variant="default" renderRoot={(props) => <Link {...props} to="/leads" search={{ import: id }} />}>
            <Trans>View leads</Trans>
          </Button>
        )}
        {rejected_kept > 0 && (
          <Button variant="default" component="a" href={href} download>
            {rejected_kept < rejected
              ? t`Download the first ${{ count: formatNumber(rejected_kept) }} rejected rows`
              : t`Download rejected rows`}
          </Button>
        )}
        {can_undo && <UndoImport of={of} />}
      </Group>
    </li>
  )
}

const progressOf = ({ total, deleted, restored, called, merged, changed, gone }: ImportUndo) =>
  total === 0 ? 100 : (100 * (deleted + restored + called + merged + changed + gone)) / total
