import { Button, EmptyState } from '@mantine/core'
import { IconAddressBook } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMe } from '../me.ts'

const descriptions = {
  Admin: 'Leads and calls of your account will show here.',
  Manager: 'Leads and calls of your team will show here.',
  Agent: 'Leads assigned to you and your calls will show here.',
}

/** Shown before the first lead. */
export function NoLeads() {
  const { role } = useMe()
  return (
    <EmptyState mt={32} icon={<IconAddressBook />} title="No leads yet" description={descriptions[role]}>
      <Button variant="default" renderRoot={(props) => <Link {...props} to="/leads" search={{ add: true }} />}>
        Add a lead
      </Button>
    </EmptyState>
  )
}
