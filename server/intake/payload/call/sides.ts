import { msg } from '@lingui/core/runtime-macro'
import { phoneIn } from '../../../crm/contacts/parse-contact.ts'
import type { CallType } from '../../../telephony/calls/contract.ts'
import type { Leaf } from '../structure/leaves.ts'
import { lastDigits } from '../structure/values.ts'
import { isNaming } from './agents.ts'
import type { Said } from './call-parts.ts'
import { directionIn, squeezed } from './call-words.ts'
import { type Sign, saidBy, sideSaid } from './party.ts'

/** Takes a number in an agent's leg of the call as the agent's, unless the agent has another there. */
function withLegs(signs: readonly Sign[], directions: readonly Sign[]): Sign[] {
  const whole = new Set(directions.map(({ leaf }) => leaf.group))
  const groupsOf = (wanted: Sign['party']) =>
    new Set(signs.filter(({ party }) => party === wanted).map(({ leaf }) => leaf.group))
  const [ofAgents, ofCustomers] = [groupsOf('agent'), groupsOf('customer')]
  const numbers = signs.filter(({ isPhone }) => isPhone)
  const numbered = new Set(numbers.filter(({ party }) => party === 'agent').map(({ leaf }) => leaf.group))
  const isLeg = ({ group }: Leaf) =>
    group.parent !== undefined &&
    group.name !== undefined &&
    ofAgents.has(group) &&
    !ofCustomers.has(group) &&
    !numbered.has(group) &&
    !whole.has(group)
  return numbers.map((sign) =>
    sign.party === undefined && isLeg(sign.leaf) ? { ...sign, party: 'agent' as const } : sign,
  )
}

/** Users are agents, unless others are. */
export function withUsers(signs: Sign[]): Sign[] {
  const party = signs.some((sign) => sign.party === 'agent' && (sign.isPhone || isNaming(sign))) ? undefined : 'agent'
  return signs.map((sign) => (sign.party === 'user' ? { ...sign, party } : sign))
}

/** Whether the call was placed by a click, whatever the field is named: then the agent is called first, and is the caller. */
export const isPlaced = ({ value }: Sign) =>
  /^(click|tap)(to|2)(call|dial)(api|call)?$|^c2c(api|call)?$/.test(squeezed(value))

export type Parties = {
  customer: Sign | undefined
  direction: CallType | null
  ours: ReadonlySet<string>
  inferred: Said[]
  called: ReadonlySet<string>
  /** Neither a direction nor a name says whose the numbers are. */
  isGuess: boolean
}

const digitsOf = ({ value }: Sign) => lastDigits(phoneIn(value)!)

/**
 * Finds the customer's number: where it is named; by the direction, who called or was called. The direction that no name says is that of
 * the side which is the business's. `known`: the last digits of numbers that are the business's.
 */
export function partiesOf(signs: readonly Sign[], directions: readonly Sign[], known: ReadonlySet<string>): Parties {
  const numbers = withLegs(signs, directions)
  const digits = (...parties: Sign['party'][]) =>
    new Set(numbers.filter(({ party }) => parties.includes(party)).map(digitsOf))
  const named = digits('customer')
  const inEarlier = new Set(numbers.map(digitsOf)).intersection(known)
  const ofBusiness = digits('agent', 'line').union(inEarlier).difference(named)
  const { theirs, ours: our } = whoseSides(signs, numbers, { named, ours: ofBusiness })
  const stated = directionIn(directions[0]?.value ?? '') ?? directionOfNames(numbers)
  const inbound = theirs.from ?? our.to
  const outbound = theirs.to ?? our.from
  const sign =
    stated === null && (inbound === undefined) !== (outbound === undefined) ? (inbound ?? outbound) : undefined
  const direction = stated ?? (sign ? (sign === inbound ? 'Inbound' : 'Outbound') : null)
  // Between two extensions, the caller's number is the one that it shows.
  const isInternal = stated === null && our.from && our.to && !theirs.from && !theirs.to
  const ours = isInternal ? ofBusiness.union(digits('from')).difference(named) : ofBusiness
  const nearby = new Set(directions.map(({ leaf }) => leaf.group))
  const hasSides = numbers.some(({ party }) => party === 'from' || party === 'to')
  const scoreOf = (one: Sign): number => {
    const isNamedCaller = [one.words, ...one.outer].flat().some((word) => /^caller/.test(word))
    if (one.party === 'customer')
      return one.outer.some((words) => words.includes('contact') || words.includes('customer')) ? 101 : 100
    if (one.party === 'agent' || one.party === 'line' || ours.has(digitsOf(one))) return 0
    if (one.party === 'to') return direction === 'Outbound' ? 90 : 0
    if (one.party !== 'from')
      return one.isPlain && !(direction === null && hasSides) ? (nearby.has(one.leaf.group) ? 55 : 50) : 0
    if (direction === 'Outbound') return isNamedCaller ? 20 : 0
    // Without a direction, the learned weights decide.
    if (direction === null) return 0
    return /id|cli|ani/.test(one.words.at(-1) ?? '') ? 40 : 80
  }
  const best = numbers.toSorted((one, other) => scoreOf(other) - scoreOf(one))[0]
  const customer = best && scoreOf(best) > 0 ? best : undefined
  const isKnown = (one: Sign) => one.isPhone && inEarlier.has(digitsOf(one))
  const inferred = sign ? [{ ...saidBy(sign, isKnown(sign) ? inEarlierCalls : whoseNumber), value: direction! }] : []
  const called = new Set(numbers.filter(({ party }) => party === 'to').map(digitsOf))
  const isGuess = direction === null && customer?.party !== 'customer'
  return { customer, direction, ours, inferred, called, isGuess }
}

/** `outgoing_cli` */
function directionOfNames(numbers: readonly Sign[]): CallType | null {
  const said = new Set(
    numbers.flatMap(({ words }) => words.flatMap((word) => (bound.test(word) ? directionIn(word)! : []))),
  )
  return said.size === 1 ? [...said][0]! : null
}
const bound = /^(in|out)(bound|coming|going)$/

/** Whether a value is an agent's, or of the side of the call that is the business's. */
export function isOfBusiness(sign: Sign, { customer, direction, ours }: Parties): boolean {
  if (sign === customer) return false
  const { party, isPhone, value } = sign
  if (party === 'agent') return isPhone || isNaming(sign)
  if (party === 'line') return isPhone
  if (isPhone && ours.has(lastDigits(phoneIn(value)!))) return true
  if (direction === null) return false
  return party === (direction === 'Inbound' ? 'to' : 'from')
}

/** Finds what shows that a side of the call is the customer's, or the business's. */
function whoseSides(
  signs: readonly Sign[],
  numbers: readonly Sign[],
  { named, ours }: { named: ReadonlySet<string>; ours: ReadonlySet<string> },
) {
  const find = (of: Sign['side'], isOurs: boolean) => {
    const known = isOurs ? ours : named
    const hints = (one: Sign) => {
      const said = sideSaid(one)
      return said ? said.side === of && said.isOurs === isOurs : isOurs && one.side === of && one.isExtension
    }
    const isOf = (one: Sign) => one.side === of && known.has(digitsOf(one))
    return numbers.find(isOf) ?? signs.find(hints)
  }
  return {
    theirs: { from: find('from', false), to: find('to', false) },
    ours: { from: find('from', true), to: find('to', true) },
  }
}

const whoseNumber = msg`Whose number it is`
const inEarlierCalls = msg`A number of your business in earlier calls`
