import type { Account, User } from '../../access/account/users.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { type Text, translate, withValues } from '../../platform/languages/translate.ts'
import { folded } from '../../platform/text/contract.ts'
import { absenceAt, availabilityAt, awaySentence } from '../availability/availability.ts'
import type { Answer } from '../enquiries/contract.ts'
import { limitToday, more, reasons } from './reasons.ts'
import type { Share } from './share-evenly.ts'

/** Assigns the leads that match its conditions to its users. Without conditions it matches every lead. */
export interface DistributionRule {
  id: string
  name: string
  sources: string[]
  cities: string[]
  tags: string[]
  webhook_ids: string[]
  products: string[]
  campaigns: string[]
  forms: string[]
  answers: AnswerCondition[]
  people: Share[]
  /** `first_to_claim`: it offers a new lead to its users, and the first to claim it owns it. */
  method: 'round_robin' | 'first_to_claim'
  /** Working minutes after which an untouched lead passes on to another user, and an unclaimed one to the next rule. Null: never. */
  pass_on_after: number | null
  /** It is skipped. */
  paused: boolean
  /** How many leads a user gets by it on a day. Null: no limit. */
  daily_limit: number | null
}

/** A question with answers of which the lead gave one. */
export interface AnswerCondition {
  question: string
  answers: string[]
}

/** Users who have reached the daily limit of a rule, by its id. */
export type Full = ReadonlyMap<string, readonly string[]>

/** What rules compare of the enquiry that created a lead. */
export interface EnquiryValues {
  product: string | null
  campaign: string | null
  form: string | null
  answers: Answer[]
}

export const noEnquiryValues: EnquiryValues = { product: null, campaign: null, form: null, answers: [] }

/** What rules compare. */
export interface LeadToAssign extends EnquiryValues {
  source: string
  city: string | null
  tags: string[]
  webhook_id: string | null
}

export type Members = Pick<Account, 'workingHours' | 'fallbackOwner'> & {
  users: Pick<User, 'id' | 'name' | 'active' | 'workingHours' | 'absences'>[]
}

export interface Assignment {
  rule: Pick<DistributionRule, 'id' | 'name' | 'method' | 'pass_on_after' | 'daily_limit'>
  /** Those of its users who may get the lead; or the fallback owner. Empty if all users have reached their limits. */
  people: Share[]
  /** Why other users or rules do not apply, in sentences. Empty if all are available. */
  because: string
  byFallback: boolean
  /** Whether no rule before it matches the lead. */
  isFirst: boolean
}

/**
 * Returns who may get the lead: the users who are available of the first matching rule that has some. If none has: the fallback owner;
 * else, as at night, the users who are not away of the first rule that has some; else all users of the first rule. Users who have reached
 * the limit of a rule do not get its leads, whatever else holds. `language`: of `because`.
 */
export function chooseAssignees(
  rules: DistributionRule[],
  lead: LeadToAssign,
  account: Members,
  at: Date,
  full: Full = new Map(),
  language?: Language,
): Assignment | null {
  const userOf = (id: string) => account.users.find((user) => user.id === id && user.active)
  const matching = rules.filter(
    (rule) => !rule.paused && matches(rule, lead) && rule.people.some(({ user_id }) => userOf(user_id)),
  )
  const [first] = matching
  if (!first) return null
  const isThere = (user: Members['users'][number] | undefined) => user !== undefined && absenceAt(user, at) === null
  const isAvailable = (user: Members['users'][number] | undefined) =>
    user !== undefined && availabilityAt(account, user, at).state === 'available'

  const ofFirstWith = (isWanted: typeof isThere, says: (rule: DistributionRule) => string): Assignment | null => {
    for (const rule of matching) {
      const reached = full.get(rule.id) ?? []
      const people = rule.people.filter(({ user_id }) => isWanted(userOf(user_id)) && !reached.includes(user_id))
      if (people.length > 0) return { rule, people, because: says(rule), byFallback: false, isFirst: rule === first }
    }
    return null
  }
  const say = (text: Text) => translate(text, language)
  const usersOf = (rule: DistributionRule) => rule.people.flatMap(({ user_id }) => userOf(user_id) ?? [])
  const away = (rule: DistributionRule) => whoIsAway(usersOf(rule), { at, language })
  const limited = (rule: DistributionRule) => whoReachedLimit(usersOf(rule), rule, { full, language })
  const missing = (rule: DistributionRule) => sentences(away(rule), limited(rule))
  const noneOfFirst = () => sentences(say(withValues(reasons.noneAvailable, { name: first.name })), limited(first))

  const available = ofFirstWith(isAvailable, (rule) => sentences(rule === first ? '' : noneOfFirst(), missing(rule)))
  if (available) return available
  const fallback = account.fallbackOwner === null ? undefined : userOf(account.fallbackOwner)
  if (fallback && isThere(fallback)) {
    const people = [{ user_id: fallback.id, weight: 1 }]
    return { rule: first, people, because: noneOfFirst(), byFallback: true, isFirst: true }
  }
  const anyone = ofFirstWith(isThere, missing) ?? ofFirstWith((user) => user !== undefined, missing)
  return (
    anyone ?? { rule: first, people: [], because: say(allReachedLimit(matching)), byFallback: false, isFirst: true }
  )
}

const sentences = (...parts: string[]) => parts.filter((part) => part !== '').join(' ')

const maxNamed = 3

/** "Asha and Bela have reached the limit of 20 leads today." */
function whoReachedLimit(
  users: Members['users'],
  { id, daily_limit }: DistributionRule,
  { full, language }: { full: Full; language: Language | undefined },
): string {
  const names = users.filter((user) => full.get(id)?.includes(user.id)).map(({ name }) => name)
  if (names.length === 0) return ''
  const rest = names.length - maxNamed
  const others = rest > 0 ? [translate(withValues(more, { count: rest }), language)] : []
  const all = [...names.slice(0, maxNamed), ...others]
  const who = new Intl.ListFormat(language && language !== 'en' ? language : 'en-GB').format(all)
  const limit = limitText(daily_limit)
  const reached = names.length === 1 ? reasons.hasReachedLimit : reasons.haveReachedLimit
  return translate(withValues(reached, { who, limit }), language)
}

const limitText = (limit: number | null) => withValues(limitToday, { limit: limit ?? 0 })

function allReachedLimit([first, ...others]: DistributionRule[]): Text {
  const limit = limitText(first!.daily_limit)
  return others.length === 0
    ? withValues(reasons.allReachedLimit, { name: first!.name, limit })
    : reasons.allReachedLimits
}

/** "Asha is away until 5 Dec. Bela is away today." */
function whoIsAway(users: Members['users'], { at, language }: { at: Date; language: Language | undefined }): string {
  const away = users.flatMap((user) => {
    const until = absenceAt(user, at)
    return until ? [awaySentence(user.name, until, at, language)] : []
  })
  const rest = away.length - maxNamed
  const others = rest > 0 ? [translate(withValues(reasons.moreAreAway, { count: rest }), language)] : []
  return [...away.slice(0, maxNamed), ...others].join(' ')
}

function matches(rule: DistributionRule, lead: LeadToAssign): boolean {
  return (
    includesAny(rule.sources, [lead.source]) &&
    includesAny(rule.cities, [lead.city ?? '']) &&
    includesAny(rule.tags, lead.tags) &&
    (rule.webhook_ids.length === 0 || rule.webhook_ids.includes(lead.webhook_id ?? '')) &&
    includesAny(rule.products, [lead.product ?? '']) &&
    includesAny(rule.campaigns, [lead.campaign ?? '']) &&
    includesAny(rule.forms, [lead.form ?? '']) &&
    rule.answers.every((condition) => isAnswered(condition, lead.answers))
  )
}

function includesAny(wanted: string[], present: string[]): boolean {
  const folded = new Set(present.map(fold))
  return wanted.length === 0 || wanted.some((value) => folded.has(fold(value)))
}

/** Several values that were chosen as one answer are joined by commas. */
const isAnswered = ({ question, answers }: AnswerCondition, given: Answer[]) =>
  given.some(
    (one) => fold(one.question) === fold(question) && includesAny(answers, [one.answer, ...one.answer.split(', ')]),
  )

const fold = (text: string) => folded(text).trim().replace(/\s+/g, ' ')
