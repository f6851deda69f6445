import { MultiSelect, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Rule } from '#contract/distribution'
import { type Data, patch, post } from '../api.ts'
import { enterOnlyChooses } from '../ui/enter-only-chooses.ts'
import { FormActions } from '../ui/FormActions.tsx'
import { FormModal } from '../ui/FormModal.tsx'
import { changesSince } from '../ui/form-changes.ts'
import { minuteOptions, minutesOf, minutesText } from '../ui/minutes.ts'
import { notify } from '../ui/notify.tsx'
import { useSaveForm } from '../ui/use-save-form.ts'
import { AssigneesField, type WeightedUser } from './AssigneesField.tsx'
import { sourcesQuery, useRulesChanged, webhookNamesQuery } from './queries.ts'

interface Props {
  /** The rule to edit; undefined creates a new one. */
  rule: Rule | undefined
  opened: boolean
  onClose(): void
}

export function RuleDialog({ rule, opened, onClose }: Props) {
  return (
    <FormModal opened={opened} onClose={onClose} title={rule ? `Edit ${rule.name}` : 'Create rule'} size={560}>
      <RuleForm rule={rule} onClose={onClose} />
    </FormModal>
  )
}

function RuleForm({ rule, onClose }: Omit<Props, 'opened'>) {
  const { data: sources = [] } = useQuery(sourcesQuery)
  const { data: webhooks = [] } = useQuery(webhookNamesQuery)
  const changed = useRulesChanged()
  const [chosen, setChosen] = useState(rule?.sources ?? [])
  const unknown = sources.length < maxSources ? chosen.filter((source) => !isKnown(source, sources)) : []
  const [people, setPeople] = useState<WeightedUser[]>(assigneesOf(rule))
  const { form, saving, submit, problem } = useSaveForm({
    initialValues: shownOf(rule),
    onValuesChange: (values) => setChosen(values.sources),
    validate: {
      name: (name) => (name.trim() ? null : 'Give the rule a name.'),
      people: (people) => (people.length > 0 ? null : 'Add at least one assignee.'),
    },
    save: async (values) => {
      const after = sentOf({ ...values, name: values.name.trim() })
      if (!rule) {
        changed((await post<Data<Rule[]>>('/web/distribution-rules', after)).data)
        onClose()
        return notify(`Created “${after.name}”. It applies to new leads from now on.`)
      }
      const send = async (change: object) =>
        changed((await patch<Data<Rule[]>>(`/web/distribution-rules/${rule.id}`, change)).data)
      const before = sentOf(shownOf(rule))
      await send(changesSince(before, after))
      onClose()
      notify(`Saved “${after.name}”`, () => send(changesSince(after, before)))
    },
  })

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        <TextInput
          label="Name"
          required
          maxLength={200}
          autoComplete="off"
          data-autofocus
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <Text c="dimmed">
          The rule matches a lead that has one of the values in each field below. An empty field matches every lead.
        </Text>
        <TagsInput
          label="Sources"
          data={sources}
          selectFirstOptionOnChange
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          description={unknown.length > 0 && `No lead has the source ${quotedList(unknown)} yet. Check the spelling.`}
          maxTags={200}
          maxLength={200}
          key={form.key('sources')}
          {...form.getInputProps('sources')}
        />
        <TagsInput
          label="Cities"
          maxTags={200}
          maxLength={200}
          key={form.key('cities')}
          {...form.getInputProps('cities')}
        />
        <TagsInput label="Tags" maxTags={200} maxLength={100} key={form.key('tags')} {...form.getInputProps('tags')} />
        <MultiSelect
          label="Webhooks"
          placeholder={webhooks.length === 0 ? 'There are none yet' : undefined}
          data={webhooks}
          searchable
          {...enterOnlyChooses}
          nothingFoundMessage="No matches"
          key={form.key('webhook_ids')}
          {...form.getInputProps('webhook_ids')}
        />
        <AssigneesField
          assignees={people}
          onChange={(assignees) => {
            setPeople(assignees)
            form.setFieldValue('people', assignees)
          }}
          error={form.errors.people ? String(form.errors.people) : undefined}
        />
        <Select
          label="Pass on after"
          description="If the owner has not called the lead or changed anything, another available user of the rule gets it. In working hours of the owner."
          data={minuteOptions(rule?.pass_on_after ?? null)}
          allowDeselect={false}
          key={form.key('pass_on_after')}
          {...form.getInputProps('pass_on_after')}
        />
        <FormActions
          problem={problem}
          onCancel={onClose}
          action={rule ? 'Save changes' : 'Create rule'}
          busy={saving.isPending}
        />
      </Stack>
    </form>
  )
}

const shownOf = (rule: Rule | undefined) => ({
  name: rule?.name ?? '',
  sources: rule?.sources ?? [],
  cities: rule?.cities ?? [],
  tags: rule?.tags ?? [],
  webhook_ids: rule?.webhook_ids ?? [],
  people: assigneesOf(rule),
  pass_on_after: minutesText(rule?.pass_on_after ?? null),
})

const sentOf = (values: ReturnType<typeof shownOf>) => ({ ...values, pass_on_after: minutesOf(values.pass_on_after) })

const assigneesOf = (rule: Rule | undefined): WeightedUser[] =>
  rule?.people.map(({ user_id, weight }) => ({ user_id, weight })) ?? []

/** The server lists the most used ones. */
const maxSources = 200

const isKnown = (source: string, sources: string[]) =>
  sources.some((known) => known.toLowerCase() === source.trim().toLowerCase())

const quotedList = (names: string[]) => names.map((name) => `“${name}”`).join(', ')
