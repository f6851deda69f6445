import type { CountryCode } from 'libphonenumber-js/max'
import type { Language } from '../../../platform/languages/contract.ts'
import { translate } from '../../../platform/languages/translate.ts'
import type { Confidence } from '../contract.ts'
import { isNotice } from '../notice.ts'
import type { Leaf } from '../structure/leaves.ts'
import { meaningOf } from '../words/meaning.ts'
import { type Candidate, candidatesIn, kindNamed, type RecognisedField } from './candidate.ts'
import { type Choice, chooseFields, type Settled } from './choose.ts'
import { contextOf, isName } from './features.ts'
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
      confidence: confidenceOf(choice, contacts),
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

/** An uncertain value may keep a lead, or add to it. It gives no name, and no second contact that could merge two people. */
function confidenceOf(choice: Choice, contacts: readonly Choice[]): Confidence {
  if (isSure(choice)) return 'sure'
  const isSpare = contacts.includes(choice) && contacts.some(isSure)
  return isName(choice.field) || isSpare ? 'suggested' : 'unsure'
}

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
