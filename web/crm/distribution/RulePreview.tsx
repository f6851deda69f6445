import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Autocomplete, Select, Stack, TagsInput, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Problem } from '../../platform/ui/Problem.tsx'
import { dateLocale } from '../../platform/ui/time.ts'
import { useUserStates } from '../availability/use-user-states.ts'
import styles from './Distribution.module.css'
import {
  knownQuestionsQuery,
  knownValuesQuery,
  previewQuery,
  rulesQuery,
  sourcesQuery,
  type TestLead,
  webhookNamesQuery,
} from './queries.ts'

const listed = new Intl.ListFormat(dateLocale, { type: 'disjunction' })

const namedFields = [
  { field: 'campaign', condition: 'campaigns', label: t`Campaign` },
  { field: 'product', condition: 'products', label: t`Product` },
  { field: 'form', condition: 'forms', label: t`Form` },
] as const
type Named = Partial<Record<(typeof namedFields)[number]['field'], string>>

function answersOf(typed: Record<string, string>): Pick<TestLead, 'answers'> {
  const answers = Object.entries(typed).flatMap(([question, answer]) =>
    answer.trim() ? [{ question, answer: answer.trim() }] : [],
  )
  return answers.length > 0 ? { answers } : {}
}

interface Props {
  /** Receives the rule that matches the test lead first. */
  onMatch(ruleId: string | undefined): void
}

/** Shows who would get a lead with these values, without creating one. */
export function RulePreview({ onMatch }: Props) {
  const { data: sources = [] } = useQuery(sourcesQuery)
  const { data: webhooks = [] } = useQuery(webhookNamesQuery)
  const [source, setSource] = useState<string | null>(null)
  const [city, setCity] = useState('')
  const [tags, setTags] = useState<string[]>([])
  const [webhookId, setWebhookId] = useState<string | null>(null)
  const { data: rules = [] } = useQuery(rulesQuery)
  const { data: known } = useQuery(knownValuesQuery)
  const { data: knownQuestions = [] } = useQuery(knownQuestionsQuery)
  const [named, setNamed] = useState<Named>({})
  const [answers, setAnswers] = useState<Record<string, string>>({})
  // Fields that no rule compares change nothing.
  const compared = namedFields.filter(({ condition }) => rules.some((rule) => rule[condition].length > 0))
  const questions = [...new Set(rules.flatMap((rule) => rule.answers.map(({ question }) => question)))]

  const lead: TestLead = {
    source: (source ?? sources[0] ?? '').trim(),
    ...(city.trim() ? { city: city.trim() } : {}),
    ...(tags.length > 0 ? { tags } : {}),
    ...(webhookId ? { webhook_id: webhookId } : {}),
    ...Object.fromEntries(Object.entries(named).filter(([, value]) => value.trim())),
    ...answersOf(answers),
  }
  const [debounced] = useDebouncedValue(JSON.stringify(lead), 250)
  const { stateOf } = useUserStates()
  const preview = useQuery(previewQuery(JSON.parse(debounced) as TestLead))
  const answer = lead.source ? preview.data : undefined
  const hasInput = source !== null || Object.keys(lead).length > 1
  const ruleId = hasInput ? answer?.rule?.id : undefined
  useEffect(() => onMatch(ruleId), [ruleId, onMatch])

  const names = listed.format(answer?.offered_to.map(({ name }) => name) ?? [])
  const next = answer?.next?.name
  const invited = [...(answer?.next ? [answer.next] : []), ...(answer?.offered_to ?? [])]
    .filter(({ user_id }) => stateOf(user_id)?.state === 'invited')
    .map(({ name }) => name)

  return (
    <section className={styles.panel} aria-labelledby="test-a-lead">
      <Title order={2} id="test-a-lead" mb={4}>
        <Trans>Test a lead</Trans>
      </Title>
      <Text c="dimmed" mb={16}>
        <Trans>Shows who would get this lead now. This test does not use up anyone’s turn.</Trans>
      </Text>
      <Stack gap={12}>
        <Autocomplete
          label={t`Source`}
          data={sources}
          maxLength={200}
          value={source ?? sources[0] ?? ''}
          onChange={setSource}
        />
        <TextInput
          label={t`City`}
          maxLength={200}
          value={city}
          onChange={(event) => setCity(event.currentTarget.value)}
          autoComplete="off"
        />
        <TagsInput label={t`Tags`} maxTags={50} maxLength={100} value={tags} onChange={setTags} />
        <Select
          label={t`Webhook`}
          placeholder={t`None: sent with an API key`}
          data={webhooks}
          value={webhookId}
          onChange={setWebhookId}
          clearable
          clearButtonProps={{ 'aria-label': t`Clear webhook` }}
        />
        {compared.map(({ field, condition, label }) => (
          <Autocomplete
            key={field}
            label={label}
            data={known?.[condition] ?? []}
            maxLength={200}
            value={named[field] ?? ''}
            onChange={(value) => setNamed({ ...named, [field]: value })}
          />
        ))}
        {questions.map((question) => (
          <Autocomplete
            key={question}
            label={question}
            data={knownQuestions.find((one) => one.question === question)?.answers ?? []}
            maxLength={500}
            value={answers[question] ?? ''}
            onChange={(answer) => setAnswers({ ...answers, [question]: answer })}
          />
        ))}
        <div className={styles.answer} role="status" aria-busy={lead.source !== '' && !preview.data && !preview.error}>
          {preview.error ? (
            <Problem error={preview.error} retry={() => void preview.refetch()} />
          ) : answer ? (
            <>
              <Text>
                {answer.offered_to.length > 0 ? (
                  <Trans>
                    First to claim: <b>{names}</b>
                  </Trans>
                ) : answer.next ? (
                  <Trans>
                    The owner would be <b>{next}</b>:
                  </Trans>
                ) : (
                  t`No rule matches this lead.`
                )}
              </Text>
              <Text c="dimmed">{answer.because}</Text>
              {invited.map((name) => (
                <Text key={name}>
                  <IconAlertTriangle size={14} color="var(--amber)" className={styles.warning} aria-hidden />
                  {t`${name} has not joined yet.`}
                </Text>
              ))}
            </>
          ) : (
            !lead.source && <Text c="dimmed">{t`Enter a source: every lead has one.`}</Text>
          )}
        </div>
      </Stack>
    </section>
  )
}
