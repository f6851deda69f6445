import type { Rule } from '#contract/distribution'

type Conditions = Pick<Rule, 'sources' | 'cities' | 'tags' | 'webhook_ids'>
type Assignee = { name: string; weight: number }

const either = (values: string[]) => values.join(' or ')

/** "Source IVR or Website, city Pune". */
export function conditionsInWords(
  { sources, cities, tags, webhook_ids }: Conditions,
  webhookName: (id: string) => string,
) {
  const parts = [
    sources.length > 0 && `source ${either(sources)}`,
    cities.length > 0 && `city ${either(cities)}`,
    tags.length > 0 && `tagged ${either(tags)}`,
    webhook_ids.length > 0 && `webhook ${either(webhook_ids.map(webhookName))}`,
  ].filter((part) => part !== false)
  if (parts.length === 0) return 'Every lead'
  const sentence = parts.join(', ')
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

/** "Of every 3 leads, Bela Shah gets 2 and Chand Verma 1." */
export function sharesInWords(assignees: Assignee[]): string {
  const [first] = assignees
  if (!first) return ''
  if (assignees.length === 1) return `${first.name} gets every lead.`
  if (assignees.every(({ weight }) => weight === first.weight)) return 'Each gets the same number of leads.'
  const total = assignees.reduce((sum, { weight }) => sum + weight, 0)
  const shares = assignees.map(({ name, weight }, index) => `${name}${index === 0 ? ' gets' : ''} ${weight}`)
  return `Of every ${total} leads, ${new Intl.ListFormat('en-GB').format(shares)}.`
}

const matchesAll = ({ sources, cities, tags, webhook_ids }: Conditions) =>
  [sources, cities, tags, webhook_ids].every((values) => values.length === 0)

/** Returns why a rule never applies, or null if it does. */
export function unusedBecause(rule: Rule, rules: Rule[]): string | null {
  if (!rule.people.some(({ active }) => active)) return 'No assignee of this rule is active, so it is skipped.'
  const before = rules.find(
    (one) => one.position < rule.position && matchesAll(one) && one.people.some(({ active }) => active),
  )
  return before ? `Never reached: “${before.name}” above matches every lead.` : null
}
