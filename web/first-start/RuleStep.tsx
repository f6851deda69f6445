import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { RuleDialog } from '../distribution/RuleDialog.tsx'
import { refreshFirstStart } from './queries.ts'

export default function RuleStep() {
  const [creating, { open, close }] = useDisclosure()
  return (
    <>
      <Text mb={12}>
        A rule assigns new leads to one user, or to several by round robin: by source, city, tag or webhook, or all of
        them. Without a rule, leads from webhooks stay unassigned.
      </Text>
      <Group gap={8}>
        <Button onClick={open}>Create rule</Button>
        <Button component={Link} to="/settings/distribution" variant="default">
          Open lead distribution
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
