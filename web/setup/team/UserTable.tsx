import { t } from '@lingui/core/macro'
import { Anchor, Text } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ListedUser } from '#contract/access/account'
import type { UserAvailability } from '#contract/crm/availability'
import { useMe } from '../../access/account/me.ts'
import { roleNames } from '../../access/account/role-names.ts'
import { AvailabilityBadge } from '../../crm/availability/AvailabilityBadge.tsx'
import { availabilityQuery } from '../../crm/availability/queries.ts'
import { EmailLink } from '../../crm/contacts/ContactLink.tsx'
import { Badge } from '../../platform/ui/Badge.tsx'
import { type Column, DataTable } from '../../platform/ui/DataTable.tsx'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import styles from './Team.module.css'
import { UserActions, type UserDialog } from './UserActions.tsx'
import { UserStatusBadge } from './UserStatusBadge.tsx'
import { userStatus } from './user.ts'

interface Props {
  label: string
  users: ListedUser[] | undefined
  onAsk(dialog: UserDialog, user: ListedUser): void
  empty?: ReactNode
}

export function UserTable({ label, users, onAsk, empty }: Props) {
  const me = useMe()
  const { data: everyone = [] } = useQuery(availabilityQuery)

  const name = (user: ListedUser) => (
    <span className={styles.name}>
      <Anchor
        component="button"
        type="button"
        className={styles.opens}
        lineClamp={2}
        title={user.name}
        onClick={() => onAsk('edit', user)}
      >
        {user.name}
      </Anchor>
      {user.id === me.id && <span className={styles.small}>{t`You`}</span>}
    </span>
  )
  const state = (user: ListedUser, short = false) => (
    <span className={styles.state}>
      <Status user={user} short={short} availability={everyone.find(({ user_id }) => user_id === user.id)} />
      {user.two_factor && (
        <Badge colour="grey" icon={IconShieldCheck}>
          {t`Two-factor`}
        </Badge>
      )}
    </span>
  )
  const actions = (user: ListedUser) => <UserActions user={user} onAsk={(dialog) => onAsk(dialog, user)} />

  const columns: Column<ListedUser>[] = [
    {
      header: t`Name`,
      cell: (user) => (
        <>
          {name(user)}
          <div className={styles.small}>
            <EmailLink email={user.email} />
          </div>
        </>
      ),
    },
    { header: t`Role`, cell: ({ role }) => role && roleNames[role], width: 100 },
    { header: t`Team`, cell: ({ team }) => <Text lineClamp={2}>{team || '—'}</Text>, width: 180 },
    {
      header: t`Last sign-in`,
      cell: ({ last_sign_in_at: at }) => (at ? <Timestamp at={at} short /> : t`Never`),
      width: 120,
    },
    { header: t`Status`, cell: (user) => state(user), width: 260 },
    { header: t`Actions`, cell: actions, align: 'right', width: 64 },
  ]

  return (
    <DataTable
      label={label}
      manyColumns
      columns={columns}
      rows={users}
      rowKey={({ id }) => id}
      onOpen={(user) => onAsk('edit', user)}
      expected={4}
      empty={empty}
      narrow={(user) => ({
        first: (
          <>
            {name(user)}
            {actions(user)}
          </>
        ),
        second: (
          <>
            <span className={styles.place}>
              {[user.role && roleNames[user.role], user.team].filter(Boolean).join(' · ')}
            </span>
            {state(user, true)}
          </>
        ),
      })}
    />
  )
}

/** Shows whether a user who signs in gets new leads. */
function Status({
  user,
  short,
  availability,
}: {
  user: ListedUser
  short: boolean
  availability: UserAvailability | undefined
}) {
  return userStatus(user) === 'active' && availability ? (
    <AvailabilityBadge availability={availability} />
  ) : (
    <UserStatusBadge user={user} short={short} />
  )
}
