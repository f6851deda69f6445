import { Modal, MultiSelect, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Rule } from '#contract/distribution'
import { type Data, patch, post } from '../api.ts'
import { FormActions } from '../ui/FormActions.tsx'
import { changesSince } from '../ui/form-changes.ts'
import { problemOfForm, toFirstProblem } from '../ui/form-problem.ts'
import { notify, notifyProblem } from '../ui/notify.tsx'
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
    <Modal
      opened={opened}
      onClose={onClose}
      title={rule ? `Edit ${rule.name}` : 'Create rule'}
      size={560}
      closeOnClickOutside={false}
    >
      <RuleForm rule={rule} onClose={onClose} />
    </Modal>
  )
}

const fields = ['name', 'sources', 'cities', 'tags', 'webhook_ids', 'people']

function RuleForm({ rule, onClose }: Omit<Props, 'opened'>) {
  const { data: sources = [] } = useQuery(sourcesQuery)
  const { data: webhooks = [] } = useQuery(webhookNamesQuery)
  const changed = useRulesChanged()
  const [people, setPeople] = useState<WeightedUser[]>(assigneesOf(rule))
  const [problem, setProblem] = useState<unknown>(null)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: conditionsOf(rule),
    validate: { name: (name) => (name.trim() ? null : 'Give the rule a name.') },
  })

  const save = useMutation({
    mutationFn: async (values: typeof form.values) => {
      const body = { ...values, name: values.name.trim(), people }
      const saved = rule
        ? await patch<Data<Rule[]>>(`/web/distribution-rules/${rule.id}`, changesSince(shownOf(rule), body))
        : await post<Data<Rule[]>>('/web/distribution-rules', body)
      return saved.data
    },
    onSuccess: (rules, values) => {
      const { name } = values
      changed(rules)
      onClose()
      if (!rule) return notify(`Created “${name.trim()}”. It applies to new leads from now on.`)
      const undo = changesSince({ ...values, name: name.trim(), people }, shownOf(rule))
      notify(`Saved “${name.trim()}”`, () =>
        patch<Data<Rule[]>>(`/web/distribution-rules/${rule.id}`, undo).then(
          ({ data }) => changed(data),
          notifyProblem,
        ),
      )
    },
    onError: (error) => setProblem(problemOfForm(form, fields, error)),
  })

  return (
    <form
      onSubmit={form.onSubmit(
        (values) => {
          setProblem(null)
          if (people.length === 0) return form.setFieldError('people', 'Add at least one assignee.')
          save.mutate(values)
        },
        toFirstProblem(form, fields),
      )}
      noValidate
    >
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
          nothingFoundMessage="No matches"
          key={form.key('webhook_ids')}
          {...form.getInputProps('webhook_ids')}
        />
        <AssigneesField
          assignees={people}
          onChange={(assignees) => {
            setPeople(assignees)
            form.clearFieldError('people')
          }}
          error={form.errors.people ? String(form.errors.people) : undefined}
        />
        <FormActions
          problem={problem}
          onCancel={onClose}
          action={rule ? 'Save changes' : 'Create rule'}
          busy={save.isPending}
        />
      </Stack>
    </form>
  )
}

const conditionsOf = (rule: Rule | undefined) => ({
  name: rule?.name ?? '',
  sources: rule?.sources ?? [],
  cities: rule?.cities ?? [],
  tags: rule?.tags ?? [],
  webhook_ids: rule?.webhook_ids ?? [],
})

const shownOf = (rule: Rule) => ({ ...conditionsOf(rule), people: assigneesOf(rule) })

const assigneesOf = (rule: Rule | undefined): WeightedUser[] =>
  rule?.people.map(({ user_id, weight }) => ({ user_id, weight })) ?? []
