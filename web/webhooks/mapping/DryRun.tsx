import { Button, Group, Modal, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { MappingDryRun } from '#contract/webhooks'
import { useConnected } from '../../connection.ts'
import { Arrows } from '../../ui/Arrows.tsx'
import { formatNumber } from '../../ui/numbers.ts'
import { problemText } from '../../ui/Problem.tsx'
import { useNarrow } from '../../ui/screen-size.ts'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { mappedFieldLabel } from '../field-labels.ts'
import { LongText } from '../LongText.tsx'
import { dryRunQuery, type Mapping } from '../queries.ts'
import styles from './MappingTab.module.css'

/** Shows what an unsaved mapping would change or lose in past deliveries. */
export function DryRun({ webhookId, mapping }: { webhookId: string; mapping: Mapping }) {
  const [checked] = useDebouncedValue(mapping, 400)
  const { data, error, isFetching } = useQuery(dryRunQuery(webhookId, checked))
  const connected = useConnected()
  // The connection bar shows a lost connection.
  if (error && !connected)
    return <Text c="dimmed">The preview on past deliveries appears when the server answers.</Text>
  if (error && !isFetching) return <Text c="red">{problemText(error)}</Text>
  if (!data) return <Text c="dimmed">Checking past deliveries…</Text>
  if (data.tried === 0) return <Text c="dimmed">There are no past deliveries to check.</Text>
  return <Result data={data} />
}

function Result({ data }: { data: MappingDryRun }) {
  const [opened, { open, close }] = useDisclosure()
  const past = data.tried === 1 ? 'one past delivery' : `the last ${formatNumber(data.tried)} deliveries`
  const summary =
    data.tried === 1 ? `Would change the ${past}` : `Would change ${formatNumber(data.changed)} of ${past}`
  return (
    <Group gap={8} align="flex-start">
      <div role="status" className={styles.dryRun}>
        {losesSomething(data) ? (
          <Losses data={data} past={past} />
        ) : (
          <Text>
            {data.changed > 0
              ? summary
              : data.tried === 1
                ? `Changes nothing in the ${past}`
                : `Changes none of ${past}`}
          </Text>
        )}
      </div>
      {data.changed > 0 && (
        <Button variant="default" size="xs" onClick={open} flex="none">
          Show changes
        </Button>
      )}
      <Modal opened={opened} onClose={close} size="xl" title={summary}>
        <Stack gap={24}>
          <Text c="dimmed">Existing leads do not change. Replay a delivery to apply the new mapping to it.</Text>
          {data.deliveries.map((delivery) => (
            <Changes key={keyOf(delivery)} delivery={delivery} />
          ))}
        </Stack>
      </Modal>
    </Group>
  )
}

export const losesSomething = ({ would_be_rejected, would_lose_fields }: MappingDryRun) =>
  would_be_rejected + would_lose_fields > 0

const maxListed = 3

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
        {lossy.slice(0, maxListed).map((delivery) => (
          <li key={keyOf(delivery)}>
            <DeliveryTitle delivery={delivery} short={narrow} />: {effectOf(delivery)}
          </li>
        ))}
        {lossy.length > maxListed && <li>and {formatNumber(lossy.length - maxListed)} more</li>}
      </ul>
    </>
  )
}

function effectOf({ would_be_rejected, loses }: DryRunDelivery): string {
  return would_be_rejected ? 'rejected, without phone and email' : `loses ${loses.map(mappedFieldLabel).join(', ')}`
}

type DryRunDelivery = MappingDryRun['deliveries'][number]

const keyOf = ({ delivery_id, record }: DryRunDelivery) => `${delivery_id} ${record}`

function DeliveryTitle({
  delivery: { received_at, record },
  short = false,
}: {
  delivery: DryRunDelivery
  short?: boolean
}) {
  return (
    <>
      <Timestamp at={received_at} short={short} />
      {record !== null && `, record ${record}`}
    </>
  )
}

function Changes({ delivery }: { delivery: DryRunDelivery }) {
  const { changed, before, after, would_be_rejected, loses } = delivery
  return (
    <section>
      <Title order={3} mb={4}>
        <DeliveryTitle delivery={delivery} />
      </Title>
      {(would_be_rejected || loses.length > 0) && (
        <Text fw={600} mb={4}>
          Would be {would_be_rejected ? effectOf(delivery) : `saved, but ${effectOf(delivery)}`}
        </Text>
      )}
      <dl className={styles.fields}>
        {changed.map((field) => (
          <div key={field}>
            <dt>{mappedFieldLabel(field)}</dt>
            <dd>
              <span className={styles.change}>
                <Text span inherit c="dimmed">
                  <LongText text={textOf(before[field])} />
                </Text>{' '}
                <span aria-hidden>
                  <Arrows text="→" />
                </span>
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
