import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Anchor, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { LoggedRequest } from '#contract/intake/request-log'
import { CopyableText } from '../../platform/ui/CopyButton.tsx'
import { Drawer } from '../../platform/ui/Dialog.tsx'
import { Fact, Facts } from '../../platform/ui/Facts.tsx'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useNarrow } from '../../platform/ui/screen-size.ts'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { requestQuery } from './queries.ts'
import { StatusBadge } from './StatusBadge.tsx'

interface Props {
  requestId: string | undefined
  /** The name of its key or webhook. */
  nameOf(request: LoggedRequest): string
  onClose(): void
}

/** Shows the open request, and keeps showing it while the drawer closes. */
export function RequestDrawer({ requestId, nameOf, onClose }: Props) {
  const [last, setLast] = useState(requestId)
  if (requestId !== undefined && requestId !== last) setLast(requestId)
  const narrow = useNarrow()
  return (
    <Drawer
      opened={requestId !== undefined}
      inUrl
      onClose={onClose}
      position="right"
      size={narrow ? '100%' : 560}
      title={t`Request`}
      overlayProps={{ backgroundOpacity: 0.2 }}
    >
      {last !== undefined && <Contents key={last} requestId={last} nameOf={nameOf} />}
    </Drawer>
  )
}

function Contents({ requestId, nameOf }: { requestId: string; nameOf: Props['nameOf'] }) {
  const { data: request, error, refetch } = useQuery(requestQuery(requestId))
  if (error && !request) return <Problem error={error} retry={() => void refetch()} />
  if (request === undefined) return <Skeleton height={240} />
  if (request === null) return <Text>{t`This request is no longer in the log.`}</Text>
  return <Detail request={request} name={nameOf(request)} />
}

function Detail({ request, name }: { request: LoggedRequest; name: string }) {
  const { id, at, status, method, path, code, message, ms, address, via, via_id, has_delivery } = request
  const facts = [
    [t`Error code`, code],
    [via === 'webhook' ? t`Webhook` : t`API key`, name],
    [t`Sender IP`, address],
    [t`Duration`, t`${{ time: formatNumber(ms) }} ms`],
  ] as const
  return (
    <Stack gap={20}>
      <div>
        <Group gap={12} mb={4}>
          <StatusBadge status={status} />
          {has_delivery && (
            <Anchor
              renderRoot={(props) => (
                <Link
                  to="/settings/webhooks/$webhookId"
                  params={{ webhookId: via_id }}
                  search={{ delivery: id }}
                  {...props}
                />
              )}
            >
              <Trans>Open delivery</Trans>
            </Anchor>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          <Timestamp at={at} />
        </Text>
      </div>
      <CopyableText value={`${method} ${path}`} label={t`Request`} />
      {message && (
        <Alert variant="default" p={12} icon={<IconAlertTriangle color="var(--amber)" />}>
          {message}
        </Alert>
      )}
      <Facts>
        {facts.map(
          ([label, text]) =>
            text && (
              <Fact key={label} name={label}>
                {text}
              </Fact>
            ),
        )}
      </Facts>
      <div>
        <Text size="xs" c="dimmed" mb={4}>
          <Trans>Request id: the X-Request-Id of the answer, and of the service’s log</Trans>
        </Text>
        <CopyableText value={id} label={t`Request id`} />
      </div>
    </Stack>
  )
}
