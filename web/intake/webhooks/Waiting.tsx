import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Group, Loader, Text, Title } from '@mantine/core'
import type { ShownWebhook } from '#contract/intake/webhooks'
import { ConnectGuide } from './ConnectGuide.tsx'

/** Shown before the first delivery: how to connect a source. */
export function Waiting({ webhook }: { webhook: ShownWebhook }) {
  return (
    <div>
      <Group role="status" gap={12} mb={4} wrap="nowrap">
        {webhook.enabled && <Loader size={16} aria-hidden />}
        <Title order={2}>
          {webhook.enabled ? t`Waiting for the first delivery…` : t`Disabled: nothing is received until it is enabled`}
        </Title>
      </Group>
      <Text c="dimmed" mb={24} maw={720}>
        {webhook.enabled ? (
          <Trans>
            Paste the URL above into the platform that sends your leads. The first delivery appears here with its
            payload and its fields. You do not have to map anything first.
          </Trans>
        ) : (
          <Trans>
            Enable it, then paste the URL above into the platform that sends your leads. The first delivery appears here
            with its payload and its fields. You do not have to map anything first.
          </Trans>
        )}
      </Text>
      <ConnectGuide webhook={webhook} wide />
    </div>
  )
}
