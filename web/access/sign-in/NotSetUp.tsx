import { Trans } from '@lingui/react/macro'
import { Stack, Text } from '@mantine/core'

/** Before any user has a password. */
export default function NotSetUp() {
  return (
    <Stack gap={16}>
      <Text>
        <Trans>
          Open the newest set-up link. The service prints one at each start: in its terminal or log, after <q>Set up</q>
          .
        </Trans>
      </Text>
      <Text c="dimmed">
        <Trans>A link works once, for 24 hours. Restart the service to get a new one.</Trans>
      </Text>
    </Stack>
  )
}
