import type { CountryCode } from 'libphonenumber-js/max'
import type { Language } from '../../../platform/languages/contract.ts'
import { translate } from '../../../platform/languages/translate.ts'
import type { Confidence } from '../contract.ts'
import { isNotice } from '../notice.ts'
import type { Leaf } from '../structure/leaves.ts'
import { meaningOf } from '../words/meaning.ts'
import { type Candidate, candidatesIn, kindNamed, type RecognisedField } from './candidate.ts'
import { type Choice, chooseFields, type Settled } from './choose.ts'
import { type Context, contextOf, isName } from './features.ts'
import { joinedAt } from './joined-value.ts'
import { committedWeights } from './model.ts'
import { chooseOtherContacts } from './other-contacts.ts'
import { reasonFor } from './reason.ts'

interface Recognised {
  field: RecognisedField | 'other_contacts'
  leaf: Leaf
  value: string
  reason: string
  confidence: Confidence
}

/** A value whose field name is a contact's, but which is not a valid one. */
interface InvalidContact {
  field: 'email' | 'phone'
  leaf: Leaf
}

export interface Recognition {
  found: Recognised[]
  invalid: InvalidContact[]
}

/** Finds the fields of a lead among the values of a payload, beside those that a mapping settled. `language`: of the reasons. */
export function recognise(leaves: Leaf[], country: CountryCode, settled?: Settled, language?: Language): Recognition {
  if (isNotice(leaves)) return { found: [], invalid: [] }
  const context = contextOf(candidatesIn(leaves, country))
  const choices = chooseFields(context, settled)
  const contacts = choices.filter(({ field }) => field === 'email' || field === 'phone')
  const found = choices.map((choice): Recognised => {
    const { field, candidate } = choice
    const { leaf } = candidate
    return {
      field,
      leaf,
      value: joinedAt(field, leaf, leaves, country) ?? choice.value,
      reason: reasonFor(
        choice,
        context,
        contacts.map(({ candidate }) => candidate),
        committedWeights(),
        language,
      ),
      confidence: confidenceOf(choice, contacts, { context, settled }),
    }
  })
  if (!settled?.hasAllContacts) {
    const first = context.candidates.filter(
      (one) => settled?.contacts.has(one.leaf) || contacts.some(({ candidate }) => candidate === one),
    )
    const used = new Set(choices.map(({ candidate }) => candidate))
    const others = context.candidates.filter((one) => !used.has(one) && !settled?.taken.has(one.leaf))
    for (const { candidate, value, reason } of chooseOtherContacts(first, others, country))
      found.push({
        field: 'other_contacts',
        leaf: candidate.leaf,
        value,
        reason: translate(reason, language),
        confidence: 'sure',
      })
  }
  const free = context.candidates.filter(({ leaf }) => !settled?.taken.has(leaf))
  return { found, invalid: invalidContacts(free, contacts) }
}

/**
 * Whether a choice counts as it is. Of those that are this probable, 97 of 100 are right on payloads of unknown senders. A name may be
 * whole or in parts, which share the probability; what stands under the plain word for a name is kept.
 */
export function isSure({
  field,
  probability,
  candidate,
}: Pick<Choice, 'field' | 'probability' | 'candidate'>): boolean {
  if (!isName(field)) return probability >= 0.9
  const { senses, staff, thing, attribute } = meaningOf(candidate.leaf.labels[0] ?? '')
  const isPlain = Math.max(senses.name ?? 0, senses.first ?? 0, senses.last ?? 0) >= 90
  return probability >= 0.65 || (isPlain && !staff && !thing && !attribute)
}

/** Beside a sure contact, 85 of 100 from here on are right on payloads of unknown senders, and 60 below. */
const leastBeside = 0.6

interface Surroundings {
  context: Context
  settled: Settled | undefined
}

/** An uncertain value may keep a lead, or add to it, unless it is somebody else's: a name, or a contact beside one that is sure. */
function confidenceOf(choice: Choice, contacts: readonly Choice[], { context, settled }: Surroundings): Confidence {
  const { candidate, field, probability } = choice
  const isContact = contacts.includes(choice)
  // The number of a relative is not the lead's own.
  const isRelatives = isContact && meaningOf(nameOf(candidate)).kin
  const isProbable = isSure(choice)
  if (isProbable && !isRelatives) return 'sure'
  const mapped = context.candidates.filter(({ leaf }) => settled?.contacts.has(leaf))
  const others = contacts.filter((one) => one !== choice)
  const isSpare = isContact && (mapped.length > 0 || others.some(isSure))
  if (!isSpare && !isName(field)) return isProbable ? 'sure' : 'unsure'
  if (isSpare && probability < leastBeside) return 'suggested'
  const beside = [...mapped, ...others.map((one) => one.candidate)]
  const places = context.candidates.filter((one) => one === candidate || (isContact && haveOneContact(one, candidate)))
  return places.some((one) => settled?.decided.has(one.leaf) || isOthers(one, beside)) ? 'suggested' : 'unsure'
}

/** Whether a value is named as somebody else's than the contacts: a relative's name, a receiver, an object of an agent without them. */
function isOthers(candidate: Candidate, contacts: readonly Candidate[]): boolean {
  const { staff, to, kin } = meaningOf(nameOf(candidate))
  const isContact = candidate.email !== undefined || candidate.phone !== undefined
  if (staff || (kin && !isContact)) return true
  if (to && !contacts.some((one) => meaningOf(nameOf(one)).to)) return true
  return candidate.leaf.around.some((name) => {
    const outer = meaningOf(name)
    return (outer.staff || outer.to) && !contacts.some(({ leaf }) => leaf.around.includes(name))
  })
}

const nameOf = ({ leaf }: Candidate) => leaf.labels[0] ?? ''

const haveOneContact = (one: Candidate, other: Candidate) =>
  one.email !== undefined
    ? one.email.toLowerCase() === other.email?.toLowerCase()
    : one.digits === other.digits && one.digits !== undefined

const integer = kindNamed('integer')
const noContacts = new Set((['blank', 'link', 'id', 'boolean'] as const).map(kindNamed))

/** A contact that was masked before it was sent, the id of a chat, or the name of a sender instead of a number. */
const masked = /\*{3}|@(lid|g\.us|newsletter|broadcast)$|^[A-Z][A-Z\d-]{2,10}$/

/** A short number is a count or a person's number, unless its name has a word for phones: `visitor_no`, `phone_last4`. */
function isCount({
  kind,
  value,
  leaf: {
    labels: [label = ''],
  },
}: Candidate): boolean {
  if (kind !== integer || value.length > 5) return false
  return (meaningOf(label).senses.phone ?? 0) < 90 || /last[ _-]?(4|four|digits)$/i.test(label)
}

/** Returns values under the plain name of a contact that the lead has none of. */
function invalidContacts(free: readonly Candidate[], contacts: readonly Choice[]): InvalidContact[] {
  const isNamed = ({ leaf, kind, value, email, phone, own }: Candidate, field: 'email' | 'phone') => {
    const { senses, staff, thing, attribute, to } = meaningOf(leaf.labels[0] ?? '')
    const outer = meaningOf(leaf.around[0] ?? '')
    return (
      (senses[field] ?? 0) >= 80 &&
      !(staff || thing || attribute || to || outer.staff || outer.thing) &&
      email === undefined &&
      phone === undefined &&
      !noContacts.has(kind) &&
      own.length <= 4 &&
      value.length <= 100 &&
      !masked.test(value)
    )
  }
  const isLacking = (field: 'email' | 'phone') => !contacts.some((choice) => choice.field === field)
  const email = isLacking('email') ? free.find((one) => isNamed(one, 'email') && /\p{L}/u.test(one.value)) : undefined
  const phone = isLacking('phone') ? free.find((one) => isNamed(one, 'phone') && !isCount(one)) : undefined
  return [
    ...(email ? [{ field: 'email' as const, leaf: email.leaf }] : []),
    ...(phone ? [{ field: 'phone' as const, leaf: phone.leaf }] : []),
  ]
}
