import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, EmptyState } from '@mantine/core'
import { IconAddressBook } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMe } from '../../access/account/me.ts'

const descriptions = {
  Admin: t`Leads and calls of your account will show here.`,
  Manager: t`Leads and calls of your team will show here.`,
  Agent: t`Leads assigned to you and your calls will show here.`,
}

/** Shown before the first lead. */
export function NoLeads() {
  const { role } = useMe()
  return (
    <EmptyState mt={32} icon={<IconAddressBook />} title={t`No leads yet`} description={descriptions[role]}>
      <Button variant="default" renderRoot={(props) => <Link {...props} to="/leads" search={{ add: true }} />}>
        <Trans>Add a lead</Trans>
      </Button>
    </EmptyState>
  )
}
