/** Assigns the leads that match its conditions to its users. Without conditions it matches every lead. */
export interface DistributionRule {
  id: string
  name: string
  sources: string[]
  cities: string[]
  tags: string[]
  webhook_ids: string[]
  people: { user_id: string; weight: number }[]
}

/** The fields that rules compare. */
export interface LeadToAssign {
  source: string
  city: string | null
  tags: string[]
  webhook_id: string | null
}

/** Returns the first rule that matches the lead and has an active user, with only its active users. */
export function matchingRule(
  rules: DistributionRule[],
  lead: LeadToAssign,
  isActive: (userId: string) => boolean,
): DistributionRule | null {
  for (const rule of rules) {
    if (!matches(rule, lead)) continue
    const people = rule.people.filter(({ user_id }) => isActive(user_id))
    if (people.length > 0) return { ...rule, people }
  }
  return null
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

/**
 * Returns the user at a round robin position, counting from 0. A cycle has as many positions as the weights add up to.
 * In any run of that length each user comes as often as their weight, spread out rather than in a row.
 *
 * Users with the same weight form a group. The n-th position of a group of total weight w is at (n + 1/2) / w of the
 * cycle, and the positions of all groups are taken in that order. Bisection finds it, so the time depends on the number
 * of users and not on the weights.
 */
export function assigneeAt(people: DistributionRule['people'], position: number): string {
  const groups = Map.groupBy(people, ({ weight }) => weight)
    .entries()
    .map(([weight, members]) => ({ weight: weight * members.length, members }))
    .toArray()
  const total = groups.reduce((sum, { weight }) => sum + weight, 0)
  const place = position % total
  const positionsUpTo = (point: number) => groups.reduce((sum, { weight }) => sum + Math.floor(weight * point + 0.5), 0)
  let [low, high] = [0, 1]
  for (let step = 0; step < bisections; step++) {
    const middle = (low + high) / 2
    if (positionsUpTo(middle) > place) high = middle
    else low = middle
  }
  // Two different points of the cycle are further apart than low and high, so all groups between them share one point.
  let skip = place - positionsUpTo(low)
  for (const { weight, members } of groups) {
    const index = Math.floor(weight * low + 0.5)
    if (Math.floor(weight * high + 0.5) === index) continue
    if (skip-- === 0) return members[index % members.length]!.user_id
  }
  throw new Error('no user has this round robin position')
}

/** Enough for 200 users with weights up to 999, and few enough for a double to hold every product exactly. */
const bisections = 35
