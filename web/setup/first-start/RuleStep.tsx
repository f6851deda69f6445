import { Trans } from '@lingui/react/macro'
import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { RuleDialog } from '../../crm/distribution/RuleDialog.tsx'
import { refreshFirstStart } from './queries.ts'

export default function RuleStep() {
  const [creating, { open, close }] = useDisclosure()
  return (
    <>
      <Text mb={12}>
        <Trans>
          A rule assigns new leads to one user, or to several by round robin: by source, campaign, product, city, tag or
          webhook, or all of them. Without a rule, leads from webhooks stay unassigned.
        </Trans>
      </Text>
      <Group gap={8}>
        <Button onClick={open}>
          <Trans>Create rule</Trans>
        </Button>
        <Button component={Link} to="/settings/distribution" variant="default">
          <Trans>Open lead distribution</Trans>
        </Button>
      </Group>
      <RuleDialog
        rule={undefined}
        opened={creating}
        onClose={() => {
          close()
          void refreshFirstStart()
        }}
      />
    </>
  )
}
