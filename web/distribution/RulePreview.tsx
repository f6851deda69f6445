import { Autocomplete, Select, Stack, TagsInput, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Problem } from '../ui/Problem.tsx'
import styles from './Distribution.module.css'
import { type LeadInQuestion, previewQuery, sourcesQuery, webhookNamesQuery } from './queries.ts'

interface Props {
  /** The rule that would decide, once something was tried. */
  onDecided(ruleId: string | undefined): void
}

/** Who would get a lead like this, without making one. */
export function RulePreview({ onDecided }: Props) {
  const { data: sources = [] } = useQuery(sourcesQuery)
  const { data: webhooks = [] } = useQuery(webhookNamesQuery)
  const [source, setSource] = useState<string | null>(null)
  const [city, setCity] = useState('')
  const [tags, setTags] = useState<string[]>([])
  const [webhookId, setWebhookId] = useState<string | null>(null)

  const lead: LeadInQuestion = {
    source: (source ?? sources[0] ?? '').trim(),
    ...(city.trim() ? { city: city.trim() } : {}),
    ...(tags.length > 0 ? { tags } : {}),
    ...(webhookId ? { webhook_id: webhookId } : {}),
  }
  const [asked] = useDebouncedValue(JSON.stringify(lead), 250)
  const preview = useQuery(previewQuery(JSON.parse(asked) as LeadInQuestion))
  const answer = lead.source ? preview.data : undefined
  const tried = source !== null || Object.keys(lead).length > 1
  const ruleId = tried ? answer?.rule?.id : undefined
  useEffect(() => onDecided(ruleId), [ruleId, onDecided])

  return (
    <section className={styles.panel} aria-labelledby="try-a-lead">
      <Title order={2} id="try-a-lead" mb={4}>
        Try a lead
      </Title>
      <Text c="dimmed" mb={16}>
        Who would get it just now. Takes nobody’s turn.
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
          placeholder="None, it comes by API key"
          data={webhooks}
          value={webhookId}
          onChange={setWebhookId}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear webhook' }}
        />
        <div className={styles.answer} role="status">
          {preview.error ? (
            <Problem error={preview.error} retry={() => void preview.refetch()} />
          ) : answer ? (
            <>
              <Text>
                {answer.next ? (
                  <>
                    This lead would go to <b>{answer.next.name}</b>, because:
                  </>
                ) : (
                  'No rule decides about this lead.'
                )}
              </Text>
              <Text c="dimmed">{answer.because}</Text>
            </>
          ) : (
            !lead.source && <Text c="dimmed">Every lead has a source: type one to see who would get it.</Text>
          )}
        </div>
      </Stack>
    </section>
  )
}
