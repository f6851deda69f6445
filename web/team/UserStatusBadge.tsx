import { IconClock, IconClockOff, IconUserOff } from '@tabler/icons-react'
import type { ListedUser } from '#contract/team'
import { Badge } from '../ui/Badge.tsx'
import { formatDate, formatRelative } from '../ui/time.ts'
import { standingOf } from './person.ts'

interface Props {
  person: ListedUser
  /** For the second line of a narrow row. */
  short?: boolean
}

/** "Active", "Invited, link until 28 Nov 2026". */
export function UserStatusBadge({ person, short = false }: Props) {
  const standing = standingOf(person)
  if (standing === 'active') return <Badge colour="green">Active</Badge>
  if (standing === 'deactivated')
    return (
      <Badge colour="grey" icon={IconUserOff}>
        Deactivated
      </Badge>
    )
  if (standing === 'link ran out')
    return (
      <Badge colour="red" icon={IconClockOff}>
        {short ? 'Link ran out' : 'Invited, link ran out'}
      </Badge>
    )
  const until = person.link_expires_at ?? ''
  return (
    <Badge colour="amber" icon={IconClock}>
      {short ? `Invited, ends ${formatRelative(until)}` : `Invited, link until ${formatDate(until)}`}
    </Badge>
  )
}
