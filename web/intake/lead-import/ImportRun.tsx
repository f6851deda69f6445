import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { Problem } from '../../platform/ui/Problem.tsx'
import { ImportCounts } from './ImportCounts.tsx'
import { ImportResult } from './ImportResult.tsx'
import type { ImportOrder, ImportState } from './use-import.ts'

interface Props {
  state: ImportState
  order: ImportOrder
  onCancel(): void
  onAgain(): void
  onBack(): void
  onOther(): void
}

/** The import while it runs, and what became of it. */
export function ImportRun({ state, order, onCancel, onAgain, onBack, onOther }: Props) {
  const { phase, rows, counts } = state
  const title = useRef<HTMLHeadingElement>(null)
  const running = phase === 'sending' || phase === 'running'
  // The button that was pressed is gone: the reader goes on here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for the beginning and once for the end
  useEffect(() => title.current?.focus(), [running])

  if (phase === 'rejected')
    return (
      <Stack gap={16} align="flex-start">
        <Problem error={state.error} />
        <Button variant="default" onClick={onBack}>
          <Trans>Back to the columns</Trans>
        </Button>
      </Stack>
    )
  if (!running) return <ImportResult state={state} order={order} title={title} onAgain={onAgain} onOther={onOther} />
  const { name } = order.file
  const share = rows === 0 ? 0 : (counts.read / rows) * 100
  return (
    <Stack gap={16}>
      <Title order={2} ref={title} tabIndex={-1}>
        <Trans>Importing {name}</Trans>
      </Title>
      <Progress.Root size={8} transitionDuration={150}>
        <Progress.Section
          value={phase === 'sending' ? 100 : share}
          animated={phase === 'sending'}
          striped={phase === 'sending'}
          aria-label={t`Rows read`}
        />
      </Progress.Root>
      <Group justify="space-between" gap={8}>
        <Text c="dimmed">
          {phase === 'sending'
            ? t`Sending the file…`
            : t`${{ read: formatNumber(counts.read) }} of ${{ all: formatNumber(rows) }} rows`}
        </Text>
        <Button variant="default" onClick={onCancel}>
          <Trans>Stop import</Trans>
        </Button>
      </Group>
      <ImportCounts counts={{ ...counts, rejected: Math.max(counts.rejected, state.rejected.length) }} />
      <Text c="dimmed">
        <Trans>Keep this page open: leaving it stops the import.</Trans>
      </Text>
    </Stack>
  )
}
