/** A distribution rule: whoever it names gets the leads that fit it. Empty conditions fit every lead. */
export interface DistributionRule {
  id: string
  name: string
  sources: string[]
  cities: string[]
  tags: string[]
  webhook_ids: string[]
  people: { user_id: string; weight: number }[]
}

/** What rules look at. */
export interface LeadToAssign {
  source: string
  city: string | null
  tags: string[]
  webhook_id: string | null
}

/** The first rule that fits the lead and has somebody active; the people to choose from are the active ones. */
export function matchingRule(
  rules: DistributionRule[],
  lead: LeadToAssign,
  isActive: (userId: string) => boolean,
): DistributionRule | null {
  for (const rule of rules) {
    if (!fits(rule, lead)) continue
    const people = rule.people.filter((person) => isActive(person.user_id))
    if (people.length > 0) return { ...rule, people }
  }
  return null
}

function fits(rule: DistributionRule, lead: LeadToAssign): boolean {
  return (
    holds(rule.sources, [lead.source]) &&
    holds(rule.cities, [lead.city ?? '']) &&
    holds(rule.tags, lead.tags) &&
    (rule.webhook_ids.length === 0 || rule.webhook_ids.includes(lead.webhook_id ?? ''))
  )
}

function holds(wanted: string[], present: string[]): boolean {
  const folded = new Set(present.map(fold))
  return wanted.length === 0 || wanted.some((value) => folded.has(fold(value)))
}

const fold = (text: string) => text.trim().toLowerCase()

/**
 * Whose turn it is, counting from 0. In every run of as many turns as the weights add up to, each person comes as
 * often as their weight, spread out rather than in a row. People of one weight share one group; the turns of a group of
 * weight w stand at (n + 1/2) / w of the cycle, and those of all groups are taken in this order. Found by bisection, so
 * the work grows with the people and not with the weights.
 */
export function personAtTurn(people: DistributionRule['people'], turn: number): string {
  const groups = Map.groupBy(people, ({ weight }) => weight)
    .entries()
    .map(([weight, members]) => ({ weight: weight * members.length, members }))
    .toArray()
  const total = groups.reduce((sum, { weight }) => sum + weight, 0)
  const place = turn % total
  const turnsUpTo = (point: number) => groups.reduce((sum, { weight }) => sum + Math.floor(weight * point + 0.5), 0)
  let [low, high] = [0, 1]
  for (let step = 0; step < bisections; step++) {
    const middle = (low + high) / 2
    if (turnsUpTo(middle) > place) high = middle
    else low = middle
  }
  // Two points of the cycle that differ are further apart than low and high: what is between them is at one point.
  let skip = place - turnsUpTo(low)
  for (const { weight, members } of groups) {
    const index = Math.floor(weight * low + 0.5)
    if (Math.floor(weight * high + 0.5) === index) continue
    if (skip-- === 0) return members[index % members.length]!.user_id
  }
  throw new Error('a turn belongs to nobody')
}

/** Enough for 200 people with weights up to 999, and few enough for a double to hold every product exactly. */
const bisections = 35
