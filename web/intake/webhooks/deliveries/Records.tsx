import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ShownDelivery } from '#contract/intake/webhooks'
import { OutcomeBadge } from '../OutcomeBadge.tsx'
import styles from './Records.module.css'

/** The records of the same request. Each is a delivery of its own. */
export function Records({ webhookId, delivery }: { webhookId: string; delivery: ShownDelivery }) {
  const { id, batch, records } = delivery
  const left = (records ?? 0) - batch.length
  return (
    <section>
      <Title order={3} mb={8}>
        <Trans>Records in this request</Trans>
      </Title>
      {batch.map((record) => (
        <div key={record.id} className={styles.record}>
          <OutcomeBadge outcome={record.outcome} />
          <div>
            {record.id === id ? (
              <Text size="sm">{t`Record ${{ number: record.record }}, shown here`}</Text>
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
                {t`Record ${{ number: record.record }}`}
              </Anchor>
            )}
            {record.error && record.id !== id && (
              <Text size="xs" c="dimmed" lineClamp={2}>
                {record.error}
              </Text>
            )}
          </div>
        </div>
      ))}
      {left > 0 && (
        <Text size="xs" c="dimmed">
          {plural(left, { one: 'and # more record', other: 'and # more records' })}
        </Text>
      )}
    </section>
  )
}
