import { msg } from '@lingui/core/runtime-macro'
import { phoneIn } from '../../../crm/contacts/parse-contact.ts'
import type { CallType } from '../../../telephony/calls/contract.ts'
import type { Leaf } from '../structure/leaves.ts'
import { lastDigits } from '../structure/values.ts'
import { isNaming } from './agents.ts'
import type { Said } from './call-parts.ts'
import { directionIn } from './call-words.ts'
import { type Sign, saidBy } from './party.ts'

/** Takes a number in an agent's leg of the call as the agent's. */
export function withLegs(signs: readonly Sign[], directions: readonly Sign[]): Sign[] {
  const whole = new Set(directions.map(({ leaf }) => leaf.group))
  const groupsOf = (wanted: Sign['party']) =>
    new Set(signs.filter(({ party }) => party === wanted).map(({ leaf }) => leaf.group))
  const [ofAgents, ofCustomers] = [groupsOf('agent'), groupsOf('customer')]
  const isLeg = ({ group }: Leaf) =>
    group.parent !== undefined &&
    group.name !== undefined &&
    ofAgents.has(group) &&
    !ofCustomers.has(group) &&
    !whole.has(group)
  const numbers = signs.filter(({ isPhone }) => isPhone)
  return numbers.map((sign) =>
    sign.party === undefined && isLeg(sign.leaf) ? { ...sign, party: 'agent' as const } : sign,
  )
}

/** Users are agents, unless others are. */
export function withUsers(signs: Sign[]): Sign[] {
  const party = signs.some((sign) => sign.party === 'agent' && (sign.isPhone || isNaming(sign))) ? undefined : 'agent'
  return signs.map((sign) => (sign.party === 'user' ? { ...sign, party } : sign))
}

export type Parties = {
  customer: Sign | undefined
  direction: CallType | null
  ours: ReadonlySet<string>
  inferred: Said[]
  called: ReadonlySet<string>
}

/** Finds the customer's number: where it is named; by the direction, who called or was called. */
export function partiesOf(numbers: readonly Sign[], directions: readonly Sign[]): Parties {
  const digitsOf = ({ value }: Sign) => lastDigits(phoneIn(value)!)
  const digits = (...parties: Sign['party'][]) =>
    new Set(numbers.filter(({ party }) => parties.includes(party)).map(digitsOf))
  const named = digits('customer')
  const ours = digits('agent', 'line').difference(named)
  const stated = directions.length > 0 ? (directionIn(directions[0]!.value) ?? null) : null
  const sideIn = (party: 'from' | 'to', all: ReadonlySet<string>) =>
    numbers.find((one) => one.party === party && all.has(digitsOf(one)))
  const inbound = sideIn('from', named) ?? sideIn('to', ours)
  const outbound = sideIn('to', named) ?? sideIn('from', ours)
  const sign =
    stated === null && (inbound === undefined) !== (outbound === undefined) ? (inbound ?? outbound) : undefined
  const direction = stated ?? (sign ? (sign === inbound ? 'Inbound' : 'Outbound') : null)
  const hasSides = numbers.some(({ party }) => party === 'from' || party === 'to')
  const scoreOf = (one: Sign): number => {
    const isNamedCaller = [one.words, ...one.outer].flat().some((word) => /^caller/.test(word))
    if (one.party === 'customer')
      return one.outer.some((words) => words.includes('contact') || words.includes('customer')) ? 101 : 100
    if (one.party === 'agent' || one.party === 'line' || ours.has(digitsOf(one))) return 0
    if (one.party === 'to') return direction === 'Outbound' ? 90 : 0
    if (one.party !== 'from') return one.isPlain && !(direction === null && hasSides) ? 50 : 0
    if (direction === 'Outbound') return isNamedCaller ? 20 : 0
    // Without a direction, the learned weights decide.
    if (direction === null && !isNamedCaller) return 0
    return /id|cli|ani/.test(one.words.at(-1) ?? '') ? 40 : 80
  }
  const best = numbers.toSorted((one, other) => scoreOf(other) - scoreOf(one))[0]
  const customer = best && scoreOf(best) > 0 ? best : undefined
  const inferred = sign ? [{ ...saidBy(sign, whoseNumber), value: direction! }] : []
  const called = new Set(numbers.filter(({ party }) => party === 'to').map(digitsOf))
  return { customer, direction, ours, inferred, called }
}

/** Whether a value is an agent's, or of the side of the call that is the business's. */
export function isOfBusiness(sign: Sign, { customer, direction, ours }: Parties): boolean {
  if (sign === customer) return false
  const { party, isPhone, value, outer } = sign
  if (party === 'agent') return isPhone || isNaming(sign)
  if (party === 'line')
    return isPhone || outer.some((words) => /^(number|did|line|ivr|queue|department)s?$/.test(words.join('')))
  if (isPhone && ours.has(lastDigits(phoneIn(value)!))) return true
  if (direction === null) return false
  return party === 'to'
    ? direction === 'Inbound'
    : party === 'from' && direction === 'Outbound' && !sign.words.some((word) => /^caller/.test(word) && !isPhone)
}

const whoseNumber = msg`Whose number it is`
