import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconCircleMinus, IconCircleX, IconClock, IconFlask, IconRefresh } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isInvalidContact } from '#contract/intake/payload'
import type { ReplayedDeliveries, ShownDelivery } from '#contract/intake/webhooks'
import type { Data } from '../../../platform/api/api.ts'
import { post } from '../../../platform/api/api.ts'
import { Fact, Facts } from '../../../platform/ui/Facts.tsx'
import { formatNumber } from '../../../platform/ui/numbers.ts'
import { Problem } from '../../../platform/ui/Problem.tsx'
import { Timestamp } from '../../../platform/ui/Timestamp.tsx'
import { WaitingButton } from '../../../platform/ui/WaitingButton.tsx'
import { mappedFieldLabel } from '../field-labels.ts'
import { LongText } from '../LongText.tsx'
import { Confidence } from '../mapping/Confidence.tsx'
import { OutcomeBadge } from '../OutcomeBadge.tsx'
import { deliveriesChanged } from '../queries.ts'
import { replayedSummary } from '../record-words.ts'
import { Warnings } from '../Warnings.tsx'
import { DeliveryPayload } from './DeliveryPayload.tsx'
import { EnquiryValues } from './EnquiryValues.tsx'
import { Records } from './Records.tsx'

interface Props {
  webhookId: string
  delivery: ShownDelivery
}

export function DeliveryDetail({ webhookId, delivery }: Props) {
  const { id, outcome, error, warnings, picks, lead_id, payload, text, cut } = delivery
  const address = delivery.address || '–'
  const size = cut && formatNumber(cut.size)
  const replay = useMutation({
    mutationFn: async () =>
      (await post<Data<ReplayedDeliveries['results'][number]>>(`/web/deliveries/${id}/replay`)).data,
    onSuccess: () => deliveriesChanged(webhookId),
  })
  const rejected = outcome === 'rejected'
  const test = outcome === 'test'
  const ignored = outcome === 'ignored'
  // No mapping makes it a valid one.
  const hasInvalidContact = rejected && warnings.some(isInvalidContact)
  const hasBody = cut === null && (payload !== null || text !== null)

  return (
    <Stack gap={20}>
      <div>
        <Group gap={12} mb={4}>
          <OutcomeBadge outcome={outcome} />
          {lead_id && (
            <Anchor renderRoot={(props) => <Link to="/leads/$leadId" params={{ leadId: lead_id }} {...props} />}>
              <Trans>Open lead</Trans>
            </Anchor>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          <Trans>
            <Timestamp at={delivery.received_at} /> · from {address}
          </Trans>
          {delivery.content_type && ` · ${delivery.content_type}`}
        </Text>
        {delivery.replayed_at && (
          <Text size="xs" c="dimmed">
            <Trans>
              Replayed <Timestamp at={delivery.replayed_at} />
            </Trans>
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
          <Trans>
            Only the first 4 KiB of {size} bytes were stored, because the storage quota was used up. This delivery
            cannot be replayed.
          </Trans>
        </Text>
      )}
      {hasBody && (
        <Group gap={8}>
          {payload !== null && (
            <Button
              variant={rejected && !hasInvalidContact ? 'filled' : 'default'}
              renderRoot={(props) => (
                <Link
                  to="/settings/webhooks/$webhookId"
                  params={{ webhookId }}
                  search={{ tab: 'mapping', delivery: id }}
                  {...props}
                />
              )}
            >
              {(rejected && !hasInvalidContact) || ignored ? t`Fix mapping` : t`Show mapping`}
            </Button>
          )}
          {!test && (
            <WaitingButton
              variant="default"
              leftSection={<IconRefresh size={16} />}
              waiting={replay.isPending}
              onClick={() => replay.mutate()}
            >
              <Trans>Replay delivery</Trans>
            </WaitingButton>
          )}
        </Group>
      )}
      <Problem error={replay.error} />
      {replay.data && !replay.isPending && (
        <Text role="status" mt={-8}>
          {replay.data.records
            ? t`Replayed: ${{ summary: replayedSummary(replay.data.records) }}.`
            : resultTexts[replay.data.outcome]}
        </Text>
      )}
      {warnings.length > 0 && !test && (
        <section>
          <Title order={3} mb={8}>
            <Trans>Warnings</Trans>
          </Title>
          <Warnings warnings={warnings} />
        </section>
      )}
      {delivery.batch.length > 0 && <Records webhookId={webhookId} delivery={delivery} />}
      {picks.length > 0 && (
        <section>
          <Title order={3} mb={8}>
            <Trans>Fields</Trans>
          </Title>
          <Facts>
            {picks.map(({ field, path, value, reason, confidence }) => (
              <Fact key={`${field} ${path}`} name={mappedFieldLabel(field)}>
                <LongText text={value} />
                <Text size="xs" c="dimmed">
                  <span className="code">{path}</span> · {reason}
                  {confidence && <Confidence word={confidence} />}
                </Text>
              </Fact>
            ))}
          </Facts>
        </section>
      )}
      {hasBody && !test && <EnquiryValues deliveryId={id} />}
      <section>
        <DeliveryPayload payload={payload} text={text} />
      </section>
    </Stack>
  )
}

const iconOf: Partial<Record<ShownDelivery['outcome'], ReactNode>> = {
  test: <IconFlask color="var(--grey)" />,
  ignored: <IconCircleMinus color="var(--grey)" />,
  waiting: <IconClock color="var(--amber)" />,
}

const resultTexts = {
  created: t`Replayed: lead created.`,
  merged: t`Replayed: merged into a lead.`,
  duplicate: t`Duplicate: nothing was changed.`,
  rejected: t`Replayed: still rejected.`,
  ignored: t`Replayed: still ignored.`,
  test: t`A test: it creates no lead.`,
  waiting: t`Not processed yet: it is still waiting.`,
}
