import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListedUser } from '#contract/access/account'
import { usersQuery } from '../../access/account/users.ts'
import { type Column, DataTable } from '../../platform/ui/DataTable.tsx'
import { Page } from '../../platform/ui/Page.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useReturnFocus } from '../../platform/ui/return-focus.ts'
import { AvailabilityBadge } from './AvailabilityBadge.tsx'
import { AvailabilityDialog } from './AvailabilityDialog.tsx'
import { availabilityQuery } from './queries.ts'

/** The page Team of a Manager: who is available, with leave and working hours. */
export function TeamAvailability() {
  const users = useQuery(usersQuery)
  const { data: everyone = [] } = useQuery(availabilityQuery)
  const [asked, setAsked] = useState<{ user: ListedUser; opened: boolean } | null>(null)
  const noteOpener = useReturnFocus(asked?.opened === true)
  const open = (user: ListedUser) => {
    noteOpener()
    setAsked({ user, opened: true })
  }
  const badge = (user: ListedUser) => (
    <AvailabilityBadge availability={everyone.find(({ user_id }) => user_id === user.id)} />
  )
  const name = (user: ListedUser) => (
    <Anchor component="button" type="button" c="inherit" fw={500} lineClamp={2} onClick={() => open(user)}>
      {user.name}
    </Anchor>
  )
  const change = (user: ListedUser) => (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={t`Change availability of ${{ name: user.name }}`}
      onClick={() => open(user)}
    >
      <Trans>Change</Trans>
    </Button>
  )
  const columns: Column<ListedUser>[] = [
    { header: t`Name`, cell: name },
    { header: t`Availability`, cell: badge, width: 260 },
    { header: t`Actions`, cell: change, align: 'right', width: 120 },
  ]
  return (
    <Page
      title={t`Team`}
      about={t`Who gets new leads by lead distribution now, and leave and working hours of your team.`}
    >
      <Problem error={users.error} retry={() => void users.refetch()} />
      {!users.error && (
        <DataTable
          label={t`Users`}
          columns={columns}
          rows={users.data?.filter(({ active }) => active)}
          rowKey={({ id }) => id}
          onOpen={open}
          expected={4}
          narrow={(user) => ({
            first: (
              <>
                {name(user)}
                {change(user)}
              </>
            ),
            second: badge(user),
          })}
        />
      )}
      {asked && <AvailabilityDialog {...asked} onClose={() => setAsked({ ...asked, opened: false })} />}
    </Page>
  )
}
