import { Button, Group, Modal, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { MappingDryRun } from '#contract/webhooks'
import { useConnected } from '../../connection.ts'
import { formatNumber } from '../../ui/numbers.ts'
import { problemText } from '../../ui/Problem.tsx'
import { useNarrow } from '../../ui/screen-size.ts'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { fieldWord } from '../field-words.ts'
import { LongText } from '../LongText.tsx'
import { type Mapping, trialQuery } from '../queries.ts'
import styles from './MappingTab.module.css'

/** What a mapping that is not saved would change in past deliveries, and what it would lose. */
export function DryRun({ webhookId, mapping }: { webhookId: string; mapping: Mapping }) {
  const [tried] = useDebouncedValue(mapping, 400)
  const { data, error, isFetching } = useQuery(trialQuery(webhookId, tried))
  const connected = useConnected()
  // Of a lost connection the frame tells.
  if (error && !connected) return <Text c="dimmed">It is tried on past deliveries once the server answers.</Text>
  if (error && !isFetching) return <Text c="red">{problemText(error)}</Text>
  if (!data) return <Text c="dimmed">Trying it on past deliveries…</Text>
  if (data.tried === 0) return <Text c="dimmed">There are no past deliveries to try it on.</Text>
  return <Result data={data} />
}

function Result({ data }: { data: MappingDryRun }) {
  const [opened, { open, close }] = useDisclosure()
  const past = data.tried === 1 ? 'one past delivery' : `the last ${formatNumber(data.tried)} deliveries`
  const words = data.tried === 1 ? `Would change the ${past}` : `Would change ${formatNumber(data.changed)} of ${past}`
  return (
    <Group gap={8} align="flex-start">
      <div role="status" className={styles.dryRun}>
        {losesSomething(data) ? (
          <Losses data={data} past={past} />
        ) : (
          <Text>
            {data.changed > 0 ? words : data.tried === 1 ? `Changes nothing in the ${past}` : `Changes none of ${past}`}
          </Text>
        )}
      </div>
      {data.changed > 0 && (
        <Button variant="default" size="xs" onClick={open} flex="none">
          See them
        </Button>
      )}
      <Modal opened={opened} onClose={close} size="xl" title={words}>
        <Stack gap={24}>
          <Text c="dimmed">
            Leads that are there already do not change by themselves. Replay a delivery to have it read again.
          </Text>
          {data.deliveries.map((trial) => (
            <Changes key={keyOf(trial)} trial={trial} />
          ))}
        </Stack>
      </Modal>
    </Group>
  )
}

export const losesSomething = ({ would_be_rejected, would_lose_fields }: MappingDryRun) =>
  would_be_rejected + would_lose_fields > 0

const mostListed = 3

function Losses({ data, past }: { data: MappingDryRun; past: string }) {
  const narrow = useNarrow()
  const lossy = data.deliveries.filter(({ would_be_rejected, loses }) => would_be_rejected || loses.length > 0)
  const counts = [
    ...(data.would_be_rejected > 0 ? [`reject ${formatNumber(data.would_be_rejected)}`] : []),
    ...(data.would_lose_fields > 0 ? [`lose fields of ${formatNumber(data.would_lose_fields)}`] : []),
  ]
  return (
    <>
      <Text fw={600}>
        <IconAlertTriangle size={16} color="var(--amber)" aria-label="Warning" className={styles.warning} /> Would{' '}
        {counts.join(' and ')} of {past}
      </Text>
      <ul className={styles.losses}>
        {lossy.slice(0, mostListed).map((trial) => (
          <li key={keyOf(trial)}>
            <TrialTitle trial={trial} short={narrow} />: {effectOf(trial)}
          </li>
        ))}
        {lossy.length > mostListed && <li>and {formatNumber(lossy.length - mostListed)} more</li>}
      </ul>
    </>
  )
}

function effectOf({ would_be_rejected, loses }: Trial): string {
  return would_be_rejected ? 'rejected, without phone and email' : `loses ${loses.map(fieldWord).join(', ')}`
}

type Trial = MappingDryRun['deliveries'][number]

const keyOf = ({ delivery_id, record }: Trial) => `${delivery_id} ${record}`

function TrialTitle({ trial: { received_at, record }, short = false }: { trial: Trial; short?: boolean }) {
  return (
    <>
      <Timestamp at={received_at} short={short} />
      {record !== null && `, record ${record}`}
    </>
  )
}

function Changes({ trial }: { trial: Trial }) {
  const { changed, before, after, would_be_rejected, loses } = trial
  return (
    <section>
      <Title order={3} mb={4}>
        <TrialTitle trial={trial} />
      </Title>
      {(would_be_rejected || loses.length > 0) && (
        <Text fw={600} mb={4}>
          Would be {would_be_rejected ? effectOf(trial) : `saved, but ${effectOf(trial)}`}
        </Text>
      )}
      <dl className={styles.fields}>
        {changed.map((field) => (
          <div key={field}>
            <dt>{fieldWord(field)}</dt>
            <dd>
              <span className={styles.change}>
                <Text span inherit c="dimmed">
                  <LongText text={textOf(before[field])} />
                </Text>{' '}
                <span aria-hidden>→</span>
                <VisuallyHidden>becomes</VisuallyHidden> <LongText text={textOf(after[field])} />
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'nothing'
  return Array.isArray(value) ? value.join(', ') : String(value)
}
