import { Anchor, Button, EmptyState, Group, Text } from '@mantine/core'
import { IconAddressBook } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMe } from '../me.ts'
import { Step, Steps } from '../ui/Step.tsx'

/** Shown before the first lead: the ways to get leads. */
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
            ? 'Leads and calls of your team will show here.'
            : 'Leads assigned to you and your calls will show here.'
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
        No leads yet. Start with any of these steps.
      </Text>
      <Steps>
        <Step number={1} title="Send a lead through the API">
          <Text c="dimmed" mb={12}>
            Create an API key, run one command, and see the lead arrive.
          </Text>
          <Button component={Link} to="/first-request">
            Open the API quick start
          </Button>
        </Step>
        <Step number={2} title="Connect a webhook">
          <Text c="dimmed" mb={12}>
            Portals, forms, ads and telephony send leads to your webhook URL. No code needed.
          </Text>
          <Button component={Link} to="/settings/webhooks" variant="default">
            Connect a webhook
          </Button>
        </Step>
        <Step number={3} title="Invite users">
          <Text c="dimmed" mb={12}>
            Users get leads and call them. Managers see the leads of their team, Agents their own.
          </Text>
          <Button component={Link} to="/settings/team" variant="default">
            Invite users
          </Button>
        </Step>
      </Steps>
      <Group mt={32} gap={4}>
        <Text>
          Already have leads?{' '}
          <Anchor underline="always" renderRoot={(props) => <Link {...props} to="/leads" search={{ add: true }} />}>
            Add one manually
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
