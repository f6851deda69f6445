import type { Role } from '#contract/account'
import type { ListedUser } from '#contract/team'

/** How a person came in: they chose a password, or the link for it still waits, or ran out. */
export type Standing = 'active' | 'invited' | 'link ran out' | 'deactivated'

export function standingOf({ active, has_password, link_expires_at }: ListedUser): Standing {
  if (!active) return 'deactivated'
  if (has_password) return 'active'
  return link_expires_at ? 'invited' : 'link ran out'
}

export const teamsOf = (people: ListedUser[]): string[] =>
  [...new Set(people.flatMap(({ team }) => team ?? []))].sort((one, other) => one.localeCompare(other))

export const firstNameOf = (name: string) => name.trim().split(/\s+/)[0] ?? name

export const roleWords: Record<Role, string> = {
  Admin: 'Sees all leads and manages the account: people, API keys, webhooks, distribution.',
  Manager: 'Sees the leads of everyone in their team, and their own.',
  Agent: 'Sees their own leads only.',
}

interface Place {
  role: Role
  team: string | null
}

const seen = ({ role, team }: Place) => {
  if (role === 'Admin') return 'all leads, and manages the account'
  if (role === 'Agent') return 'their own leads only'
  return team ? `the leads of everyone in ${team}` : 'their own leads only, until they have a team'
}

/** What changes in who sees what when a person moves. */
export function consequencesOf(name: string, before: Place, after: Place): string[] {
  const first = firstNameOf(name)
  const sentences: string[] = []
  if (seen(before) !== seen(after)) sentences.push(`${first} will see ${seen(after)}.`)
  if (before.role === 'Admin' && after.role !== 'Admin') sentences.push('They no longer manage the account.')
  if (before.team !== after.team) {
    if (before.team) sentences.push(`Managers of ${before.team} no longer see ${first}’s leads.`)
    if (after.team) sentences.push(`Managers of ${after.team} see ${first}’s leads.`)
  }
  return sentences
}
