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
 * often as their weight, spread out rather than in a row.
 */
export function personAtTurn(people: DistributionRule['people'], turn: number): string {
  const total = people.reduce((sum, person) => sum + person.weight, 0)
  const credit = people.map(() => 0)
  let chosen = 0
  for (let step = 0; step <= turn % total; step++) {
    for (const [index, person] of people.entries()) credit[index]! += person.weight
    chosen = credit.indexOf(Math.max(...credit))
    credit[chosen]! -= total
  }
  return people[chosen]!.user_id
}
