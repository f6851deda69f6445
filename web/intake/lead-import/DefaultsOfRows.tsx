import { t } from '@lingui/core/macro'
import { Group, Select, TagsInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { maxTagLength, maxTagsAtOnce } from '#contract/crm/leads'
import { useIsAdmin } from '../../access/account/me.ts'
import { useUserStates } from '../../crm/availability/use-user-states.ts'
import { choicesQuery } from '../../crm/leads/queries.ts'
import type { RowDefaults } from './send-file.ts'

interface Props {
  value: RowDefaults
  onChange(value: RowDefaults): void
  /** A choice is made, or a field with text is left. */
  onLeave(value: RowDefaults): void
}

/** Source and owner of rows that name none, and tags of all rows. */
export function DefaultsOfRows({ value, onChange, onLeave }: Props) {
  const isAdmin = useIsAdmin()
  const { data: choices } = useQuery(choicesQuery)
  const { withState } = useUserStates()
  const people = (choices?.people ?? []).filter(({ active }) => active)
  const choose = (change: Partial<RowDefaults>) => {
    onChange({ ...value, ...change })
    onLeave({ ...value, ...change })
  }
  return (
    <Group gap={16} align="flex-start" grow preventGrowOverflow={false} wrap="wrap">
      <TextInput
        label={t`Source`}
        description={t`For new leads whose row has none`}
        value={value.source}
        onChange={(event) => onChange({ ...value, source: event.currentTarget.value })}
        onBlur={() => onLeave(value)}
        maxLength={200}
      />
      <Select
        label={t`Owner`}
        description={t`For new leads whose row has none`}
        data={[
          { value: '', label: isAdmin ? t`By your distribution rules, else you` : t`You` },
          ...people.map(({ id, name, email }) => ({ value: email, label: withState(name, id) })),
        ]}
        value={value.owner}
        onChange={(owner) => choose({ owner: owner ?? '' })}
        allowDeselect={false}
        searchable
      />
      <TagsInput
        label={t`Tags`}
        description={t`For the leads of all rows`}
        placeholder={value.tags.length > 0 ? '' : t`Press Enter after each tag`}
        data={choices?.tags ?? []}
        value={value.tags}
        onChange={(tags) => choose({ tags })}
        maxTags={maxTagsAtOnce}
        maxLength={maxTagLength}
        acceptValueOnBlur
      />
    </Group>
  )
}
