import { Button, EmptyState, Group, Text } from '@mantine/core'
import { IconAddressBook } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMe } from '../me.ts'
import { Step, Steps } from '../ui/Step.tsx'

/** Shown before the first lead. */
export function FirstStart() {
  const { role, name, email } = useMe()
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
        No leads yet. Three steps, in any order.
      </Text>
      <Steps>
        <Step number={1} title="Your name, email and password">
          <Text c="dimmed" mb={12}>
            You are {name} and sign in with {email}. You can change both, and your password.
          </Text>
          <Button component={Link} to="/profile" variant="default">
            Open your profile
          </Button>
        </Step>
        <Step number={2} title="Connect a source, or import">
          <Text c="dimmed" mb={12}>
            Portals, forms, ads and telephony send leads to your webhook URL, programs through the API.
          </Text>
          <Group gap={8}>
            <Button component={Link} to="/settings/webhooks">
              Connect a webhook
            </Button>
            <Button component={Link} to="/first-request" variant="default">
              Open the API quick start
            </Button>
            <Button component={Link} to="/leads/import" variant="default">
              Import a file
            </Button>
            <Button variant="default" renderRoot={(props) => <Link {...props} to="/leads" search={{ add: true }} />}>
              Add a lead
            </Button>
          </Group>
        </Step>
        <Step number={3} title="Invite your team">
          <Text c="dimmed" mb={12}>
            Users get leads and call them. Managers see the leads of their team, Agents their own.
          </Text>
          <Button component={Link} to="/settings/team" variant="default">
            Invite users
          </Button>
        </Step>
      </Steps>
    </>
  )
}
