import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { isJid, phoneIn, phonesIn } from '../../contacts/written-contact.ts'
import type { Evidence } from './evidence.ts'
import { joined, withArea } from './join-number.ts'
import { meaningOf } from './label.ts'
import { type Candidate, type Choice, choose, type Features, type Scoring } from './scoring.ts'
import { completeness, isListed, ofOthers } from './surroundings.ts'
import { lastDigits } from './values.ts'
import { classesOf, type WordClass } from './words.ts'

export function choosePhone(
  all: Evidence[],
  country: CountryCode,
  email: Evidence | undefined,
  scoring: Scoring,
): Choice | undefined {
  const candidates = likeliest(candidatesIn(all, email, country))
    .map(validated(country))
    .filter((one) => email === undefined || !isRecordId(one))
  const chosen = choose('phone', candidates, scoring) ?? onlyReceiver(all, country)
  if (!chosen) return undefined
  const numbers = phonesIn(chosen.evidence.value, country)
  const value = numbers.length > 1 ? numbers[0]! : chosen.value
  return fuller(chosen, candidates, country, joined({ ...chosen, value }, all, country))
}

/** Whether it is in the place of a contact, but no valid number: the id of a contact whose email is known. */
const isRecordId = ({ evidence: { senses, value }, features }: Candidate<'phone'>) =>
  !features.valid && !senses.phone && /^\d{1,9}$/.test(value)

/** Returns the number that was called in a call that names no other: one made by the business. */
function onlyReceiver(all: Evidence[], country: CountryCode): Choice | undefined {
  if (all.some(isInbound)) return undefined
  const numbers = all.flatMap((evidence) => {
    // The receiver of an enquiry is the business.
    const label = evidence.labels[0] ?? ''
    const isCalled =
      evidence.to &&
      (evidence.senses.phone ||
        /^out(bound|going)/i.test(evidence.around[0] ?? '') ||
        /^(destination|dst)$/i.test(label)) &&
      !/^rec[ie]+ver/i.test(label)
    const value = isCalled ? phoneIn(evidence.value) : undefined
    return value !== undefined && isValid(value, country) ? [{ evidence, value }] : []
  })
  const [only] = numbers
  const isCaller = ({ from, labels, value }: Evidence) =>
    (from || /^src$/i.test(labels[0] ?? '')) && (phoneIn(value) ?? '').replace(/\D/g, '').length >= 9
  if (!only || all.some(isCaller)) return undefined
  if (numbers.some(({ value }) => lastDigits(value) !== lastDigits(only.value))) return undefined
  return { ...only, score: 40, reason: 'Number that was called' }
}

/** Prefers a valid number that ends with this invalid one, which has no area code. */
function fuller(chosen: Choice, candidates: Candidate<'phone'>[], country: CountryCode, value: string): Choice {
  const digits = value.replace(/\D/g, '')
  const full = isValid(value, country)
    ? undefined
    : candidates.find((other) => other.features.valid && other.value.replace(/\D/g, '').endsWith(digits))
  return full ? { ...chosen, evidence: full.evidence, value: full.value } : { ...chosen, value }
}

function candidatesIn(all: Evidence[], email: Evidence | undefined, country: CountryCode): Candidate<'phone'>[] {
  const inChat = all.some(isChat)
  const numbers = all.flatMap((evidence) => {
    const value = isTime(evidence)
      ? undefined
      : (phoneIn(evidence.value) ?? firstOf(evidence, country) ?? withArea(evidence, all))
    return value === undefined ? [] : [{ evidence, value }]
  })
  const spellings = Map.groupBy(numbers, ({ value }) => lastDigits(value))
  const mobiles = mobileEntries(all)
  const anyPerson = numbers.some(({ evidence }) => evidence.person)
  const digitsOf = (isMeant: (evidence: Evidence) => boolean) =>
    new Set(numbers.flatMap(({ evidence, value }) => (isMeant(evidence) ? lastDigits(value) : [])))
  const senders = digitsOf(({ from, staff }) => from && !staff)
  const persons = digitsOf(({ person, to }) => person && !to)
  const isReceivers = (digits: string) => senders.size > 0 && !senders.has(digits) && !persons.has(digits)
  const isWritten = all.some(({ labels }) => /^(text|body|message|content|conversation)$/i.test(labels[0] ?? ''))
  const isWriter = ({ from, staff, value }: Evidence) => from && !staff && (isWritten || isJid(value))
  const writers = digitsOf((one) => isWriter(one) && /^from([ _-]?number)?$/i.test(one.labels[0] ?? ''))
  // Beside who wrote, a plain number is that of the session which received it.
  const isSessions = ({ labels: [label = ''], person }: Evidence, digits: string) =>
    writers.size > 0 && !writers.has(digits) && !person && plainNumber.test(label)
  const mayBeLeads = (other: { evidence: Evidence; value: string }, value: string) =>
    !other.evidence.staff && !other.evidence.to && lastDigits(other.value) !== lastDigits(value)
  const isOurs = (one: Evidence, value: string) =>
    one.around.some((name) => /^(line|number)$/i.test(name)) ||
    (/^session$/i.test(one.around[0] ?? '') &&
      plainNumber.test(one.labels[0] ?? '') &&
      numbers.some((other) => mayBeLeads(other, value))) ||
    (one.from && one.staff) ||
    (one.to && isReceivers(lastDigits(value))) ||
    isSessions(one, lastDigits(value))
  // The number of the business may stand elsewhere, too.
  const ours = new Set(numbers.flatMap(({ evidence, value }) => (isOurs(evidence, value) ? lastDigits(value) : [])))
  return numbers.flatMap(({ evidence, value }) => {
    if (ours.has(lastDigits(value))) return []
    const account = accountFeatures(evidence, inChat)
    const named = namedStrength(evidence)
    if (account === undefined && named === undefined) return []
    const { person, thing, around, group, labels } = evidence
    const byName = Math.max(account?.account ?? 0, (named ?? 0) / 100)
    const features: Features<'phone'> = {
      ...(byName > 0 ? (account?.account === byName ? account : { named: byName }) : unnamedFeatures(evidence, value)),
      person: Number(person),
      notPerson: Number(!person && anyPerson),
      complete: completeness(evidence, all),
      listed: Number(isListed(evidence, all)),
      besideEmail: Number(email?.group === group),
      furtherWords: Number(!person && hasFurtherWords(labels[0] ?? '')),
      chat: Number(/whats.?app/i.test(labels[0] ?? '')),
      mobile: Number(mobileLabel.test(labels[0] ?? '') || mobiles.has(entryOf(evidence))),
      repeated: Number(byName === 0 && spellings.get(lastDigits(value))!.length > 1),
      thing: Number(thing && !person && account === undefined),
      personsThing: Number(thing && person),
      ...ofOthers(evidence, all),
      depth: around.length,
    }
    return [{ evidence, value, features }]
  })
}

/** Returns the first of several numbers in the field of a phone. */
const firstOf = ({ senses, value }: Evidence, country: CountryCode) =>
  (senses.phone ?? 0) >= 60 && value.length <= 200 ? phonesIn(value, country)[0] : undefined

/** A name that does not say whose number it is. */
const plainNumber = /^(phone([ _-]?number)?|number)$/i

/** Whether it says when something happened, in seconds: `first_contact_at`. */
const isTime = ({ labels: [label = ''], value }: Evidence) =>
  /^1\d{9}(\d{3})?$/.test(value) && timeWords.has(meaningOf(label).words.at(-1) ?? '')

const timeWords = new Set(['at', 'on', 'time', 'date', 'timestamp'])

/** Whether a name says more than that it is a number: `location_phone`. */
const hasFurtherWords = (label: string) =>
  meaningOf(label).words.some(
    (word) => !['phone', 'number', 'reach', 'from', 'filler'].some((one) => classesOf(word)?.has(one as WordClass)),
  )

/** Returns the entries of lists with a type that says that they hold a mobile number. */
const mobileEntries = (all: readonly Evidence[]) =>
  new Set(
    all
      .filter(({ path, labels: [label = ''], value }) => {
        return typeof path.at(-2) === 'number' && /type$/i.test(label) && mobileLabel.test(value)
      })
      .map(entryOf),
  )

const entryOf = ({ path }: Evidence) => path.slice(0, -1).join('\n')

export const mobileLabel = /mobile|cell|whats.?app|celular|handy|movil|mobil/i

/** Adds whether the number is valid. An unnamed one must be. */
function validated(country: CountryCode) {
  return (candidate: Candidate<'phone'>): Candidate<'phone'> => {
    const { named = 0, account = 0, unnamedKey = 0, international = 0, repeated = 0, ...others } = candidate.features
    if (isValid(candidate.value, country)) return { ...candidate, features: { ...candidate.features, valid: 1 } }
    const isUnnamed = unnamedKey + international + repeated > 0
    const features = isUnnamed ? others : { ...others, named, account }
    return { ...candidate, features: { ...features, invalid: Number(Math.max(named, account) <= 0.7) } }
  }
}

/** Returns the likeliest candidates in their order, because validating a number is slow. */
function likeliest(all: Candidate<'phone'>[]): Candidate<'phone'>[] {
  if (all.length <= maxValidated) return all
  const rank = ({
    features: { named = 0, account = 0, unnamedKey = 0, person = 0, thing = 0, depth = 0 },
  }: Candidate<'phone'>) => Math.max(named, account, unnamedKey / 2) + person / 10 - thing - depth / 200
  const kept = new Set(all.toSorted((one, other) => rank(other) - rank(one)).slice(0, maxValidated))
  return all.filter((candidate) => kept.has(candidate))
}

const maxValidated = 60

const isInbound = ({ labels, value }: Evidence) =>
  labels.some((label) => /direction|call[_ -]?type/i.test(label)) && /^(in|inbound|incoming|missed)\b/i.test(value)

const traded =
  /^(orders?|invoices?|transactions?|payments?|tickets?|bookings?|bills?|polic(y|ies)|quotes?|cards?|cases?)$/

/** A message or a call of the business, in one that is answered: `last_sms_outbound`. */
const isSent = (name: string) => /out(bound|going)/i.test(name)

/** How much the name of a number means a phone, 0 to 100; undefined for the number of another person. */
function namedStrength({ senses, value, around, ...of }: Evidence): number | undefined {
  if (of.staff || of.to) return undefined
  if (of.from && around.some(isSent)) return undefined
  // The number of an order, not of the person who ordered.
  const isOrders = around.length > 0 && meaningOf(around[0]!).words.every((word) => traded.test(word))
  if (isOrders && (senses.phone ?? 0) <= 60 && !(of.person && senses.reach)) return undefined
  const named = Math.max(senses.phone ?? 0, senses.reach ? 85 : 0, senses.email ? 40 : 0)
  return named === 0 && of.attribute ? undefined : named
}

/** The chat of a message is named after the lead's number, also where the account's own number is its sender. */
const chatKey = /^(remote|chat|peer)[ _-]?(jid|id)([ _-]?alt)?$/i
const accountKey =
  /^(address|src|source|(author|remitente|remetente|(?:platform[ _-]?)?sender|identity|identifier|from|contact|chat|platform|user|customer|client)([ _-]?(id|key|identifier|address))?|channel[ _-]?(identifier|address))$/i
/** Beside the id that hides a number: `senderPn`, `participantAlt`. */
const altKey = /^(clean(ed)?[ _-]?)?(sender|participant|author|from|remote[ _-]?jid|contact|user)[ _-]?(pn|alt|jid)$/i

/** A full international number that is the name of an account: of a chat, an author or a sender. */
function accountFeatures(
  { labels, around, value, staff, to, person }: Evidence,
  inChat: boolean,
): { account: number } | undefined {
  const own = labels[0]?.split('.').at(-1) ?? ''
  const label = /^id$/i.test(own) && around[0] ? `${around[0]}_id` : own
  if (chatKey.test(label) && isJid(value)) return { account: 1.05 }
  if (staff || to) return undefined
  if (altKey.test(label) && isJid(value)) return { account: 1 }
  if (!accountKey.test(label)) return undefined
  if (/^(whatsapp:|sms:|tel:)?\+\d{8,15}$/.test(value) || isJid(value)) return { account: person ? 0.78 : 0.6 }
  return (inChat ||
    (person && /^identifier$/i.test(label)) ||
    /^((platform[ _-]?)?sender|from|author|src|source|remitente|remetente)([ _-]?(id|address))?$/i.test(label)) &&
    /^\d{11,13}$/.test(value) &&
    isValidAbroad(value)
    ? { account: /identity|contact|platform|customer|client/i.test(label) ? 0.9 : 0.7 }
    : undefined
}

const isChat = ({ value, labels }: Evidence) =>
  /^(whatsapp|waba|viber)$/i.test(value) || /whatsapp/i.test(labels[0] ?? '')

function unnamedFeatures({ opaque, question }: Evidence, value: string): Features<'phone'> {
  if (opaque) return { unnamedKey: 1 }
  return { international: Number(question || value.startsWith('+')) }
}

function isValid(number: string, country: CountryCode): boolean {
  if (parsePhoneNumberFromString(number, country)?.isValid()) return true
  const digits = number.replace(/\D/g, '')
  return digits.length >= 11 && !number.startsWith('+') && isValidAbroad(digits)
}

const isValidAbroad = (digits: string) => parsePhoneNumberFromString(`+${digits}`)?.isValid() === true
