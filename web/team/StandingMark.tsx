import { IconClock, IconClockOff, IconUserOff } from '@tabler/icons-react'
import type { ListedUser } from '#contract/team'
import { Mark } from '../ui/Mark.tsx'
import { dayInIst, relative } from '../ui/when.ts'
import { standingOf } from './person.ts'

interface Props {
  person: ListedUser
  /** For the second line of a narrow row. */
  short?: boolean
}

/** "Active", "Invited, link until 28 Nov 2026". */
export function StandingMark({ person, short = false }: Props) {
  const standing = standingOf(person)
  if (standing === 'active') return <Mark colour="green">Active</Mark>
  if (standing === 'deactivated')
    return (
      <Mark colour="grey" icon={IconUserOff}>
        Deactivated
      </Mark>
    )
  if (standing === 'link ran out')
    return (
      <Mark colour="red" icon={IconClockOff}>
        {short ? 'Link ran out' : 'Invited, link ran out'}
      </Mark>
    )
  const until = person.link_expires_at ?? ''
  return (
    <Mark colour="amber" icon={IconClock}>
      {short ? `Invited, ends ${relative(until)}` : `Invited, link until ${dayInIst(until)}`}
    </Mark>
  )
}
