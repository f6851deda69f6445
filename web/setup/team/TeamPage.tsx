import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, EmptyState, Group } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconSearchOff, IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { ListedUser } from '#contract/access/account'
import { useIsAdmin } from '../../access/account/me.ts'
import { usersQuery } from '../../access/account/users.ts'
import { AvailabilityDialog } from '../../crm/availability/AvailabilityDialog.tsx'
import { TeamAvailability } from '../../crm/availability/TeamAvailability.tsx'
import { Filters } from '../../platform/ui/Filters.tsx'
import { contains } from '../../platform/ui/find-options.ts'
import { Page } from '../../platform/ui/Page.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useAddKey } from '../../platform/ui/page-keys.ts'
import { useReturnFocus } from '../../platform/ui/return-focus.ts'
import { SearchField } from '../../platform/ui/SearchField.tsx'
import { LinesOfUsers } from '../../telephony/phone-lines/LinesOfUsers.tsx'
import { UnknownAgents } from '../../telephony/phone-lines/UnknownAgents.tsx'
import { DeactivateDialog } from './DeactivateDialog.tsx'
import { EditDialog } from './EditDialog.tsx'
import { EmailDialog } from './EmailDialog.tsx'
import { LinkDialog } from './LinkDialog.tsx'
import { Reassignments } from './Reassignments.tsx'
import { TwoFactorDialog } from './TwoFactorDialog.tsx'
import { UnlinkDialog } from './UnlinkDialog.tsx'
import type { UserDialog } from './UserActions.tsx'
import { UserTable } from './UserTable.tsx'
import { listTeams } from './user.ts'

const route = getRouteApi('/signed-in/settings/team')
const withoutTeam = '(no team)'

/** Managers see the availability of their team only. */
export function TeamPage() {
  return useIsAdmin() ? <AllUsers /> : <TeamAvailability />
}

function AllUsers() {
  const { search = '', team, deactivated } = route.useSearch()
  const navigate = route.useNavigate()
  const users = useQuery(usersQuery)
  const everyone = users.data ?? []
  const teams = listTeams(everyone)
  const [asked, setAsked] = useState<{ dialog: UserDialog; user: ListedUser; opened: boolean } | null>(null)

  const show = useCallback(
    (change: { search?: string | undefined; team?: string | undefined; deactivated?: true | undefined }) =>
      void navigate({ search: (before) => ({ ...before, ...change }), replace: true }),
    [navigate],
  )
  const onSearch = useCallback((text: string) => show({ search: text || undefined }), [show])

  const found = everyone.filter(
    (user) =>
      (!team || (team === withoutTeam ? !user.team : user.team === team)) &&
      contains(`${user.name} ${user.email}`, search),
  )
  const active = found.filter((user) => user.active)
  const gone = found.filter((user) => !user.active)
  useAddKey(() => void navigate({ to: '/settings/team/invite' }))
  const alone = users.isSuccess && everyone.length === 1
  const noteOpener = useReturnFocus(asked?.opened === true)
  const onAsk = (dialog: UserDialog, user: ListedUser) => {
    noteOpener()
    setAsked({ dialog, user, opened: true })
  }
  const inviteButton = (
    <Button leftSection={<IconUserPlus size={16} />} renderRoot={toInvite}>
      <Trans>Invite users</Trans>
    </Button>
  )

  return (
    <Page title={t`Team`} about={t`Users who sign in, and the leads that they see.`} actions={inviteButton} wide>
      {!alone && (
        <Group gap={8} mb={16} wrap="nowrap">
          <SearchField label={t`Search users`} value={search} onSearch={onSearch} />
          <Filters
            filters={[
              {
                label: t`Team`,
                value: team,
                options: [...teams, { value: withoutTeam, label: t`No team` }],
                onChange: (chosen) => show({ team: chosen }),
              },
            ]}
            onClear={() => show({ team: undefined })}
          />
        </Group>
      )}
      <Reassignments users={everyone} />
      <Problem error={users.error} retry={() => void users.refetch()} />
      {(users.data || users.isPending) && (
        <UserTable
          label={t`Users`}
          users={users.data && active}
          onAsk={onAsk}
          empty={
            <EmptyState
              my={32}
              icon={<IconSearchOff />}
              title={gone.length > 0 ? t`No active user matches` : t`No matches`}
              description={t`Change or clear the search and the filter.`}
            >
              <EmptyState.Actions>
                <Button variant="default" onClick={() => show({ search: undefined, team: undefined })}>
                  <Trans>Clear filters</Trans>
                </Button>
              </EmptyState.Actions>
            </EmptyState>
          }
        />
      )}
      {alone && (
        <EmptyState
          mt={48}
          icon={<IconUserPlus />}
          title={t`Only you so far`}
          description={t`Invite the users who follow up leads. Agents see their own leads, Managers the leads of their team.`}
        >
          <EmptyState.Actions>
            <Button variant="default" renderRoot={toInvite}>
              <Trans>Invite the first users</Trans>
            </Button>
          </EmptyState.Actions>
        </EmptyState>
      )}
      {gone.length > 0 && (
        <section>
          <Button
            mt={16}
            mb={8}
            variant="subtle"
            color="gray"
            aria-expanded={Boolean(deactivated)}
            leftSection={deactivated ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
            onClick={() => show({ deactivated: deactivated ? undefined : true })}
          >
            {deactivated ? t`Hide deactivated` : t`Show deactivated (${{ count: gone.length }})`}
          </Button>
          {deactivated && <UserTable label={t`Deactivated users`} users={gone} onAsk={onAsk} />}
        </section>
      )}
      <LinesOfUsers users={everyone} />
      <UnknownAgents users={everyone} />
      {asked && (
        <Asked
          key={`${asked.dialog} ${asked.user.id}`}
          {...asked}
          users={everyone}
          teams={teams}
          onClose={() => setAsked({ ...asked, opened: false })}
        />
      )}
    </Page>
  )
}

const toInvite = (props: object) => <Link {...props} to="/settings/team/invite" />

interface AskedProps {
  dialog: UserDialog
  user: ListedUser
  opened: boolean
  users: ListedUser[]
  teams: string[]
  onClose(): void
}

function Asked({ dialog, users, teams, ...props }: AskedProps) {
  if (dialog === 'edit') return <EditDialog {...props} teams={teams} />
  if (dialog === 'availability') return <AvailabilityDialog {...props} />
  if (dialog === 'email') return <EmailDialog {...props} />
  if (dialog === 'link') return <LinkDialog {...props} />
  if (dialog === 'single-sign-on') return <UnlinkDialog {...props} />
  if (dialog === 'two-factor') return <TwoFactorDialog {...props} />
  return <DeactivateDialog {...props} users={users} />
}
