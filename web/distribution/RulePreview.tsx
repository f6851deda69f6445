import { Autocomplete, Select, Stack, TagsInput, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Problem } from '../ui/Problem.tsx'
import styles from './Distribution.module.css'
import { previewQuery, sourcesQuery, type TestLead, webhookNamesQuery } from './queries.ts'

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

  const lead: TestLead = {
    source: (source ?? sources[0] ?? '').trim(),
    ...(city.trim() ? { city: city.trim() } : {}),
    ...(tags.length > 0 ? { tags } : {}),
    ...(webhookId ? { webhook_id: webhookId } : {}),
  }
  const [debounced] = useDebouncedValue(JSON.stringify(lead), 250)
  const preview = useQuery(previewQuery(JSON.parse(debounced) as TestLead))
  const answer = lead.source ? preview.data : undefined
  const hasInput = source !== null || Object.keys(lead).length > 1
  const ruleId = hasInput ? answer?.rule?.id : undefined
  useEffect(() => onMatch(ruleId), [ruleId, onMatch])

  return (
    <section className={styles.panel} aria-labelledby="test-a-lead">
      <Title order={2} id="test-a-lead" mb={4}>
        Test a lead
      </Title>
      <Text c="dimmed" mb={16}>
        Shows who would get this lead now. This test does not use up anyone’s turn.
      </Text>
      <Stack gap={12}>
        <Autocomplete
          label="Source"
          data={sources}
          maxLength={200}
          value={source ?? sources[0] ?? ''}
          onChange={setSource}
        />
        <TextInput
          label="City"
          maxLength={200}
          value={city}
          onChange={(event) => setCity(event.currentTarget.value)}
          autoComplete="off"
        />
        <TagsInput label="Tags" maxTags={50} maxLength={100} value={tags} onChange={setTags} />
        <Select
          label="Webhook"
          placeholder="None: sent with an API key"
          data={webhooks}
          value={webhookId}
          onChange={setWebhookId}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear webhook' }}
        />
        <div className={styles.answer} role="status" aria-busy={lead.source !== '' && !preview.data && !preview.error}>
          {preview.error ? (
            <Problem error={preview.error} retry={() => void preview.refetch()} />
          ) : answer ? (
            <>
              <Text>
                {answer.next ? (
                  <>
                    The owner would be <b>{answer.next.name}</b>:
                  </>
                ) : (
                  'No rule matches this lead.'
                )}
              </Text>
              <Text c="dimmed">{answer.because}</Text>
            </>
          ) : (
            !lead.source && <Text c="dimmed">Enter a source: every lead has one.</Text>
          )}
        </div>
      </Stack>
    </section>
  )
}
