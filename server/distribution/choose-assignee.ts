import type { Account, User } from '../account/users.ts'
import { absenceAt, availabilityAt, awayText } from '../availability/availability.ts'
import type { Share } from './share-evenly.ts'

/** Assigns the leads that match its conditions to its users. Without conditions it matches every lead. */
export interface DistributionRule {
  id: string
  name: string
  sources: string[]
  cities: string[]
  tags: string[]
  webhook_ids: string[]
  people: Share[]
  /** Working minutes after which an untouched lead passes on to another user. Null: never. */
  pass_on_after: number | null
}

/** The fields that rules compare. */
export interface LeadToAssign {
  source: string
  city: string | null
  tags: string[]
  webhook_id: string | null
}

export type Members = Pick<Account, 'workingHours' | 'fallbackOwner'> & {
  users: Pick<User, 'id' | 'name' | 'active' | 'workingHours' | 'absences'>[]
}

export interface Assignment {
  rule: Pick<DistributionRule, 'id' | 'name' | 'pass_on_after'>
  /** Those of its users who may get the lead; or the fallback owner. */
  people: Share[]
  /** Why other users or rules do not apply, in sentences. Empty if all are available. */
  because: string
  byFallback: boolean
  /** Whether no rule before it matches the lead. */
  isFirst: boolean
}

/**
 * Returns who may get the lead: the users who are available of the first matching rule that has some. If none has: the fallback owner;
 * else, as at night, the users who are not away of the first rule that has some; else all users of the first rule.
 */
export function chooseAssignees(
  rules: DistributionRule[],
  lead: LeadToAssign,
  account: Members,
  at: Date,
): Assignment | null {
  const userOf = (id: string) => account.users.find((user) => user.id === id && user.active)
  const matching = rules.filter((rule) => matches(rule, lead) && rule.people.some(({ user_id }) => userOf(user_id)))
  const [first] = matching
  if (!first) return null
  const isThere = (user: Members['users'][number] | undefined) => user !== undefined && absenceAt(user, at) === null
  const isAvailable = (user: Members['users'][number] | undefined) =>
    user !== undefined && availabilityAt(account, user, at).state === 'available'

  const ofFirstWith = (isWanted: typeof isThere, says: (rule: DistributionRule) => string): Assignment | null => {
    for (const rule of matching) {
      const people = rule.people.filter(({ user_id }) => isWanted(userOf(user_id)))
      if (people.length > 0) return { rule, people, because: says(rule), byFallback: false, isFirst: rule === first }
    }
    return null
  }
  const away = (rule: DistributionRule) =>
    whoIsAway(
      rule.people.flatMap(({ user_id }) => userOf(user_id) ?? []),
      at,
    )
  const available = ofFirstWith(isAvailable, (rule) => {
    const skipped = rule === first ? '' : `No user of the rule “${first.name}” is available. `
    return `${skipped}${away(rule)}`.trimEnd()
  })
  if (available) return available
  const fallback = account.fallbackOwner === null ? undefined : userOf(account.fallbackOwner)
  if (fallback && isThere(fallback)) {
    const because = `No user of the rule “${first.name}” is available.`
    return { rule: first, people: [{ user_id: fallback.id, weight: 1 }], because, byFallback: true, isFirst: true }
  }
  return ofFirstWith(isThere, away) ?? ofFirstWith((user) => user !== undefined, away)
}

const maxNamed = 3

/** "Asha is away until 5 Dec. Bela is away today." */
function whoIsAway(users: Members['users'], at: Date): string {
  const away = users.flatMap((user) => {
    const until = absenceAt(user, at)
    return until ? [`${user.name} is ${awayText(until, at)}.`] : []
  })
  const more = away.length > maxNamed ? [`${away.length - maxNamed} more are away.`] : []
  return [...away.slice(0, maxNamed), ...more].join(' ')
}

function matches(rule: DistributionRule, lead: LeadToAssign): boolean {
  return (
    includesAny(rule.sources, [lead.source]) &&
    includesAny(rule.cities, [lead.city ?? '']) &&
    includesAny(rule.tags, lead.tags) &&
    (rule.webhook_ids.length === 0 || rule.webhook_ids.includes(lead.webhook_id ?? ''))
  )
}

function includesAny(wanted: string[], present: string[]): boolean {
  const folded = new Set(present.map(fold))
  return wanted.length === 0 || wanted.some((value) => folded.has(fold(value)))
}

const fold = (text: string) => text.trim().toLowerCase()
