import type { Assignment, Full } from './choose-assignee.ts'
import type { Sharing, Take } from './take-turn.ts'

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
}

/** Takes the user of the rule that applies. If all have reached its limit, the next rule applies. */
export function assign({ assignment: first, choose, day, isOffered }: Choice, take: Take): Assigned {
  const full = new Map<string, string[]>()
  for (let assignment = first; ; assignment = choose(full)) {
    const offered_to = isOffered ? offeredTo(assignment) : null
    if (offered_to) return { assignment, user_id: null, offered_to }
    const sharing = assignment && sharingOf(assignment, day)
    if (!sharing) return { assignment, user_id: assignment?.people[0]?.user_id ?? null, offered_to }
    const { user_id, people } = take(sharing)
    const left = new Set(people.map((one) => one.user_id))
    const reached = sharing.people.map((one) => one.user_id).filter((id) => !left.has(id))
    full.set(sharing.ruleId, [...(full.get(sharing.ruleId) ?? []), ...reached])
    if (user_id === null) continue
    return { assignment: reached.length > 0 ? choose(full) : assignment, user_id, offered_to }
  }
}

/**
 * Returns the rules whose turns decide who gets the lead: none if it is certain, and several if the users of a rule may have reached its
 * limit.
 */
export function rulesToAsk(choice: Choice): string[] {
  const ids: string[] = []
  assign(choice, ({ ruleId, people, limit }) => {
    ids.push(ruleId)
    return limit === null ? { user_id: people[0]!.user_id, people } : { user_id: null, people: [] }
  })
  return ids
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
