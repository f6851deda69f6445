import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { MappingDryRun } from '#contract/intake/webhooks'
import { useConnected } from '../../../platform/api/connection.ts'
import { Arrows } from '../../../platform/ui/Arrows.tsx'
import { Modal } from '../../../platform/ui/Dialog.tsx'
import { Fact, Facts } from '../../../platform/ui/Facts.tsx'
import { formatList } from '../../../platform/ui/lists.ts'
import { formatNumber } from '../../../platform/ui/numbers.ts'
import { problemText } from '../../../platform/ui/Problem.tsx'
import { useNarrow } from '../../../platform/ui/screen-size.ts'
import { Timestamp } from '../../../platform/ui/Timestamp.tsx'
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
    return (
      <Text c="dimmed">
        <Trans>The preview on past deliveries appears when the server answers.</Trans>
      </Text>
    )
  if (error && !isFetching) return <Text c="red">{problemText(error)}</Text>
  if (!data) return <Text c="dimmed">{t`Checking past deliveries…`}</Text>
  if (data.tried === 0) return <Text c="dimmed">{t`There are no past deliveries to check.`}</Text>
  return <Result data={data} />
}

function Result({ data }: { data: MappingDryRun }) {
  const [opened, { open, close }] = useDisclosure()
  const { tried } = data
  const changed = formatNumber(data.changed)
  const summary = plural(tried, {
    one: 'Would change the one past delivery',
    other: `Would change ${changed} of the last # deliveries`,
  })
  return (
    <Group gap={8} align="flex-start">
      <div role="status" className={styles.dryRun}>
        {losesSomething(data) ? (
          <Losses data={data} />
        ) : (
          <Text>
            {data.changed > 0
              ? summary
              : plural(tried, {
                  one: 'Changes nothing in the one past delivery',
                  other: 'Changes none of the last # deliveries',
                })}
          </Text>
        )}
      </div>
      {data.changed > 0 && (
        <Button variant="default" size="xs" onClick={open} flex="none">
          <Trans>Show changes</Trans>
        </Button>
      )}
      <Modal opened={opened} onClose={close} size="xl" title={summary}>
        <Stack gap={24}>
          <Text c="dimmed">
            <Trans>Existing leads do not change. Replay a delivery to apply the new mapping to it.</Trans>
          </Text>
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

function Losses({ data }: { data: MappingDryRun }) {
  const narrow = useNarrow()
  const lossy = data.deliveries.filter(({ would_be_rejected, loses }) => would_be_rejected || loses.length > 0)
  return (
    <>
      <Text fw={600}>
        <IconAlertTriangle size={16} color="var(--amber)" aria-label={t`Warning`} className={styles.warning} />{' '}
        {lossText(data)}
      </Text>
      <ul className={styles.losses}>
        {lossy.slice(0, maxListed).map((delivery) => (
          <li key={keyOf(delivery)}>
            <DeliveryTitle delivery={delivery} short={narrow} />: {effectOf(delivery)}
          </li>
        ))}
        {lossy.length > maxListed && <li>{t`and ${{ count: formatNumber(lossy.length - maxListed) }} more`}</li>}
      </ul>
    </>
  )
}

function lossText({ tried, would_be_rejected, would_lose_fields }: MappingDryRun): string {
  const [rejected, losing] = [formatNumber(would_be_rejected), formatNumber(would_lose_fields)]
  if (would_lose_fields === 0)
    return plural(tried, {
      one: `Would reject ${rejected} of one past delivery`,
      other: `Would reject ${rejected} of the last # deliveries`,
    })
  if (would_be_rejected === 0)
    return plural(tried, {
      one: `Would lose fields of ${losing} of one past delivery`,
      other: `Would lose fields of ${losing} of the last # deliveries`,
    })
  return plural(tried, {
    one: `Would reject ${rejected} and lose fields of ${losing} of one past delivery`,
    other: `Would reject ${rejected} and lose fields of ${losing} of the last # deliveries`,
  })
}

function effectOf({ would_be_rejected, loses }: DryRunDelivery): string {
  return would_be_rejected ? t`rejected, without phone and email` : t`loses ${{ fields: fieldList(loses) }}`
}

const fieldList = (fields: string[]) => formatList(fields.map(mappedFieldLabel))

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
      {record === null ? (
        <Timestamp at={received_at} short={short} />
      ) : (
        <Trans>
          <Timestamp at={received_at} short={short} />, record {record}
        </Trans>
      )}
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
          {would_be_rejected
            ? t`Would be rejected, without phone and email`
            : t`Would be saved, but loses ${{ fields: fieldList(loses) }}`}
        </Text>
      )}
      <Facts>
        {changed.map((field) => (
          <Fact key={field} name={mappedFieldLabel(field)}>
            <Text span inherit c="dimmed">
              <LongText text={textOf(before[field])} />
            </Text>{' '}
            <span aria-hidden>
              <Arrows text="→" />
            </span>
            <VisuallyHidden>
              <Trans>becomes</Trans>
            </VisuallyHidden>{' '}
            <LongText text={textOf(after[field])} />
          </Fact>
        ))}
      </Facts>
    </section>
  )
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return t`nothing`
  return Array.isArray(value) ? value.join(', ') : String(value)
}
