import type { Role } from '#contract/account'
import type { ListedUser } from '#contract/team'

/** Invited users have not chosen a password yet. */
export type UserStatus = 'active' | 'invited' | 'link expired' | 'deactivated'

export function userStatus({ active, has_password, link_expires_at }: ListedUser): UserStatus {
  if (!active) return 'deactivated'
  if (has_password) return 'active'
  return link_expires_at ? 'invited' : 'link expired'
}

export const listTeams = (users: ListedUser[]): string[] =>
  [...new Set(users.flatMap(({ team }) => team ?? []))].sort((one, other) => one.localeCompare(other))

export const firstName = (name: string) => name.trim().split(/\s+/)[0] ?? name

export const roleWords: Record<Role, string> = {
  Admin: 'Sees all leads and manages the account: users, API keys, webhooks, distribution.',
  Manager: 'Sees the leads of everyone in their team, and their own.',
  Agent: 'Sees their own leads only.',
}

interface Membership {
  role: Role
  team: string | null
}

const seen = ({ role, team }: Membership) => {
  if (role === 'Admin') return 'all leads, and manages the account'
  if (role === 'Agent') return 'their own leads only'
  return team ? `the leads of everyone in ${team}` : 'their own leads only, until they have a team'
}

/** Returns what a change of role or team changes in who sees which leads. */
export function describeConsequences(name: string, before: Membership, after: Membership): string[] {
  const first = firstName(name)
  const sentences: string[] = []
  if (seen(before) !== seen(after)) sentences.push(`${first} will see ${seen(after)}.`)
  if (before.role === 'Admin' && after.role !== 'Admin') sentences.push('They no longer manage the account.')
  if (before.team !== after.team) {
    if (before.team) sentences.push(`Managers of ${before.team} no longer see ${first}’s leads.`)
    if (after.team) sentences.push(`Managers of ${after.team} see ${first}’s leads.`)
  }
  return sentences
}
