import { Alert, Button, Group, NativeSelect, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ImportPreview } from '#contract/lead-import'
import { canBeReached, chosenTwice, fieldOptions, type ImportField, isField } from './fields.ts'
import styles from './LeadImport.module.css'

interface Props {
  trial: ImportPreview
  /** What each column is taken for by now. */
  fields: ImportField[]
  onChange(column: string, field: ImportField): void
  /** Back to what was recognised, where something was changed. */
  onRecognised: (() => void) | undefined
}

export function ColumnList({ trial, fields, onChange, onRecognised }: Props) {
  const twice = chosenTwice(fields)
  return (
    <section>
      <Group justify="space-between" gap={8} mb={8} mih={36}>
        <Title order={2}>Columns</Title>
        {onRecognised && (
          <Button variant="subtle" color="gray" onClick={onRecognised}>
            Undo changes
          </Button>
        )}
      </Group>
      {!canBeReached(fields) && (
        <Alert role="alert" variant="default" icon={<IconAlertTriangle color="var(--amber)" />} mb={16}>
          No column is a phone or an email, and without one every row is refused. Say below which column it is; if the
          samples look wrong, save the file as “CSV UTF-8” and choose it again.
        </Alert>
      )}
      <ul className={styles.columns} aria-label="Columns">
        {trial.columns.map(({ name, reason }, index) => (
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
              {sampleOf(trial, index) || 'Empty in the first rows'}
            </Text>
            <NativeSelect
              aria-label={`What ${name} is`}
              data={fieldOptions}
              value={fields[index] ?? 'ignore'}
              onChange={({ currentTarget: { value } }) => isField(value) && onChange(name, value)}
            />
          </li>
        ))}
      </ul>
      {twice.length > 0 && (
        <Text c="dimmed" mt={8}>
          More than one column is {twice.join(' and ')}: of each row the first that holds something counts.
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
