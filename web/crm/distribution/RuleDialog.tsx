import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Collapse, MultiSelect, NumberInput, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Replay, Rule } from '#contract/crm/distribution'
import { type Data, post } from '../../platform/api/api.ts'
import { enterOnlyChooses } from '../../platform/ui/enter-only-chooses.ts'
import { FormActions } from '../../platform/ui/FormActions.tsx'
import { FormModal } from '../../platform/ui/FormModal.tsx'
import { changesSince } from '../../platform/ui/form-changes.ts'
import { minuteOptions, minutesOf, minutesText } from '../../platform/ui/minutes.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { KnownValuesField } from '../leads/KnownValuesField.tsx'
import { AnswersField } from './AnswersField.tsx'
import { AssigneesField, type WeightedUser } from './AssigneesField.tsx'
import styles from './Distribution.module.css'
import {
  addRule,
  changeRule,
  knownQuestionsQuery,
  knownValuesQuery,
  sourcesQuery,
  webhookNamesQuery,
} from './queries.ts'
import { RuleReplay } from './RuleReplay.tsx'

interface Props {
  /** The rule to edit; undefined creates a new one. */
  rule: Rule | undefined
  opened: boolean
  onClose(): void
}

export function RuleDialog({ rule, opened, onClose }: Props) {
  return (
    <FormModal
      opened={opened}
      onClose={onClose}
      title={rule ? t`Edit ${{ rule: rule.name }}` : t`Create rule`}
      size={560}
    >
      <RuleForm rule={rule} onClose={onClose} />
    </FormModal>
  )
}

function RuleForm({ rule, onClose }: Omit<Props, 'opened'>) {
  const { data: sources } = useQuery(sourcesQuery)
  const { data: webhooks = [] } = useQuery(webhookNamesQuery)
  const { data: known } = useQuery(knownValuesQuery)
  const { data: questions = [] } = useQuery(knownQuestionsQuery)
  const [hasMore, { toggle, open }] = useDisclosure(rule !== undefined && comparesEnquiry(rule))
  const [answers, setAnswers] = useState(rule?.answers ?? [])
  const [isClaimed, setIsClaimed] = useState(rule?.method === 'first_to_claim')
  const [people, setPeople] = useState<WeightedUser[]>(assigneesOf(rule))
  const replay = useMutation({
    mutationFn: async () => {
      const { name, ...values } = sentOf(form.getValues())
      const tried = { ...values, paused: rule?.paused ?? false, name: name.trim() || t`New rule` }
      return (await post<Data<Replay>>('/web/distribution-rules/replay', { ...(rule && { id: rule.id }), ...tried }))
        .data
    },
  })
  const { form, saving, submit, problem } = useSaveForm({
    initialValues: shownOf(rule),
    onValuesChange: (values) => {
      setIsClaimed(values.method === 'first_to_claim')
      if (values.method === 'first_to_claim' && values.pass_on_after === 'never')
        form.setFieldValue('pass_on_after', usualClaimTime)
      replay.reset()
    },
    validate: {
      name: (name) => (name.trim() ? null : t`Give the rule a name.`),
      answers: (conditions) => {
        if (conditions.every(({ question, answers }) => question.trim() && answers.length > 0)) return null
        open()
        return t`Enter a question and at least one answer, or remove the question.`
      },
      people: (people) => (people.length > 0 ? null : t`Add at least one assignee.`),
    },
    save: async (values) => {
      const after = sentOf({ ...values, name: values.name.trim() })
      if (!rule) {
        await addRule(after)
        onClose()
        return notify(t`Created “${{ name: after.name }}”. It applies to new leads from now on.`)
      }
      const before = sentOf(shownOf(rule))
      await changeRule(rule.id, changesSince(before, after))
      onClose()
      notify(t`Saved “${{ name: after.name }}”`, () => changeRule(rule.id, changesSince(after, before)))
    },
  })

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        <TextInput
          label={t`Name`}
          required
          maxLength={200}
          autoComplete="off"
          data-autofocus
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <Text c="dimmed">
          <Trans>
            The rule matches a lead that has one of the values in each field below. An empty field matches every lead.
          </Trans>
        </Text>
        <KnownValuesField
          label={t`Sources`}
          known={sources}
          maxKnown={maxSources}
          maxTags={200}
          maxLength={200}
          key={form.key('sources')}
          {...form.getInputProps('sources')}
        />
        <KnownValuesField
          label={t`Cities`}
          known={known?.cities}
          maxTags={200}
          maxLength={200}
          key={form.key('cities')}
          {...form.getInputProps('cities')}
        />
        <KnownValuesField
          label={t`Tags`}
          known={known?.tags}
          maxTags={200}
          maxLength={100}
          key={form.key('tags')}
          {...form.getInputProps('tags')}
        />
        <MultiSelect
          label={t`Webhooks`}
          placeholder={webhooks.length === 0 ? t`There are none yet` : undefined}
          data={webhooks}
          searchable
          {...enterOnlyChooses}
          nothingFoundMessage={t`No matches`}
          key={form.key('webhook_ids')}
          {...form.getInputProps('webhook_ids')}
        />
        <div>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            aria-expanded={hasMore}
            rightSection={hasMore ? <IconChevronUp size={14} /> : <IconChevronDown size={14} />}
            onClick={toggle}
          >
            <Trans>Campaign, product, form and answers</Trans>
          </Button>
          <Collapse expanded={hasMore} transitionDuration={120}>
            <Stack gap={16} mt={12}>
              {(['campaigns', 'products', 'forms'] as const).map((name) => (
                <KnownValuesField
                  label={conditionLabels[name]}
                  known={known?.[name]}
                  maxTags={200}
                  maxLength={200}
                  key={form.key(name)}
                  {...form.getInputProps(name)}
                />
              ))}
              <AnswersField
                conditions={answers}
                known={questions}
                onChange={(conditions) => {
                  setAnswers(conditions)
                  form.setFieldValue('answers', conditions)
                }}
                error={form.errors.answers ? String(form.errors.answers) : undefined}
              />
            </Stack>
          </Collapse>
        </div>
        <Radio.Group label={t`How a user is chosen`} key={form.key('method')} {...form.getInputProps('method')}>
          <Stack gap={8} mt={8}>
            <Radio
              value="round_robin"
              label={t`Round robin`}
              description={t`Assignees get leads in turn, by weight.`}
            />
            <Radio
              value="first_to_claim"
              label={t`First to claim`}
              description={t`The lead has no owner until an assignee claims it in Call next. Until then they see its name, source, city and notes.`}
            />
          </Stack>
        </Radio.Group>
        <AssigneesField
          weighted={!isClaimed}
          assignees={people}
          onChange={(assignees) => {
            setPeople(assignees)
            form.setFieldValue('people', assignees)
          }}
          error={form.errors.people ? String(form.errors.people) : undefined}
        />
        <NumberInput
          label={t`Daily limit`}
          description={
            isClaimed
              ? t`How many leads a user may claim by this rule on a day. Empty: no limit.`
              : t`How many leads a user gets by this rule on a day. Then the other users get them, then the next rule. Empty: no limit.`
          }
          placeholder={t`No limit`}
          min={1}
          max={999}
          classNames={{ wrapper: styles.short }}
          allowDecimal={false}
          allowNegative={false}
          clampBehavior="strict"
          key={form.key('daily_limit')}
          {...form.getInputProps('daily_limit')}
        />
        <Select
          label={isClaimed ? t`Pass on if unclaimed after` : t`Pass on after`}
          description={
            isClaimed
              ? t`If no assignee has claimed the lead, the next rule applies. In working hours of the account.`
              : t`If the owner has not called the lead or changed anything, another available user of the rule gets it. In working hours of the owner.`
          }
          data={minuteOptions(rule?.pass_on_after ?? null).filter(({ value }) => !isClaimed || value !== 'never')}
          allowDeselect={false}
          key={form.key('pass_on_after')}
          {...form.getInputProps('pass_on_after')}
        />
        <RuleReplay
          replay={replay}
          onTry={() =>
            form.validateField('people').hasError || form.validateField('answers').hasError || replay.mutate()
          }
        />
        <FormActions
          problem={problem}
          onCancel={onClose}
          action={rule ? t`Save changes` : t`Create rule`}
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
  campaigns: rule?.campaigns ?? [],
  products: rule?.products ?? [],
  forms: rule?.forms ?? [],
  answers: rule?.answers ?? [],
  people: assigneesOf(rule),
  method: rule?.method ?? 'round_robin',
  pass_on_after: minutesText(rule?.pass_on_after ?? null),
  daily_limit: (rule?.daily_limit ?? '') as number | string,
})

const sentOf = (values: ReturnType<typeof shownOf>) => ({
  ...values,
  answers: values.answers.map(({ question, answers }) => ({ question: question.trim(), answers })),
  pass_on_after: minutesOf(values.pass_on_after),
  daily_limit: values.daily_limit === '' ? null : Number(values.daily_limit),
})

const assigneesOf = (rule: Rule | undefined): WeightedUser[] =>
  rule?.people.map(({ user_id, weight }) => ({ user_id, weight })) ?? []

const comparesEnquiry = ({ campaigns, products, forms, answers }: Rule) =>
  [campaigns, products, forms, answers].some((values) => values.length > 0)

const conditionLabels = { campaigns: t`Campaigns`, products: t`Products`, forms: t`Forms` }

const usualClaimTime = '15'

/** The server lists the most used ones. */
const maxSources = 200
