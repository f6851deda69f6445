import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, NativeSelect, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ImportPreview } from '#contract/intake/lead-import'
import { useIsAdmin } from '../../access/account/me.ts'
import { dateLocale } from '../../platform/ui/time.ts'
import { canBeReached, chosenTwice, fieldOptions, type ImportField, isField } from './fields.ts'
import styles from './LeadImport.module.css'

interface Props {
  preview: ImportPreview
  /** The field of each column. */
  fields: ImportField[]
  onChange(column: string, field: ImportField): void
  /** Resets to the recognised fields, if any was changed. */
  onRecognised: (() => void) | undefined
}

export function ColumnList({ preview, fields, onChange, onRecognised }: Props) {
  const twice = new Intl.ListFormat(dateLocale).format(chosenTwice(fields))
  const isAdmin = useIsAdmin()
  return (
    <section>
      <Group justify="space-between" gap={8} mb={8} mih={36}>
        <Title order={2}>
          <Trans>Columns</Trans>
        </Title>
        {onRecognised && (
          <Button variant="subtle" color="gray" onClick={onRecognised}>
            <Trans>Reset to automatic</Trans>
          </Button>
        )}
      </Group>
      {!canBeReached(fields) && (
        <Alert role="alert" variant="default" icon={<IconAlertTriangle color="var(--amber)" />} mb={16}>
          <Trans>
            No column is mapped to phone or email, so every row is rejected. Map one below. If the samples look wrong,
            save the file as “CSV UTF-8” and choose it again.
          </Trans>
        </Alert>
      )}
      <ul className={styles.columns} aria-label={t`Columns`}>
        {preview.columns.map(({ name, field, reason }, index) => (
          <li key={name}>
            <div className={styles.column}>
              <Text fw={500} lineClamp={2}>
                {name}
              </Text>
              <Text size="xs" c="dimmed">
                {reason}
              </Text>
            </div>
            <Text c="dimmed" lineClamp={2} className={styles.sample}>
              {sampleOf(preview, index) || t`Empty in the first rows`}
            </Text>
            <NativeSelect
              aria-label={t`Field for ${name}`}
              data={fieldOptions(isAdmin, field)}
              value={fields[index] ?? 'ignore'}
              onChange={({ currentTarget: { value } }) => isField(value) && onChange(name, value)}
            />
          </li>
        ))}
      </ul>
      {twice && (
        <Text c="dimmed" mt={8}>
          <Trans>More than one column is mapped to {twice}: the first column with a value counts.</Trans>
        </Text>
      )}
    </section>
  )
}

/** Up to three different values of the first rows. */
function sampleOf({ first_rows }: ImportPreview, index: number): string {
  const values = first_rows.map(({ cells }) => cells[index]?.trim() ?? '').filter(Boolean)
  return [...new Set(values)].slice(0, 3).join(' · ')
}
