import { Trans } from '@lingui/react/macro'
import { Text } from '@mantine/core'

/** For an Admin who can ask no other Admin for a link. */
export const OnlyAdmin = () => (
  <Text c="dimmed">
    <Trans>Are you the only Admin? Ask the operator of the server for a link.</Trans>
  </Text>
)
