import { Anchor, Group, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { counted } from '../../ui/money.ts'
import { OutcomeMark } from '../OutcomeMark.tsx'
import type { ShownDelivery } from '../shapes.ts'

/** The records of the same request: each is a delivery of its own. */
export function Records({ webhookId, delivery }: { webhookId: string; delivery: ShownDelivery }) {
  const { id, batch, records } = delivery
  const left = (records ?? 0) - batch.length
  return (
    <section>
      <Title order={3} mb={8}>
        Records in this request
      </Title>
      {batch.map((record) => (
        <Group key={record.id} gap={12} mb={8}>
          <OutcomeMark outcome={record.outcome} />
          {record.id === id ? (
            <Text size="sm">Record {record.record}, shown here</Text>
          ) : (
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link
                  to="/settings/webhooks/$webhookId"
                  params={{ webhookId }}
                  search={{ tab: 'deliveries', delivery: record.id }}
                  resetScroll={false}
                  {...props}
                />
              )}
            >
              Record {record.record}
            </Anchor>
          )}
          {record.error && (
            <Text size="xs" c="dimmed" lineClamp={1}>
              {record.error}
            </Text>
          )}
        </Group>
      ))}
      {left > 0 && (
        <Text size="xs" c="dimmed">
          and {counted(left, 'more record')}
        </Text>
      )}
    </section>
  )
}
