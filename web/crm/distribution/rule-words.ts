import { plural, t } from '@lingui/core/macro'
import type { Rule } from '#contract/crm/distribution'
import { formatMinutes } from '../../platform/ui/minutes.ts'
import { dateLocale } from '../../platform/ui/time.ts'

type Conditions = Pick<
  Rule,
  'sources' | 'cities' | 'tags' | 'webhook_ids' | 'campaigns' | 'products' | 'forms' | 'answers'
>
type Assignee = { name: string; weight: number }

const either = (values: string[]) => values.join(` ${t`or`} `)

/** "Source IVR or Website, city Pune". */
export function conditionsInWords(
  { sources, cities, tags, webhook_ids, campaigns, products, forms, answers }: Conditions,
  webhookName: (id: string) => string,
) {
  const parts = [
    sources.length > 0 && t`source ${{ sources: either(sources) }}`,
    cities.length > 0 && t`city ${{ cities: either(cities) }}`,
    tags.length > 0 && t`tagged ${{ tags: either(tags) }}`,
    webhook_ids.length > 0 && t`webhook ${{ webhooks: either(webhook_ids.map(webhookName)) }}`,
    campaigns.length > 0 && t`campaign ${{ campaigns: either(campaigns) }}`,
    products.length > 0 && t`product ${{ products: either(products) }}`,
    forms.length > 0 && t`form ${{ forms: either(forms) }}`,
    ...answers.map(({ question, answers }) => `“${question}” ${either(answers)}`),
  ].filter((part) => part !== false)
  if (parts.length === 0) return t`Every lead`
  const sentence = parts.join(', ')
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

type Terms = Pick<Rule, 'method' | 'daily_limit' | 'pass_on_after'>

/** "At most 20 leads per user and day", "Passes on after 15 minutes without a call". */
export function termsInWords({ method, daily_limit, pass_on_after }: Terms): string[] {
  const isClaimed = method === 'first_to_claim'
  const time = pass_on_after === null ? '' : formatMinutes(pass_on_after)
  return [
    isClaimed && t`First to claim`,
    daily_limit !== null &&
      plural(daily_limit, { one: 'At most # lead per user and day', other: 'At most # leads per user and day' }),
    pass_on_after !== null &&
      (isClaimed ? t`Passes on after ${time} unclaimed` : t`Passes on after ${time} without a call`),
  ].filter((term) => term !== false)
}

const listed = new Intl.ListFormat(dateLocale)

/** "Of every 3 leads, Bela Shah gets 2 and Chand Verma 1." */
export function sharesInWords(assignees: Assignee[]): string {
  const [first] = assignees
  if (!first) return ''
  if (assignees.length === 1) return t`${{ name: first.name }} gets every lead.`
  if (assignees.every(({ weight }) => weight === first.weight)) return t`Each gets the same number of leads.`
  const total = assignees.reduce((sum, { weight }) => sum + weight, 0)
  const shares = assignees.map(({ name, weight }, index) =>
    index === 0 ? t`${name} gets ${weight}` : `${name} ${weight}`,
  )
  return t`Of every ${total} leads, ${{ shares: listed.format(shares) }}.`
}

const matchesAll = ({ sources, cities, tags, webhook_ids, campaigns, products, forms, answers }: Conditions) =>
  [sources, cities, tags, webhook_ids, campaigns, products, forms, answers].every((values) => values.length === 0)

/** A rule with a limit or with unclaimed leads leaves some to those below. */
const takesSome = (rule: Rule) => !matchesAll(rule) || rule.daily_limit !== null || rule.method === 'first_to_claim'

/** Returns why a rule never applies, or null if it does. */
export function unusedBecause(rule: Rule, rules: Rule[]): string | null {
  if (rule.paused) return null
  if (!rule.people.some(({ active }) => active)) return t`No assignee of this rule is active, so it is skipped.`
  const before = rules.find(
    (one) => one.position < rule.position && !one.paused && !takesSome(one) && one.people.some(({ active }) => active),
  )
  return before ? t`Never reached: “${{ name: before.name }}” above matches every lead.` : null
}
