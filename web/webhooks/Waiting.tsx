import { Group, Loader, Text, Title } from '@mantine/core'
import type { ShownWebhook } from '#contract/webhooks'
import { ConnectGuide } from './ConnectGuide.tsx'

/** Until something comes: how to bring it about. */
export function Waiting({ webhook }: { webhook: ShownWebhook }) {
  return (
    <div>
      <Group role="status" gap={12} mb={4} wrap="nowrap">
        {webhook.enabled && <Loader size={16} aria-hidden />}
        <Title order={2}>
          {webhook.enabled ? 'Waiting for the first delivery…' : 'Disabled: nothing is taken until it is enabled'}
        </Title>
      </Group>
      <Text c="dimmed" mb={24} maw={720}>
        {webhook.enabled ? 'Paste' : 'Enable it, then paste'} the address above into whatever sends your leads. As soon
        as the first one comes, this page shows what arrived and how it was read. Nothing has to be prepared.
      </Text>
      <ConnectGuide webhook={webhook} wide />
    </div>
  )
}
