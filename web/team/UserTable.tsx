import { Anchor, Text } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ListedUser } from '#contract/team'
import { useMe } from '../me.ts'
import { Badge } from '../ui/Badge.tsx'
import { EmailLink } from '../ui/ContactLink.tsx'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { Timestamp } from '../ui/Timestamp.tsx'
import styles from './Team.module.css'
import { type PersonDialog, UserActions } from './UserActions.tsx'
import { UserStatusBadge } from './UserStatusBadge.tsx'

interface Props {
  label: string
  people: ListedUser[] | undefined
  onAsk(dialog: PersonDialog, person: ListedUser): void
  empty?: ReactNode
}

export function UserTable({ label, people, onAsk, empty }: Props) {
  const me = useMe()

  const name = (person: ListedUser) => (
    <span className={styles.name}>
      <Anchor
        component="button"
        type="button"
        className={styles.opens}
        lineClamp={2}
        title={person.name}
        onClick={() => onAsk('edit', person)}
      >
        {person.name}
      </Anchor>
      {person.id === me.id && <span className={styles.small}>You</span>}
    </span>
  )
  const state = (person: ListedUser, short = false) => (
    <span className={styles.state}>
      <UserStatusBadge person={person} short={short} />
      {person.two_factor && (
        <Badge colour="grey" icon={IconShieldCheck}>
          Two-factor
        </Badge>
      )}
    </span>
  )
  const actions = (person: ListedUser) => <UserActions person={person} onAsk={(dialog) => onAsk(dialog, person)} />

  const columns: Column<ListedUser>[] = [
    {
      header: 'Name',
      cell: (person) => (
        <>
          {name(person)}
          <div className={styles.small}>
            <EmailLink address={person.email} />
          </div>
        </>
      ),
    },
    { header: 'Role', cell: ({ role }) => role, width: 100 },
    { header: 'Team', cell: ({ team }) => <Text lineClamp={2}>{team || '—'}</Text>, width: 180 },
    {
      header: 'Last sign-in',
      cell: ({ last_sign_in_at: at }) => (at ? <Timestamp at={at} short /> : 'Never'),
      width: 120,
    },
    { header: 'State', cell: (person) => state(person), width: 260 },
    { header: 'Actions', cell: actions, align: 'right', width: 64 },
  ]

  return (
    <DataTable
      label={label}
      manyColumns
      columns={columns}
      rows={people}
      rowKey={({ id }) => id}
      onOpen={(person) => onAsk('edit', person)}
      expected={4}
      empty={empty}
      narrow={(person) => ({
        first: (
          <>
            {name(person)}
            {actions(person)}
          </>
        ),
        second: (
          <>
            <span className={styles.place}>{[person.role, person.team].filter(Boolean).join(' · ')}</span>
            {state(person, true)}
          </>
        ),
      })}
    />
  )
}
