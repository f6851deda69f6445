import { Trans } from '@lingui/react/macro'
import { Code, Text } from '@mantine/core'

const command = 'npx lead-engine user password-link you@example.com'

/** For an Admin who can ask no other Admin for a link. */
export const OnlyAdmin = () => (
  <Text c="dimmed">
    <Trans>
      Are you the only Admin? Run <Code>{command}</Code> on the server. It prints a link to a new password.
    </Trans>
  </Text>
)
