import { Group, SegmentedControl, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { CopyableText } from '../../ui/CopyButton.tsx'
import { LongText } from '../LongText.tsx'
import { PayloadTree } from './PayloadTree.tsx'

/** The body, as a tree where it is one. */
export function WhatWasSent({ payload, text }: { payload: Record<string, unknown> | null; text: string | null }) {
  const [how, setHow] = useState('tree')
  return (
    <>
      <Group justify="space-between" mb={8} gap={8}>
        <Title order={3}>What was sent</Title>
        {payload !== null && (
          <SegmentedControl
            size="xs"
            aria-label="Shown as"
            data={[
              { value: 'tree', label: 'Tree' },
              { value: 'json', label: 'JSON' },
            ]}
            value={how}
            onChange={setHow}
          />
        )}
      </Group>
      {payload !== null ? (
        how === 'tree' ? (
          <PayloadTree payload={payload} />
        ) : (
          <CopyableText value={JSON.stringify(payload, null, 2)} label="Body" />
        )
      ) : text === null ? (
        <Text c="dimmed">The body went with its lead, which was deleted.</Text>
      ) : text === '' ? (
        <Text c="dimmed">Nothing: the body was empty.</Text>
      ) : (
        <Text ff="monospace" size="xs" component="div">
          <LongText text={text} />
        </Text>
      )}
    </>
  )
}
