import type { Rule } from '#contract/distribution'

type Conditions = Pick<Rule, 'sources' | 'cities' | 'tags' | 'webhook_ids'>
type Turn = { name: string; weight: number }

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
export function turnsInWords(turns: Turn[]): string {
  const [first] = turns
  if (!first) return ''
  if (turns.length === 1) return `${first.name} gets them all.`
  if (turns.every(({ weight }) => weight === first.weight)) return 'One lead each, in turn.'
  const total = turns.reduce((sum, { weight }) => sum + weight, 0)
  const shares = turns.map(({ name, weight }, index) => `${name}${index === 0 ? ' gets' : ''} ${weight}`)
  return `Of every ${total} leads, ${new Intl.ListFormat('en-GB').format(shares)}.`
}

const fitsAll = ({ sources, cities, tags, webhook_ids }: Conditions) =>
  [sources, cities, tags, webhook_ids].every((values) => values.length === 0)

/** Why a rule decides nothing as it stands, if so. */
export function idleBecause(rule: Rule, rules: Rule[]): string | null {
  if (!rule.people.some(({ active }) => active)) return 'Nobody in this rule is active: it is passed over.'
  const before = rules.find(
    (one) => one.position < rule.position && fitsAll(one) && one.people.some(({ active }) => active),
  )
  return before ? `Never reached: “${before.name}” above takes every lead.` : null
}
