import type { CountryCode } from 'libphonenumber-js/max'
import { chooseCity } from './city.ts'
import { chooseCompany } from './company.ts'
import { chooseEmail, onlyEmail } from './email.ts'
import { type Evidence, evidenceOf } from './evidence.ts'
import { joined } from './join-number.ts'
import type { Leaf } from './leaves.ts'
import { chooseName } from './name.ts'
import { chooseNotes } from './notes.ts'
import { choosePhone } from './phone.ts'
import { type Choice, scoring as committed, type Scoring } from './scoring.ts'
import { chooseSource } from './source.ts'
import { mailboxIn, phoneIn } from './values.ts'

type RecognisedField = 'name' | 'first_name' | 'last_name' | 'email' | 'phone' | 'company' | 'city' | 'source' | 'notes'
type Recognised = { field: RecognisedField; leaf: Leaf; value: string; reason: string }

/** A value whose field name is a contact's, but which is not a valid one. */
type InvalidContact = { field: 'email' | 'phone'; leaf: Leaf }

/**
 * The values that the owner's mapping uses: they are not chosen again, the contacts among them are the lead's, and the
 * parts of a name among them show which part is missing.
 */
export type Settled = { taken: ReadonlySet<Leaf>; contacts: ReadonlySet<Leaf>; nameParts: ReadonlySet<Leaf> }

export type Recognition = { found: Recognised[]; invalid: InvalidContact[] }

export function recognise(
  leaves: Leaf[],
  country: CountryCode,
  settled?: Settled,
  scoring: Scoring = committed,
): Recognition {
  const all = evidenceOf(leaves)
  const free = settled ? all.filter(({ leaf }) => !settled.taken.has(leaf)) : all
  const found: Recognised[] = []
  const take = (field: RecognisedField, choice: Choice | undefined) => {
    if (choice && !settled?.taken.has(choice.evidence.leaf))
      found.push({ field, leaf: choice.evidence.leaf, value: choice.value, reason: choice.reason })
  }
  // What the owner mapped is not chosen a second time: another person's contact would count as the lead's.
  const mapped = all.filter(({ leaf }) => settled?.contacts.has(leaf))
  const mappedEmail = mapped.find(({ value }) => mailboxIn(value))
  const named = mappedEmail ? undefined : chooseEmail(free, scoring)
  const isPhoneMapped = mapped.some(({ value }) => !mailboxIn(value))
  const phone = isPhoneMapped ? undefined : choosePhone(free, country, mappedEmail ?? named?.evidence, scoring)
  const email = named ?? (phone || mapped.length > 0 ? undefined : onlyEmail(free, scoring))
  take('email', email)
  take('phone', phone)
  const contacts = all.filter((one) => mapped.includes(one) || one === email?.evidence || one === phone?.evidence)
  const name = chooseName(
    settled ? all.filter(({ leaf }) => !settled.taken.has(leaf) || settled.nameParts.has(leaf)) : all,
    contacts,
    scoring,
  )
  if (name && 'whole' in name) take('name', name.whole)
  else if (name) {
    take('first_name', name.first)
    take('last_name', name.last)
  }
  for (const [field, choose] of texts) {
    const used = new Set(found.map(({ leaf }) => leaf))
    const left = free.filter(({ leaf }) => !used.has(leaf))
    take(field, choose(left, contacts, scoring, all))
  }
  return { found, invalid: invalidContacts(free, email, phone) }
}

/** Returns the number at a mapped leaf, with the country code that may be beside it. */
export function phoneAt(leaf: Leaf, leaves: Leaf[], country: CountryCode): string | undefined {
  const value = phoneIn(leaf.value)
  if (value === undefined) return undefined
  const all = evidenceOf(leaves)
  const evidence = all.find((one) => one.leaf === leaf)
  return evidence ? joined({ evidence, value }, all, country) : value
}

const texts = [
  ['company', chooseCompany],
  ['city', chooseCity],
  ['source', chooseSource],
  ['notes', chooseNotes],
] as const

function invalidContacts(all: Evidence[], email: Choice | undefined, phone: Choice | undefined): InvalidContact[] {
  const invalid: InvalidContact[] = []
  const isOurs = (evidence: Evidence) => !evidence.staff && !evidence.thing && !evidence.attribute && !evidence.to
  if (!email) {
    const broken = all.find(
      (one) => isOurs(one) && (one.senses.email ?? 0) >= 85 && !mailboxIn(one.value) && !phoneIn(one.value),
    )
    if (broken) invalid.push({ field: 'email', leaf: broken.leaf })
  }
  if (!phone) {
    const broken = all.find(
      (one) => isOurs(one) && (one.senses.phone ?? 0) >= 80 && !phoneIn(one.value) && !mailboxIn(one.value),
    )
    if (broken) invalid.push({ field: 'phone', leaf: broken.leaf })
  }
  return invalid
}
