import type { Assignment, Full } from './choose-assignee.ts'
import type { Sharing, Turn } from './take-turn.ts'

/** How a lead gets its owner by rules. */
export interface Choice {
  /** The matching rule, and who may get the lead. Null if no rule applies. */
  assignment: Assignment | null
  /** Chooses again, without users who have reached the limits of their rules. */
  choose(full: Full): Assignment | null
  /** IST: the day on which the lead counts for limits. */
  day: string
  /** Whether a rule may offer the lead. If not, its users share it by round robin. */
  isOffered: boolean
}

interface Assigned {
  /** The rule that applies in the end. The timeline says who has reached its limit. */
  assignment: Assignment | null
  /** Null if no rule assigns the lead. */
  user_id: string | null
  /** Its users, if the first to claim the lead owns it. */
  offered_to: string[] | null
  /** To be returned if the lead does not get this user. */
  turn: (Pick<Sharing, 'ruleId'> & Pick<Turn, 'people' | 'day'>) | null
}

/** Takes the user of the rule that applies. If all have reached its limit, the next rule applies. */
export async function assign(
  { assignment: first, choose, day, isOffered }: Choice,
  take: (sharing: Sharing) => Turn | Promise<Turn>,
): Promise<Assigned> {
  const full = new Map<string, string[]>()
  for (let assignment = first; ; assignment = choose(full)) {
    const offered_to = isOffered ? offeredTo(assignment) : null
    if (offered_to) return { assignment, user_id: null, offered_to, turn: null }
    const sharing = assignment && sharingOf(assignment, day)
    if (!sharing) return { assignment, user_id: assignment?.people[0]?.user_id ?? null, offered_to, turn: null }
    const { user_id, people, day: counted } = await take(sharing)
    const left = new Set(people.map((one) => one.user_id))
    const reached = sharing.people.map((one) => one.user_id).filter((id) => !left.has(id))
    full.set(sharing.ruleId, [...(full.get(sharing.ruleId) ?? []), ...reached])
    if (user_id === null) continue
    const turn = { ruleId: sharing.ruleId, people, day: counted }
    return { assignment: reached.length > 0 ? choose(full) : assignment, user_id, offered_to, turn }
  }
}

/** Returns the users who may claim the lead. Null: the rule assigns it. */
export function offeredTo(assignment: Assignment | null): string[] | null {
  if (!assignment || assignment.byFallback || assignment.rule.method !== 'first_to_claim') return null
  return assignment.people.length === 0 ? null : assignment.people.map(({ user_id }) => user_id)
}

/** Null if one user gets the lead, and it is not counted. */
function sharingOf({ rule, people, byFallback }: Assignment, day: string): Sharing | null {
  const isCounted = rule.daily_limit !== null && !byFallback && people.length > 0
  return isCounted || people.length > 1 ? { ruleId: rule.id, people, limit: rule.daily_limit, day } : null
}
