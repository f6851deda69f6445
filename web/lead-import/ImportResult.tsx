import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { formatCount, formatNumber } from '../ui/numbers.ts'
import { rejectedLines } from './csv.ts'
import { download } from './download.ts'
import { ImportCounts } from './ImportCounts.tsx'
import { sentences } from './PreviewResult.tsx'
import { RowList } from './RowList.tsx'
import type { ImportOrder, ImportState } from './use-import.ts'

interface Props {
  state: ImportState
  order: ImportOrder
  title: RefObject<HTMLHeadingElement | null>
  onAgain(): void
  onOther(): void
}

const titles = {
  done: 'Imported',
  cancelled: 'You stopped the import',
  lost: 'The connection was lost',
  stopped: 'The import ended early',
}

export function ImportResult({ state, order, title, onAgain, onOther }: Props) {
  const { phase, rows, counts, columns, rejected, warned } = state
  const whole = phase === 'done'
  const saveRejected = () =>
    download(`${order.file.name.replace(/\.[^.]*$/, '')}-rejected.csv`, rejectedLines(columns, rejected))

  return (
    <Stack gap={16}>
      <div>
        <Title order={2} ref={title} tabIndex={-1}>
          {titles[phase as keyof typeof titles]}
        </Title>
        <Text c="dimmed">
          {whole
            ? `All ${formatCount(rows, 'row')} of ${order.file.name} were read.`
            : `At least ${formatNumber(counts.read)} of ${rows ? formatCount(rows, 'row') : 'the rows'} were imported and stay. Import the file again to continue after them.`}
        </Text>
      </div>
      <ImportCounts counts={counts} />
      <Group gap={8}>
        {whole ? (
          <Button component={Link} to="/leads">
            View leads
          </Button>
        ) : (
          <Button onClick={onAgain}>Import again</Button>
        )}
        {rejected.length > 0 && (
          <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={saveRejected}>
            Download rejected rows
          </Button>
        )}
        <Button variant="default" onClick={onOther}>
          Import another file
        </Button>
      </Group>
      {rejected.length > 0 && (
        <Text c="dimmed">Fix the rejected rows in the downloaded file, then import that file.</Text>
      )}
      <RowList
        title="Rejected rows"
        rows={rejected.map(({ line, reason, cells }) => ({ line, says: reason, cells }))}
        total={rejected.length}
      />
      <RowList
        title="Imported with warnings"
        rows={warned.map(({ line, warnings, lead_id }) => ({ line, says: sentences(warnings), lead_id }))}
        total={warned.length}
      />
    </Stack>
  )
}
