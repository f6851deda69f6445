import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Box, Button, Group, Skeleton, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { ListedWebhook } from '#contract/intake/webhooks'
import { CreateWebhook } from '../../intake/webhooks/CreateWebhook.tsx'
import { FirstLead } from '../../intake/webhooks/FirstLead.tsx'
import { OutcomeBadge } from '../../intake/webhooks/OutcomeBadge.tsx'
import { isWaiting, webhookQuery, webhooksQuery } from '../../intake/webhooks/queries.ts'
import { Waiting } from '../../intake/webhooks/Waiting.tsx'
import { CopyableText } from '../../platform/ui/CopyButton.tsx'
import { LocalUrlNotice } from '../../platform/ui/LocalUrlNotice.tsx'
import { refreshFirstStart } from './queries.ts'

export default function SourceStep() {
  const { data: webhooks } = useQuery(webhooksQuery)
  const [creating, { open, close }] = useDisclosure()
  if (!webhooks) return <Skeleton height={80} />
  const newest = webhooks.toSorted((one, other) => other.created_at.localeCompare(one.created_at))[0]
  if (newest) return <Connected key={newest.id} webhook={newest} />
  return (
    <>
      <Text mb={12}>
        <Trans>
          Portals, forms, ads and telephone systems send leads to the URL of a webhook. What arrives becomes a lead at
          once.
        </Trans>
      </Text>
      <Button onClick={open}>
        <Trans>Create webhook</Trans>
      </Button>
      <CreateWebhook opened={creating} onClose={close} stays />
    </>
  )
}

/** Shows the first delivery as soon as it arrives. */
function Connected({ webhook: { id, name } }: { webhook: ListedWebhook }) {
  const { data: webhook } = useQuery(webhookQuery(id))
  const isConnected = webhook !== undefined && !isWaiting(webhook)
  useEffect(() => {
    if (isConnected) void refreshFirstStart()
  }, [isConnected])
  if (!webhook) return <Skeleton height={160} />
  if (!isConnected)
    return (
      <>
        <LocalUrlNotice url={webhook.url} />
        <Box mb={16}>
          <CopyableText value={webhook.url} label={t`Webhook URL`} />
        </Box>
        <Waiting webhook={webhook} />
      </>
    )
  return (
    <>
      <Group gap={12} mb={12} role="status">
        <Text>
          <Trans>
            <Anchor
              renderRoot={(props) => <Link to="/settings/webhooks/$webhookId" params={{ webhookId: id }} {...props} />}
            >
              {name}
            </Anchor>{' '}
            is connected.
          </Trans>
        </Text>
        {webhook.last_delivery && (
          <Text span>
            <Trans>
              Last delivery: <OutcomeBadge outcome={webhook.last_delivery.outcome} />
            </Trans>
          </Text>
        )}
      </Group>
      <FirstLead webhookId={id} stays />
    </>
  )
}
