import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Group, SegmentedControl, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { CopyableText } from '../../../platform/ui/CopyButton.tsx'
import { LongText } from '../LongText.tsx'
import { PayloadTree } from './PayloadTree.tsx'

/** The payload of a delivery as a tree or JSON, or its body as text. */
export function DeliveryPayload({ payload, text }: { payload: Record<string, unknown> | null; text: string | null }) {
  const [view, setView] = useState('tree')
  return (
    <>
      <Group justify="space-between" mb={8} gap={8}>
        <Title order={3}>
          <Trans>Payload</Trans>
        </Title>
        {payload !== null && (
          <SegmentedControl
            size="xs"
            aria-label={t`View`}
            data={[
              { value: 'tree', label: t`Tree` },
              { value: 'json', label: 'JSON' },
            ]}
            value={view}
            onChange={setView}
          />
        )}
      </Group>
      {payload !== null ? (
        view === 'tree' ? (
          <PayloadTree payload={payload} />
        ) : (
          <CopyableText value={JSON.stringify(payload, null, 2)} label={t`Payload`} />
        )
      ) : text === null ? (
        <Text c="dimmed">
          <Trans>The payload was deleted with its lead.</Trans>
        </Text>
      ) : text === '' ? (
        <Text c="dimmed">
          <Trans>The body was empty.</Trans>
        </Text>
      ) : (
        <div className="code">
          <LongText text={text} />
        </div>
      )}
    </>
  )
}
