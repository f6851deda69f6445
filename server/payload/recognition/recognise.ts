import type { CountryCode } from 'libphonenumber-js/max'
import { mailboxIn, phoneIn, phonesIn } from '../../contacts/written-contact.ts'
import type { Confidence } from '../contract.ts'
import { chooseCity } from './city.ts'
import { chooseCompany } from './company.ts'
import { chooseEmail, onlyEmail } from './email.ts'
import { type Evidence, evidenceOf, inGroup, isEventsType } from './evidence.ts'
import { joined } from './join-number.ts'
import { meaningOf } from './label.ts'
import type { Leaf } from './leaves.ts'
import { chooseName } from './name.ts'
import { chooseNotes } from './notes.ts'
import { chooseOtherContacts } from './other-contacts.ts'
import { isNotice } from './payload-facts.ts'
import { choosePhone } from './phone.ts'
import { asLeads, repeatsEmail, repetitionsOf } from './same-person.ts'
import { type Choice, scoring as committed, confidenceOf, type Scoring } from './scoring.ts'
import { chooseSource, isNetwork } from './source.ts'
import { isInRecordOf, isOfUnknown, isOfUnknownPrefix } from './surroundings.ts'
import { isBlank, isId, isWithheld, lastDigits } from './values.ts'

type RecognisedField =
  | 'name'
  | 'first_name'
  | 'last_name'
  | 'email'
  | 'phone'
  | 'other_contacts'
  | 'company'
  | 'city'
  | 'source'
  | 'notes'
type Recognised = { field: RecognisedField; leaf: Leaf; value: string; reason: string; confidence: Confidence }

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
  if (isNotice(leaves)) return { found: [], invalid: [] }
  const all = evidenceOf(leaves, settled?.nameParts)
  const free = settled ? all.filter(({ leaf }) => !settled.taken.has(leaf)) : all
  const found: Recognised[] = []
  const take = (field: RecognisedField, choice: Choice | undefined) => {
    if (!choice || settled?.taken.has(choice.evidence.leaf)) return
    const { value, reason, score } = choice
    found.push({ field, leaf: choice.evidence.leaf, value, reason, confidence: confidenceOf(score) })
  }
  // What the owner mapped is not chosen a second time: another person's contact would count as the lead's.
  const mapped = all.filter(({ leaf }) => settled?.contacts.has(leaf))
  const mappedEmail = mapped.find(({ value }) => mailboxIn(value))
  const likeliest = mappedEmail ? undefined : chooseEmail(free, scoring, all)
  const isPhoneMapped = mapped.some(({ value }) => !mailboxIn(value))
  const callable = hasWithheld(leaves) ? free.filter(({ person, from }) => person || from) : free
  const phone = isPhoneMapped ? undefined : choosePhone(callable, country, mappedEmail ?? likeliest?.evidence, scoring)
  const phoneOf = phone?.evidence ?? mapped[0]
  const named = likeliest && phoneOf && isOthers(likeliest, phoneOf, all) ? undefined : likeliest
  const email = named ?? (phone || mapped.length > 0 ? undefined : onlyEmail(free, scoring, all))
  take('email', email)
  take('phone', phone)
  const first = all.filter((one) => mapped.includes(one) || one === email?.evidence || one === phone?.evidence)
  // What the owner mapped says which ones are the lead's.
  const others = mapped.length > 0 ? [] : chooseOtherContacts(first, free, country)
  for (const { evidence, value, reason } of others)
    found.push({ field: 'other_contacts', leaf: evidence.leaf, value, reason, confidence: 'likely' })
  const contacts = first.length > 0 ? first : others.map(({ evidence }) => evidence)
  const repetitions = repetitionsOf(contacts, all)
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
  const invalid = invalidContacts(free, email, phone)
  // The texts of an event are no enquiry.
  const isSent = all.some(({ around }) => /^sender$/i.test(around[0] ?? ''))
  const hasNoPerson = contacts.length === 0 && invalid.length === 0 && !name
  const isEvents = hasNoPerson && !isSent && all.some(isEventsType)
  for (const [field, choose] of isEvents ? [] : texts) {
    if (hasNoPerson && field === 'source') continue
    if (contacts.length === 0 && isSent && field === 'company') continue
    const isOfRecord = field === 'company' || field === 'city'
    const theirs = isOfRecord ? [...contacts, ...repetitions] : contacts
    const used = new Set(found.map(({ leaf }) => leaf))
    const isNamed = ({ senses }: Evidence) => field !== 'city' || senses.city === 95
    const isMessage = ({ labels, around }: Evidence) =>
      field !== 'notes' || saidBySomebody.test([labels[0], ...around].join(' '))
    // A company's city counts only with the company.
    const isCompanys = ({ around }: Evidence) => field === 'city' && isOfCompany(around)
    const company = found.find(({ field: other }) => other === 'company')?.leaf
    const hasCompany = (one: Evidence) => company && (isOfCompany(company.around) || isInRecordOf(one, company))
    const left = free.filter(
      (one) =>
        !used.has(one.leaf) &&
        (hasCompany(one) || !isCompanys(one)) &&
        (!hasNoPerson || (isMessage(one) && isNamed(one))) &&
        !(
          isOfUnknown(one, theirs) &&
          !(field === 'source' && isNetwork(one.value)) &&
          !(field === 'notes' && repeatsEmail(one, repetitions))
        ) &&
        !(field !== 'source' && isOfUnknownPrefix(one, all)),
    )
    take(field, choose(isOfRecord ? asLeads(left, repetitions) : left, theirs, scoring, all))
  }
  return { found, invalid }
}

/** Returns the number at a mapped leaf, with the country code that may be beside it. */
export function phoneAt(leaf: Leaf, leaves: Leaf[], country: CountryCode): string | undefined {
  const [value] = phonesIn(leaf.value, country)
  if (value === undefined) return undefined
  const all = evidenceOf(leaves)
  const evidence = all.find((one) => one.leaf === leaf)
  return evidence ? joined({ evidence, value }, all, country) : value
}

/** Whether a caller's number is withheld: other numbers of the call are not the caller's. */
function hasWithheld(leaves: readonly Leaf[]): boolean {
  const called = new Set(leaves.flatMap((leaf) => (isReceivers(leaf) ? leaf.group : [])))
  return leaves.some(({ labels, value, group }) => {
    const { from, thing, senses } = meaningOf(labels[0] ?? '')
    // Without a receiver, there was no call.
    return from && !thing && senses.phone !== undefined && isWithheld(value) && (!isBlank(value) || called.has(group))
  })
}

const isReceivers = ({ labels: [label = ''], value }: Leaf) => meaningOf(label).to && phoneIn(value) !== undefined

/** A part of a call has times of its own: who answered is beside them. */
const isCallLegField = ({ labels }: Evidence) =>
  /^(connected|answered|picked|ring(ing)?|talk)([ _-]?(up|at|time|duration))+$/i.test(labels[0] ?? '')

/** Whether an email is in a part of a call, or without a name of its own beside another phone than the lead's. */
function isOthers({ evidence, score }: Choice, phone: Evidence, all: Evidence[]): boolean {
  if (evidence.group === phone.group) return false
  if (!evidence.person && inGroup(all, evidence.group).some(isCallLegField)) return true
  if (confidenceOf(score) !== 'unsure') return false
  const numbers = inGroup(all, evidence.group).flatMap(({ value }) => phoneIn(value) ?? [])
  return numbers.length > 0 && !numbers.some((number) => lastDigits(number) === lastDigits(phone.value))
}

/** Without a person, only a message is a note. */
const saidBySomebody = /messag|msg|repl(y|ies)|sms|chat|comment|enquiry|inquiry|query|question|review|feedback|text/i

const isOfCompany = (around: readonly string[]) =>
  around.slice(0, 2).some((name) => (meaningOf(name).senses.company ?? 0) >= 60)

const texts = [
  ['company', chooseCompany],
  ['city', chooseCity],
  ['source', chooseSource],
  ['notes', chooseNotes],
] as const

/** Whether it is a count, the number of a person in a list, or the last digits of a phone: 5 as `numGuests`, 101 as `donorNumber`. */
function isMembers({ labels, value }: Evidence): boolean {
  const label = labels[0] ?? ''
  const isEnd = /last[ _-]?(4|four|digits)$/i.test(label)
  return /^\d{1,5}$/.test(value) && (isEnd || !/phone|tel|mob|cell|contact|whats|call|sms/i.test(label))
}

/** A contact that was masked before it was sent, the id of a chat, or the name of a sender instead of a number. */
const masked = /\*{3}|@(lid|g\.us|newsletter|broadcast)$|^[A-Z][A-Z\d-]{2,10}$/

function invalidContacts(all: Evidence[], email: Choice | undefined, phone: Choice | undefined): InvalidContact[] {
  const invalid: InvalidContact[] = []
  const isOurs = (evidence: Evidence) =>
    !masked.test(evidence.value) && !evidence.staff && !evidence.thing && !evidence.attribute && !evidence.to
  if (!email) {
    const broken = all.find(
      (one) =>
        isOurs(one) &&
        (one.senses.email ?? 0) >= 85 &&
        /\p{L}/u.test(one.value) &&
        !isId(one.value) &&
        !mailboxIn(one.value) &&
        !phoneIn(one.value),
    )
    if (broken) invalid.push({ field: 'email', leaf: broken.leaf })
  }
  if (!phone) {
    const broken = all.find(
      (one) =>
        isOurs(one) && (one.senses.phone ?? 0) >= 80 && !phoneIn(one.value) && !mailboxIn(one.value) && !isMembers(one),
    )
    if (broken) invalid.push({ field: 'phone', leaf: broken.leaf })
  }
  return invalid
}
