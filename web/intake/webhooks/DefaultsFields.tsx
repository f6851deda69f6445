import { t } from '@lingui/core/macro'
import { Select, Stack, TagsInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { leadStatuses } from '#contract/crm/leads'
import type { WebhookDefaults } from '#contract/intake/webhooks'
import { usersQuery } from '../../access/account/users.ts'
import { useUserStates } from '../../crm/availability/use-user-states.ts'
import { statusNames } from '../../crm/leads/lead-words.ts'
import { enterOnlyChooses } from '../../platform/ui/enter-only-chooses.ts'

/** Returns them as the server expects them: without a source, the source label is used. */
export const defaultsToSend = ({ default_source, ...others }: WebhookDefaults): WebhookDefaults => ({
  ...others,
  default_source: default_source?.trim() || null,
})

interface Props<Values extends WebhookDefaults> {
  form: UseFormReturnType<Values>
  sourceLabel: string
}

/** The values of a lead that its payload does not contain. */
export function DefaultsFields<Values extends WebhookDefaults>({ form, sourceLabel }: Props<Values>) {
  const { data: users = [] } = useQuery(usersQuery)
  const { withState } = useUserStates()
  const chosen = form.getValues().default_assignee
  const choosable = users.filter(({ id, active }) => active || id === chosen)
  const input = (name: keyof WebhookDefaults) => ({ key: form.key(name), ...form.getInputProps(name) })
  const { key: assigneeKey, ...assignee } = input('default_assignee')
  const { key: statusKey, ...status } = input('default_status')
  const { key: sourceKey, ...source } = input('default_source')
  const { key: tagsKey, ...tags } = input('default_tags')
  return (
    <Stack gap={16}>
      <Select
        key={assigneeKey}
        label={t`Default owner`}
        description={t`Used for leads that match no distribution rule.`}
        placeholder={t`By distribution rules`}
        data={choosable.map(({ id, name, email }) => ({ value: id, label: withState(`${name} · ${email}`, id) }))}
        searchable
        {...enterOnlyChooses}
        clearable
        clearButtonProps={{ 'aria-label': t`Clear default owner` }}
        nothingFoundMessage={t`No matches`}
        {...assignee}
      />
      <Select
        key={statusKey}
        label={t`Status`}
        description={t`Used when the payload has no status.`}
        data={leadStatuses.map((value) => ({ value, label: statusNames[value] }))}
        allowDeselect={false}
        {...status}
      />
      <TextInput
        key={sourceKey}
        label={t`Default source`}
        description={t`The source of new leads in place of the source label. A source in the payload, such as utm_source, comes first.`}
        placeholder={sourceLabel}
        maxLength={200}
        {...source}
        defaultValue={source.defaultValue ?? ''}
      />
      <TagsInput
        key={tagsKey}
        label={t`Tags`}
        description={t`Added to every lead of this webhook. Press Enter to add one.`}
        maxTags={50}
        {...tags}
      />
    </Stack>
  )
}
