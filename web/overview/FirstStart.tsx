import { Anchor, Button, EmptyState, Group, Text } from '@mantine/core'
import { IconAddressBook } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMe } from '../me.ts'
import { Step, Steps } from '../ui/Step.tsx'

/** Before the first lead: the ways in which leads come. */
export function FirstStart() {
  const { role } = useMe()
  if (role !== 'Admin')
    return (
      <EmptyState
        mt={32}
        icon={<IconAddressBook />}
        title="No leads yet"
        description={
          role === 'Manager'
            ? 'Leads of your team, their calls and what became of them show here as they come.'
            : 'Leads assigned to you, your calls and what became of them show here as they come.'
        }
      >
        <Button variant="default" renderRoot={(props) => <Link {...props} to="/leads" search={{ add: true }} />}>
          Add a lead
        </Button>
      </EmptyState>
    )
  return (
    <>
      <Text c="dimmed" mb={24}>
        No leads yet. There are three steps, in any order, and any of them can wait.
      </Text>
      <Steps>
        <Step number={1} title="Send the first lead by REST">
          <Text c="dimmed" mb={12}>
            From your own website or program: make a key, paste one line, and see the lead arrive.
          </Text>
          <Button component={Link} to="/first-request">
            Send the first lead
          </Button>
        </Step>
        <Step number={2} title="Connect a webhook">
          <Text c="dimmed" mb={12}>
            Portals, forms, ads and telephony send their leads to an address of yours. No program is needed.
          </Text>
          <Button component={Link} to="/settings/webhooks" variant="default">
            Connect a webhook
          </Button>
        </Step>
        <Step number={3} title="Invite people">
          <Text c="dimmed" mb={12}>
            Leads are assigned to the people who call. Managers see their team's, agents their own.
          </Text>
          <Button component={Link} to="/settings/team" variant="default">
            Invite people
          </Button>
        </Step>
      </Steps>
      <Group mt={32} gap={4}>
        <Text>
          Have leads at hand?{' '}
          <Anchor underline="always" renderRoot={(props) => <Link {...props} to="/leads" search={{ add: true }} />}>
            Add one by hand
          </Anchor>
          , or{' '}
          <Anchor component={Link} underline="always" to="/leads/import">
            import a file
          </Anchor>
          .
        </Text>
      </Group>
    </>
  )
}
