import { t } from '@lingui/core/macro'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMe } from '../../access/account/me.ts'
import { usersQuery } from '../../access/account/users.ts'

interface Props {
  /** The email of the chosen owner, or the value of one of `others`. Undefined: the user's own. */
  of: string | undefined
  /** What one's own choice is called. */
  mine: string
  /** Choices of several owners. */
  others?: { value: string; label: string }[]
  onChange(of: string | undefined): void
}

/** Managers and Admins open the leads and calls of other owners, too. */
export function OwnerChoice({ of, mine, others = [], onChange }: Props) {
  const { role, email } = useMe()
  const { data: users = [] } = useQuery({ ...usersQuery, enabled: role !== 'Agent' })
  if (role === 'Agent') return null
  return (
    <Select
      aria-label={t`Owner`}
      data={[
        { value: email, label: mine },
        ...others,
        ...users.filter((user) => user.email !== email).map((user) => ({ value: user.email, label: user.name })),
      ]}
      value={of ?? email}
      onChange={(owner) => onChange(owner === email ? undefined : (owner ?? undefined))}
      allowDeselect={false}
      searchable={users.length > 8}
      w={200}
    />
  )
}
