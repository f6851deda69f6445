import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { NativeSelect, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type LeadChoices, leadPriorities, leadStatuses } from '#contract/crm/leads'
import type { ImportPreview, ValueField } from '#contract/intake/lead-import'
import { leadFieldName, priorityNames, statusNames } from '../../crm/leads/lead-words.ts'
import { choicesQuery } from '../../crm/leads/queries.ts'
import { formatNumber } from '../../platform/ui/numbers.ts'
import styles from './LeadImport.module.css'

interface Props {
  preview: ImportPreview
  /** What the values are, by their ids. An empty text keeps a value as an answer. */
  chosen: Record<string, string>
  onChange(id: string, value: string): void
}

/** Owners, statuses, priorities and sources of the file that the account does not have: what each is, is chosen once for all its rows. */
export function UnknownValues({ preview: { unknown_values, other_unknown_values }, chosen, onChange }: Props) {
  const { data: choices } = useQuery(choicesQuery)
  if (unknown_values.length === 0) return null
  return (
    <section>
      <Title order={2} mb={4}>
        <Trans>Values to match</Trans>
      </Title>
      <Text c="dimmed" mb={8}>
        <Trans>What you do not choose is kept with the lead as an answer, and a source as it is.</Trans>
      </Text>
      <ul className={styles.columns} aria-label={t`Values to match`}>
        {unknown_values.map(({ id, field, value, rows }) => (
          <li key={id}>
            <Text fw={500} lineClamp={2}>
              {value}
            </Text>
            <Text c="dimmed">
              {leadFieldName(field)} · {plural(rows, { one: '# row', other: '# rows' })}
            </Text>
            <NativeSelect
              aria-label={t`Meaning of ${value}`}
              data={[
                { value: '', label: field === 'source' ? t`New source` : t`Keep as an answer` },
                ...optionsOf(field, choices),
              ]}
              value={chosen[id] ?? ''}
              onChange={({ currentTarget }) => onChange(id, currentTarget.value)}
            />
          </li>
        ))}
      </ul>
      {other_unknown_values > 0 && (
        <Text c="dimmed" mt={8}>
          {t`And ${{ count: formatNumber(other_unknown_values) }} more.`}
        </Text>
      )}
    </section>
  )
}

function optionsOf(field: ValueField, choices: LeadChoices | undefined): { value: string; label: string }[] {
  if (field === 'status') return leadStatuses.map((value) => ({ value, label: statusNames[value] }))
  if (field === 'priority') return leadPriorities.map((value) => ({ value, label: priorityNames[value] }))
  if (field === 'source') return (choices?.sources ?? []).map((value) => ({ value, label: value }))
  return (choices?.people ?? []).map(({ name, email, active }) => ({
    value: email,
    label: active ? name : t`${name} (deactivated)`,
  }))
}
