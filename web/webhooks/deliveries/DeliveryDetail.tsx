import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconCircleMinus, IconCircleX, IconFlask, IconRefresh } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ReplayedDeliveries, ShownDelivery } from '#contract/webhooks'
import type { Data } from '../../api.ts'
import { post } from '../../api.ts'
import { formatNumber } from '../../ui/numbers.ts'
import { Problem } from '../../ui/Problem.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { WaitingButton } from '../../ui/WaitingButton.tsx'
import { fieldWord } from '../field-words.ts'
import { LongText } from '../LongText.tsx'
import { OutcomeBadge } from '../OutcomeBadge.tsx'
import { deliveriesChanged } from '../queries.ts'
import { replayedWords } from '../record-words.ts'
import { Warnings } from '../Warnings.tsx'
import styles from './DeliveryDetail.module.css'
import { Records } from './Records.tsx'
import { WhatWasSent } from './WhatWasSent.tsx'

interface Props {
  webhookId: string
  delivery: ShownDelivery
}

export function DeliveryDetail({ webhookId, delivery }: Props) {
  const { id, outcome, error, warnings, picks, lead_id, payload, text, cut } = delivery
  const replay = useMutation({
    mutationFn: async () =>
      (await post<Data<ReplayedDeliveries['results'][number]>>(`/web/deliveries/${id}/replay`)).data,
    onSuccess: () => deliveriesChanged(webhookId),
  })
  const refused = outcome === 'rejected'
  const test = outcome === 'test'
  const ignored = outcome === 'ignored'
  const hasBody = cut === null && (payload !== null || text !== null)

  return (
    <Stack gap={20}>
      <div>
        <Group gap={12} mb={4}>
          <OutcomeBadge outcome={outcome} />
          {lead_id && (
            <Anchor renderRoot={(props) => <Link to="/leads/$leadId" params={{ leadId: lead_id }} {...props} />}>
              Open the lead
            </Anchor>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          <Timestamp at={delivery.received_at} /> · from {delivery.address}
          {delivery.content_type && ` · ${delivery.content_type}`}
        </Text>
        {delivery.replayed_at && (
          <Text size="xs" c="dimmed">
            Replayed <Timestamp at={delivery.replayed_at} />
          </Text>
        )}
      </div>
      {error && (
        <Alert variant="default" p={12} icon={iconOf[outcome] ?? <IconCircleX color="var(--red)" />}>
          {error}
        </Alert>
      )}
      {cut && (
        <Text size="xs" c="dimmed">
          Only the first 4 KiB of {formatNumber(cut.size)} bytes were kept, because the storage quota was used up. This
          delivery cannot be replayed.
        </Text>
      )}
      {hasBody && (
        <Group gap={8}>
          {payload !== null && (
            <Button
              variant={refused ? 'filled' : 'default'}
              renderRoot={(props) => (
                <Link
                  to="/settings/webhooks/$webhookId"
                  params={{ webhookId }}
                  search={{ tab: 'mapping', delivery: id }}
                  {...props}
                />
              )}
            >
              {refused || ignored ? 'Fix mapping' : 'Show in the mapping'}
            </Button>
          )}
          {!test && (
            <WaitingButton
              variant="default"
              leftSection={<IconRefresh size={16} />}
              waiting={replay.isPending}
              onClick={() => replay.mutate()}
            >
              Replay delivery
            </WaitingButton>
          )}
        </Group>
      )}
      <Problem error={replay.error} />
      {replay.data && !replay.isPending && (
        <Text role="status" mt={-8}>
          {replay.data.records ? `Replayed: ${replayedWords(replay.data.records)}.` : said[replay.data.outcome]}
        </Text>
      )}
      {warnings.length > 0 && !test && (
        <section>
          <Title order={3} mb={8}>
            Warnings
          </Title>
          <Warnings warnings={warnings} />
        </section>
      )}
      {delivery.batch.length > 0 && <Records webhookId={webhookId} delivery={delivery} />}
      {picks.length > 0 && (
        <section>
          <Title order={3} mb={8}>
            How it was read
          </Title>
          <dl className={styles.picks}>
            {picks.map(({ field, path, value, reason }) => (
              <div key={`${field} ${path}`}>
                <dt>{fieldWord(field)}</dt>
                <dd>
                  <LongText text={value} />
                  <Text size="xs" c="dimmed">
                    <span className={styles.code}>{path}</span> · {reason}
                  </Text>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      <section>
        <WhatWasSent payload={payload} text={text} />
      </section>
    </Stack>
  )
}

const iconOf: Partial<Record<ShownDelivery['outcome'], ReactNode>> = {
  test: <IconFlask color="var(--grey)" />,
  ignored: <IconCircleMinus color="var(--grey)" />,
}

const said = {
  created: 'Replayed: it made a lead.',
  merged: 'Replayed: it was merged into a lead.',
  duplicate: 'Duplicate: nothing was done.',
  rejected: 'Replayed: still rejected.',
  ignored: 'Replayed: still ignored.',
  test: 'A test: it makes no lead.',
}
