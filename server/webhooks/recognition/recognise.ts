import type { CountryCode } from 'libphonenumber-js/max'
import { type Choice, chooseEmail, choosePhone } from './choose-contact.ts'
import { chooseName } from './choose-name.ts'
import { chooseCity, chooseCompany, chooseNotes, chooseSource } from './choose-text.ts'
import { type Evidence, evidenceOf } from './evidence.ts'
import type { Leaf } from './leaves.ts'
import { mailboxIn, phoneIn } from './values.ts'

export type RecognisedField =
  | 'name'
  | 'first_name'
  | 'last_name'
  | 'email'
  | 'phone'
  | 'company'
  | 'city'
  | 'source'
  | 'notes'
export type Recognised = { field: RecognisedField; leaf: Leaf; value: string; reason: string }

/** A value that is plainly meant as a contact and cannot be one. */
export type Impossible = { field: 'email' | 'phone'; leaf: Leaf }

export function recognise(leaves: Leaf[], country: CountryCode): { found: Recognised[]; impossible: Impossible[] } {
  const all = evidenceOf(leaves)
  const found: Recognised[] = []
  const take = (field: RecognisedField, choice: Choice | undefined) => {
    if (choice) found.push({ field, leaf: choice.evidence, value: choice.value, reason: choice.reason })
  }
  const email = chooseEmail(all)
  const phone = choosePhone(all, country, email?.evidence)
  take('email', email)
  take('phone', phone)
  const contacts = [email, phone].filter((choice) => choice !== undefined).map((choice) => choice.evidence)
  const name = chooseName(all, contacts)
  if (name && 'whole' in name) take('name', name.whole)
  else if (name) {
    take('first_name', name.first)
    take('last_name', name.last)
  }
  const used = new Set(found.map(({ leaf }) => leaf))
  for (const [field, choose] of texts) {
    const choice = choose(
      all.filter((evidence) => !used.has(evidence)),
      contacts,
    )
    take(field, choice)
    if (choice) used.add(choice.evidence)
  }
  return { found, impossible: impossibleContacts(all, email, phone) }
}

const texts = [
  ['company', chooseCompany],
  ['city', chooseCity],
  ['source', chooseSource],
  ['notes', chooseNotes],
] as const

function impossibleContacts(all: Evidence[], email: Choice | undefined, phone: Choice | undefined): Impossible[] {
  const impossible: Impossible[] = []
  const isOurs = (evidence: Evidence) => !evidence.staff && !evidence.thing && !evidence.attribute && !evidence.to
  if (!email) {
    const broken = all.find(
      (one) => isOurs(one) && (one.senses.email ?? 0) >= 85 && !mailboxIn(one.value) && !phoneIn(one.value),
    )
    if (broken) impossible.push({ field: 'email', leaf: broken })
  }
  if (!phone) {
    const broken = all.find(
      (one) => isOurs(one) && (one.senses.phone ?? 0) >= 80 && !phoneIn(one.value) && !mailboxIn(one.value),
    )
    if (broken) impossible.push({ field: 'phone', leaf: broken })
  }
  return impossible
}
