import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Loader, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ImportPreview, RowKind } from '#contract/intake/lead-import'
import { Problem } from '../../platform/ui/Problem.tsx'
import { ImportCounts } from './ImportCounts.tsx'
import styles from './LeadImport.module.css'
import { RowList } from './RowList.tsx'
import { SharedContacts } from './SharedContacts.tsx'
import { WarningGroups } from './WarningGroups.tsx'

interface Props {
  preview: ImportPreview
  /** Columns were changed, and the file is being checked again. */
  checking: boolean
  error: unknown
  onRetry(): void
  onDownload(kind: RowKind): void
  /** Actions above the list of rows. */
  children: ReactNode
}

export function PreviewResult({ preview, checking, error, onRetry, onDownload, children }: Props) {
  return (
    <section aria-busy={checking}>
      <Group gap={8} mb={8} mih={24}>
        <Title order={2}>
          <Trans>Preview</Trans>
        </Title>
        <Text span c="dimmed" role="status">
          {checking ? (
            <>
              <Loader size={14} mr={8} aria-hidden />
              <Trans>Checking…</Trans>
            </>
          ) : (
            t`Nothing is imported yet`
          )}
        </Text>
      </Group>
      <Problem error={error} retry={onRetry} />
      <div className={styles.result} data-stale={checking || undefined}>
        <ImportCounts counts={preview} isPreview />
      </div>
      {children}
      <div className={styles.result} data-stale={checking || undefined}>
        <SharedContacts shared={preview.shared_contacts} />
        <RowList
          title={t`Rejected rows`}
          rows={preview.rejected_rows.map(({ line, reason, cells }) => ({ line, says: reason, cells }))}
          total={preview.rejected}
        />
        {preview.rejected > 0 && (
          <Button
            variant="default"
            mt={8}
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => onDownload('rejected')}
          >
            <Trans>Download rejected rows</Trans>
          </Button>
        )}
        <WarningGroups groups={preview.warnings} onDownload={onDownload} />
      </div>
    </section>
  )
}
