import { phoneIn } from '../../../crm/contacts/parse-contact.ts'
import type { Text } from '../../../platform/languages/translate.ts'
import { pathText } from '../path.ts'
import type { Leaf } from '../structure/leaves.ts'
import { meaningOf } from '../words/meaning.ts'
import type { Said } from './call-parts.ts'

/** Whose a value of a call is: a `user` is an agent, except beside agents; `from` and `to` are the customer's or the business's by the direction. */
type Party = 'customer' | 'agent' | 'user' | 'line' | Side
type Side = 'from' | 'to'

const words: Record<Party, string> = {
  customer: `customer customers cust grahak client clients lead contact prospect patient visitor consumer subscriber external
    remote applicant borrower`,
  user: 'user users',
  agent: `agent agents agt karmchari operator operators staff employee emp exec executive extension ext extn exten member members rep
    representative counsellor counselor telecaller owner assigned assignee advisor adviser teammate attendant manager host answered attended
    handled picked handler associate rm salesperson salesman specialist responder`,
  line: `did ddi dnid virtual vn vmn trunk tracking business company account org organization ivr line hotline tollfree pilot gateway forwarded
    forwarding forward transfer transferred masked masking proxy display our system service department queue campaign internal local switchboard
    inbox`,
  from: 'from aparty caller calling source src originator originating origin ani cli clid clr callerid caller_id dialing initiator',
  to: 'to bparty destination dest dst called callee cld dni dialed dialled receiver recipient dnis target',
}

const partyOf = new Map(
  Object.entries(words).flatMap(([party, list]) => list.split(/\s+/).map((word) => [word, party as Party] as const)),
)

/** Whether a value is no name but a role: `customer`, `caller`. */
export const isPartyWord = (value: string) => partyOf.has(value.toLowerCase())

/** The last word of a name such as `lead_owner_phone` decides; a side of the call only where no other word does. */
export function partyIn(all: readonly string[]): Party | undefined {
  const parties = all.flatMap((word) => partyOf.get(word) ?? [])
  // The user agent of a device.
  if (all.includes('user') && all.includes('agent')) return undefined
  if (all.includes('by')) return 'agent'
  return parties.findLast((party) => party !== 'from' && party !== 'to') ?? parties.at(-1) ?? byLetter(all)
}

/** `a_number` and `party_b`. */
const byLetter = (all: readonly string[]) =>
  all.some((word) => /^(party|number|no|num|leg|side)$/.test(word))
    ? all.includes('a')
      ? 'from'
      : all.includes('b')
        ? 'to'
        : undefined
    : undefined

/** The side of the call that a name is of. A channel is of the caller, unless its name says more: `dstchannel`. */
function sideIn(all: readonly string[]): Side | undefined {
  const isOf = (party: Side) => (word: string) => partyOf.get(word) === party
  const side = all.findLast((word) => isOf('from')(word) || isOf('to')(word))
  if (side !== undefined) return isOf('to')(side) ? 'to' : 'from'
  if (all.includes('by') && all.some((word) => /^(initiat|originat|start|plac)/.test(word))) return 'from'
  return all.join('') === 'channel' ? 'from' : undefined
}

/** Returns the side that a value speaks of, and whether it is the business's: `caller_type: agent`, `context: from-internal`. */
export function sideSaid({ words: own, side, value }: Sign): { side: Side; isOurs: boolean } | undefined {
  if (!own.some((word) => /type|role|kind|context|by$|^(initiator|originator)$/.test(word)) || value.length > 40) return
  const said = meaningOf(value).words
  const of = side ?? (/context$/.test(own.at(-1)!) ? sideIn(said) : undefined)
  const party = said.map((word) => (/^(trunk|pstn|did)$/.test(word) ? 'customer' : partyOf.get(word)))
  const whose = party.find((one) => one !== undefined && one !== 'from' && one !== 'to')
  return of && whose && { side: of, isOurs: whose !== 'customer' }
}

/** Returns the extension in `204`, `PJSIP/204-0000001f` and `sip:204@pbx.example.com`. */
const extensionIn = (value: string) =>
  /^(?:(?:sips?|pjsip|iax2?|sccp|local|user|tel)[:/]{1,3})?(\d{2,5})(?:[-@;].*)?$/i.exec(value)?.[1]

/** Returns a name in lower case without punctuation. */
export const keyOf = (name: string) => name.toLowerCase().replace(/[^a-z\d]/g, '')

/** A value of a payload with what its names say. */
export interface Sign {
  leaf: Leaf
  /** Its name in lower case without punctuation. */
  key: string
  words: readonly string[]
  /** The words of the two names around it. */
  outer: readonly (readonly string[])[]
  value: string
  party: Party | undefined
  /** Which side of the call it is of, also if it is an agent's or a customer's. */
  side: Side | undefined
  /** It is an extension by its value and its name. */
  isExtension: boolean
  /** It is a phone number by its value and its name. */
  isPhone: boolean
  /** Its name says no more than that it is a phone number. */
  isPlain: boolean
}

const maxLabelLength = 60

export function signOf(leaf: Leaf, roleInGroup: string | undefined): Sign {
  const label = (leaf.labels[0] ?? '').slice(0, maxLabelLength)
  const own = meaningOf(label).words
  const outer = leaf.around.slice(0, 2).map((name) => meaningOf(name.slice(0, maxLabelLength)).words)
  // The calls of an agent are those of several customers.
  const holders = outer.slice(0, 1).some((words) => /^(calls|(call)?logs)$/.test(words.join(''))) ? [] : outer
  const named = partyIn(own)
  const around = holders.map(partyIn).find((party) => party !== undefined)
  const byRole = roleInGroup === undefined ? undefined : partyIn(meaningOf(roleInGroup.slice(0, 40)).words)
  const isSide = named === undefined || named === 'from' || named === 'to'
  const value = leaf.value.trim()
  const isOfPhone = isPhoneName(own, label)
  // A line within a side may be the other one's: `from: { number, line_number }`.
  const side = sideIn(own) ?? (named === 'line' ? undefined : outer.map(sideIn).find((one) => one !== undefined))
  return {
    leaf,
    key: keyOf(label),
    words: own,
    outer,
    value,
    party: (isSide ? byRole : undefined) ?? named ?? around,
    side,
    isExtension: (isOfPhone || own.at(-1) === 'channel') && extensionIn(value) !== undefined,
    isPhone: isOfPhone && phoneIn(value) !== undefined,
    isPlain: own.every((word) => phoneWords.has(word) || (meaningOf(word).senses.phone ?? 0) >= 90),
  }
}

const noPhones = new Set(
  `time date at on stamp timestamp duration seconds sec uuid sid name status state type count city country region code zip email url link
  circle carrier network provider group index price cost amount location timezone`.split(/\s+/),
)
const phoneWords = new Set(
  'number no num phone mobile msisdn cell tel uri endpoint digits value e164 raw formatted party contact'.split(' '),
)

export function isPhoneName(all: readonly string[], label: string): boolean {
  if (all.some((word) => noPhones.has(word))) return false
  const last = all.at(-1) ?? ''
  if (last === 'id') return false
  return partyOf.has(last) || phoneWords.has(last) || last === 'callerid' || (meaningOf(label).senses.phone ?? 0) >= 60
}

export const saidBy = ({ leaf, value }: Sign, reason: Text): Said => {
  return { path: pathText(leaf.path), value, name: leaf.labels[0] ?? '', reason, by: 'recognised' }
}
