import { t } from '@lingui/core/macro'
import { IconClock, IconClockOff, IconUserOff } from '@tabler/icons-react'
import type { ListedUser } from '#contract/access/account'
import { Badge } from '../../platform/ui/Badge.tsx'
import { formatDate, formatRelative } from '../../platform/ui/time.ts'
import { userStatus } from './user.ts'

interface Props {
  user: ListedUser
  /** For the second line of a narrow row. */
  short?: boolean
}

/** "Active", "Invited, link valid until 28 Nov 2026". */
export function UserStatusBadge({ user, short = false }: Props) {
  const status = userStatus(user)
  if (status === 'active') return <Badge colour="green">{t`Active`}</Badge>
  if (status === 'deactivated')
    return (
      <Badge colour="grey" icon={IconUserOff}>
        {t`Deactivated`}
      </Badge>
    )
  if (status === 'link expired')
    return (
      <Badge colour="red" icon={IconClockOff}>
        {short ? t`Link expired` : t`Invited, link expired`}
      </Badge>
    )
  const until = user.link_expires_at ?? ''
  return (
    <Badge colour="amber" icon={IconClock}>
      {short
        ? t`Invited, ends ${{ time: formatRelative(until) }}`
        : t`Invited, link valid until ${{ date: formatDate(until) }}`}
    </Badge>
  )
}
