import { t } from '@lingui/core/macro'
import type { ListedUser, Role } from '#contract/access/account'
import { compareNames } from '#contract/platform/text'

/** Returns whether they chose a password or signed in by single sign-on. Invited users have not. */
export const hasJoined = ({ has_password, single_sign_on }: ListedUser) => has_password || single_sign_on

export type UserStatus = 'active' | 'invited' | 'link expired' | 'deactivated'

export function userStatus(user: ListedUser): UserStatus {
  if (!user.active) return 'deactivated'
  if (hasJoined(user)) return 'active'
  return user.link_expires_at ? 'invited' : 'link expired'
}

export const listTeams = (users: ListedUser[]): string[] =>
  [...new Set(users.flatMap(({ team }) => team ?? []))].sort(compareNames)

/** Returns a function that finds the name of a user. */
export const nameOf = (users: ListedUser[]) => (id: string) => users.find((user) => user.id === id)?.name

export const firstName = (name: string) => name.trim().split(/\s+/)[0] ?? name

export const roleWords: Record<Role, string> = {
  Admin: t`Sees all leads and manages the account: users, API keys, webhooks, distribution.`,
  Manager: t`Sees the leads of everyone in their team, and their own.`,
  Agent: t`Sees their own leads only.`,
}

interface Membership {
  role: Role
  team: string | null
}

function sees(first: string, { role, team }: Membership): string {
  if (role === 'Admin') return t`${first} will see all leads, and manages the account.`
  if (role === 'Agent') return t`${first} will see their own leads only.`
  if (team) return t`${first} will see the leads of everyone in ${team}.`
  return t`${first} will see their own leads only, until they have a team.`
}

/** Returns what a change of role or team changes in who sees which leads. */
export function describeConsequences(name: string, before: Membership, after: Membership): string[] {
  const first = firstName(name)
  const sentences: string[] = []
  if (sees(first, before) !== sees(first, after)) sentences.push(sees(first, after))
  if (before.role === 'Admin' && after.role !== 'Admin') sentences.push(t`They no longer manage the account.`)
  if (before.team !== after.team) {
    if (before.team) sentences.push(t`Managers of ${{ team: before.team }} no longer see ${first}’s leads.`)
    if (after.team) sentences.push(t`Managers of ${{ team: after.team }} see ${first}’s leads.`)
  }
  return sentences
}
