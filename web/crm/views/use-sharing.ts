import { t } from '@lingui/core/macro'
import { useMe } from '../../access/account/me.ts'

/** With which users the user may share views: an Admin with all, a Manager with their team. Undefined: with none. */
export function useSharing(): { label: string; shared(name: string): string } | undefined {
  const { role, team } = useMe()
  if (role === 'Admin') return { label: t`Share with everyone`, shared: (name) => t`Everyone sees “${name}” now` }
  if (role !== 'Manager' || !team) return undefined
  return { label: t`Share with the team ${team}`, shared: (name) => t`The team ${team} sees “${name}” now` }
}
