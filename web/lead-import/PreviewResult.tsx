import { Group, Loader, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ImportPreview } from '#contract/lead-import'
import { Problem } from '../ui/Problem.tsx'
import { ImportCounts } from './ImportCounts.tsx'
import styles from './LeadImport.module.css'
import { RowList } from './RowList.tsx'

interface Props {
  trial: ImportPreview
  /** Columns were changed since. */
  checking: boolean
  error: unknown
  onRetry(): void
  /** What to do about it, before the rows one by one. */
  children: ReactNode
}

export function PreviewResult({ trial, checking, error, onRetry, children }: Props) {
  return (
    <section aria-busy={checking}>
      <Group gap={8} mb={8} mih={24}>
        <Title order={2}>What would happen</Title>
        <Text span c="dimmed" role="status">
          {checking ? (
            <>
              <Loader size={14} mr={8} aria-hidden />
              Checking…
            </>
          ) : (
            'Nothing is imported yet'
          )}
        </Text>
      </Group>
      <Problem error={error} retry={onRetry} />
      <div className={styles.result} data-stale={checking || undefined}>
        <ImportCounts counts={trial} foreseen />
      </div>
      {children}
      <div className={styles.result} data-stale={checking || undefined}>
        <RowList
          title="Refused rows"
          rows={trial.refused_rows.map(({ line, reason, cells }) => ({ line, says: reason, cells }))}
          total={trial.refused}
        />
        <RowList
          title="Imported with a remark"
          rows={trial.warned_rows.map(({ line, warnings }) => ({ line, says: sentences(warnings) }))}
          total={trial.warned}
        />
      </div>
    </section>
  )
}

export const sentences = (warnings: string[]) => warnings.map((warning) => `${warning}.`).join(' ')
