import { Group, SegmentedControl, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { CopyableText } from '../../ui/CopyButton.tsx'
import { LongText } from '../LongText.tsx'
import { PayloadTree } from './PayloadTree.tsx'

/** The payload of a delivery as a tree or JSON, or its body as text. */
export function DeliveryPayload({ payload, text }: { payload: Record<string, unknown> | null; text: string | null }) {
  const [view, setView] = useState('tree')
  return (
    <>
      <Group justify="space-between" mb={8} gap={8}>
        <Title order={3}>Payload</Title>
        {payload !== null && (
          <SegmentedControl
            size="xs"
            aria-label="View"
            data={[
              { value: 'tree', label: 'Tree' },
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
          <CopyableText value={JSON.stringify(payload, null, 2)} label="Payload" />
        )
      ) : text === null ? (
        <Text c="dimmed">The payload was deleted with its lead.</Text>
      ) : text === '' ? (
        <Text c="dimmed">The body was empty.</Text>
      ) : (
        <Text ff="monospace" size="xs" component="div">
          <LongText text={text} />
        </Text>
      )}
    </>
  )
}
