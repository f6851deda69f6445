import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { rejectedLines } from './csv.ts'
import { download, fileOfRows } from './download.ts'
import { ImportCounts } from './ImportCounts.tsx'
import { importsQuery } from './imports.ts'
import { RowList } from './RowList.tsx'
import { SharedContacts } from './SharedContacts.tsx'
import { UndoImport } from './UndoImport.tsx'
import type { ImportOrder, ImportState } from './use-import.ts'
import { WarningGroups } from './WarningGroups.tsx'
import { warnedByKind } from './warned-by-kind.ts'

interface Props {
  state: ImportState
  order: ImportOrder
  title: RefObject<HTMLHeadingElement | null>
  onAgain(): void
  onOther(): void
}

const maxExamples = 5

const titles = {
  done: t`Imported`,
  cancelled: t`You stopped the import`,
  lost: t`The connection was lost`,
  stopped: t`The import ended early`,
}

export function ImportResult({ state, order, title, onAgain, onOther }: Props) {
  const { phase, id, rows, counts, columns, rejected, warned, shared } = state
  const { data: imports } = useQuery(importsQuery)
  const imported = imports?.find((one) => one.id === id)
  const whole = phase === 'done'
  const read = formatNumber(counts.read)
  const saveRows = (kind: string, rows: { reason: string; cells: string[] }[]) =>
    download(fileOfRows(order.file, kind), rejectedLines(columns, rows))
  const groups = warnedByKind(warned)

  return (
    <Stack gap={16}>
      <div>
        <Title order={2} ref={title} tabIndex={-1}>
          {titles[phase as keyof typeof titles]}
        </Title>
        <Text c="dimmed">
          {whole
            ? t`All ${plural(rows, { one: '# row', other: '# rows' })} of ${{ file: order.file.name }} were read.`
            : rows
              ? t`At least ${read} of ${plural(rows, { one: '# row', other: '# rows' })} were imported and stay. Import the file again to continue after them.`
              : t`At least ${read} of the rows were imported and stay. Import the file again to continue after them.`}
        </Text>
      </div>
      <ImportCounts counts={counts} />
      <Group gap={8}>
        {!whole && (
          <Button onClick={onAgain}>
            <Trans>Import again</Trans>
          </Button>
        )}
        {id !== null && counts.created + counts.merged > 0 && (
          <Button
            variant={whole ? 'filled' : 'default'}
            renderRoot={(props) => <Link {...props} to="/leads" search={{ import: id }} />}
          >
            <Trans>View leads</Trans>
          </Button>
        )}
        {rejected.length > 0 && (
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => saveRows('rejected', rejected)}
          >
            <Trans>Download rejected rows</Trans>
          </Button>
        )}
        {imported?.can_undo && <UndoImport of={imported} onStarted={onOther} />}
        <Button variant="default" onClick={onOther}>
          <Trans>Import another file</Trans>
        </Button>
      </Group>
      {rejected.length > 0 && (
        <Text c="dimmed">
          <Trans>Fix the rejected rows in the downloaded file, then import that file.</Trans>
        </Text>
      )}
      <SharedContacts shared={shared} />
      <RowList
        title={t`Rejected rows`}
        rows={rejected.map(({ line, reason, cells }) => ({ line, says: reason, cells }))}
        total={rejected.length}
      />
      <WarningGroups
        groups={groups.map(({ kind, all }) => ({
          kind,
          rows: all.length,
          examples: all.slice(0, maxExamples).map(({ reason, ...row }) => ({ ...row, text: reason })),
        }))}
        onDownload={(kind) => saveRows(kind, groups.find((group) => group.kind === kind)!.all)}
      />
    </Stack>
  )
}
