import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { type Evidence, inGroup } from './evidence.ts'
import { meaningOf } from './label.ts'
import { isJid, isNumeric, mailboxIn, phoneIn } from './values.ts'

export type Choice = { evidence: Evidence; value: string; reason: string; score: number }

export function chooseEmail(all: Evidence[]): Choice | undefined {
  let best: Choice | undefined
  for (const evidence of all) {
    const mailbox = mailboxIn(evidence.value)
    if (!mailbox || evidence.staff || evidence.to || isSystems(mailbox.email)) continue
    const named = evidence.senses.email ?? Math.min(evidence.senses.reach ?? evidence.senses.phone ?? 0, 60)
    const score = named > 0 ? named : evidence.opaque || evidence.question ? 55 : evidence.from ? 55 : 42
    const total =
      score +
      (evidence.person ? 8 : 0) -
      (evidence.thing ? 65 : 0) +
      completeness(evidence, all) -
      (evidence.attribute && !named ? 20 : 0) -
      othersRecord(evidence) -
      evidence.around.length
    if (total < 35) continue
    const reason = named > 0 ? 'Field name and value match an email' : 'Value is an email'
    if (!best || total > best.score) best = { evidence, value: mailbox.email, reason, score: total }
  }
  return best
}

/** Returns the only email of a payload: without a better contact, it is the lead's, whatever its name. */
export function onlyEmail(all: Evidence[]): Choice | undefined {
  const found = all.flatMap((evidence) => {
    const isOthers = evidence.staff || evidence.to || evidence.thing || othersRecord(evidence) > 0
    const email = isOthers ? undefined : mailboxIn(evidence.value)?.email
    return email === undefined || isSystems(email) ? [] : [{ evidence, email }]
  })
  const [first] = found
  if (!first || new Set(found.map(({ email }) => email.toLowerCase())).size > 1) return undefined
  return { evidence: first.evidence, value: first.email, reason: 'Value is the only email', score: 35 }
}

/** Whether other fields of a person are beside it: of several emails or phones, that of the most complete record counts. */
function completeness(evidence: Evidence, all: Evidence[]): number {
  if (evidence.thing) return 0
  const beside = inGroup(all, evidence.group).filter((one) => one !== evidence && !one.staff && !one.thing)
  const kinds = personal.filter((sense) => beside.some(({ senses }) => (senses[sense] ?? 0) >= 60))
  return Math.min(kinds.length, 3) * 2
}

const personal = ['name', 'first', 'last', 'email', 'phone', 'company', 'city', 'notes'] as const

/** A mailbox that no person reads. */
function isSystems(email: string): boolean {
  return /^(no-?_?reply|do-?_?not-?_?reply|notifications?|void|mailer-daemon|postmaster|bounces?)\b/i.test(email)
}

/** The email or phone in the record of a place is not the person's; that of a company may be, if there is no other. */
function othersRecord({ around, person }: Evidence): number {
  if (around.length === 0) return 0
  const { words, senses } = meaningOf(around[0]!)
  const place = words.every((word) => /^(locations?|venue|centers?|centres?|business)$/.test(word))
  if (place && !meaningOf(around[1] ?? '').person) return 85
  return senses.company !== undefined && !person ? 45 : 0
}

const traded =
  /^(orders?|invoices?|transactions?|payments?|tickets?|bookings?|bills?|polic(y|ies)|quotes?|cards?|cases?)$/

export function choosePhone(all: Evidence[], country: CountryCode, beside: Evidence | undefined): Choice | undefined {
  const outbound = all.some(isOutbound)
  const inChat = all.some(isChat)
  let best: Choice | undefined
  const numbers = all.flatMap((evidence) => {
    const number = phoneIn(evidence.value) ?? withArea(evidence, all)
    return number === undefined ? [] : [{ evidence, number }]
  })
  const spellings = Map.groupBy(numbers, ({ number }) => number.replace(/\D/g, '').slice(-10))
  const isRepeated = (number: string) => (spellings.get(number.replace(/\D/g, '').slice(-10))?.length ?? 0) > 1
  const anyPerson = numbers.some(({ evidence }) => evidence.person)
  const candidates = numbers.flatMap(({ evidence, number }, order) => {
    const account = namedAsAccount(evidence, inChat)
    const byLabel = namedAsPhone(evidence, outbound)
    const named = account === undefined ? byLabel : Math.max(account, byLabel ?? 0)
    if (named === undefined) return []
    const fit =
      (evidence.person ? 8 : anyPerson ? -8 : 0) -
      evidence.around.length / 2 +
      (beside && beside.group === evidence.group ? 6 : 0) -
      (evidence.thing ? (evidence.person ? 70 : 90) : 0) -
      othersRecord(evidence) +
      completeness(evidence, all) +
      (mobileLabel.test(evidence.labels[0] ?? '') ? 3 : 0)
    return [{ evidence, number, named, fit, order }]
  })
  for (const { evidence, number, named, fit } of likeliest(candidates)) {
    const valid = isValid(number, country)
    const score = named > 0 ? named : valueAlone(evidence, number, valid) + (isRepeated(number) ? 6 : 0)
    const total = score + fit + (valid ? 5 : named > 70 ? 0 : -25)
    if (total < 35) continue
    const reason = named > 0 ? 'Field name and value match a phone number' : 'Value is a possible phone number'
    if (!best || total > best.score) best = { evidence, value: number, reason, score: total }
  }
  return best && { ...best, value: joined(best, all, country) }
}

/** Returns the number with the area code beside it, which alone is too short: `{ area: '98210', phone: '04417' }`. */
function withArea({ value, group, senses }: Evidence, all: Evidence[]): string | undefined {
  if (!senses.phone || !/^[\d -]{4,9}$/.test(value)) return undefined
  const area = inGroup(all, group).find((other) => areaCode.test(other.labels.at(-1) ?? '') && isNumeric(other.value))
  return area && phoneIn(`${area.value.trim()} ${value}`)
}

const areaCode = /^(area|area_?code|std|std_?code)$/i

/** Returns the likeliest candidates in their order, because validating a number is slow. */
function likeliest<Candidate extends { named: number; fit: number; order: number }>(all: Candidate[]): Candidate[] {
  if (all.length <= mostParsed) return all
  const rank = ({ named, fit }: Candidate) => (named > 0 ? named : 50) + fit
  const ranked = all.toSorted((one, other) => rank(other) - rank(one))
  return ranked.slice(0, mostParsed).sort((one, other) => one.order - other.order)
}

const mostParsed = 60

const mobileLabel = /mobile|cell|whats.?app|celular|handy|movil|mobil/i

/** In an outgoing call, the lead is the person who was called. */
function isOutbound(evidence: Evidence): boolean {
  return (
    evidence.labels.some((label) => /direction|call_?type|^type$|^(is_?)?(in|out)(bound|coming|going)$/i.test(label)) &&
    /^(outbound|outgoing|out|outbound-(api|dial)|click.?to.?call|c2c|dialer)\b/i.test(evidence.value)
  )
}

/** Undefined for the number of another person. */
function namedAsPhone(evidence: Evidence, outbound: boolean): number | undefined {
  const { senses } = evidence
  if (evidence.to && outbound && !/\b(agent|employee|staff)\b/i.test(evidence.labels.join(' '))) return 75
  if (evidence.from && outbound && !evidence.labels.some((label) => /customer|client|lead/i.test(label)))
    return undefined
  if (evidence.staff || evidence.to) return undefined
  if (senses.dialCode && !senses.phone)
    return senses.dialCode > 80 && /\d{9}/.test(evidence.value.replace(/\D/g, '')) ? 60 : undefined
  // The number of an order, not of the person who ordered.
  if ((senses.phone ?? 0) <= 60 && meaningOf(evidence.around[0] ?? '').words.every((word) => traded.test(word))) {
    if (evidence.around.length > 0) return undefined
  }
  if (evidence.person && isJid(evidence.value)) return 78
  const named = Math.max(senses.phone ?? 0, senses.reach ? 85 : 0, senses.email ? 40 : 0)
  if (named === 0 && evidence.attribute) return undefined
  return named
}

/** The chat of a message is named after the lead's number, also where the account's own number is its sender. */
const chatKey = /^(remote|chat|peer)[ _-]?(jid|id)$/i
const accountKey =
  /^(author|sender|identity|identifier|from|contact|chat|user|customer|client)([ _-]?(id|key|identifier|address))?$/i

/** A full international number that is the name of an account: of a chat, an author or a sender. */
function namedAsAccount({ labels, value, staff, to, person }: Evidence, inChat: boolean): number | undefined {
  const label = labels[0] ?? ''
  if (chatKey.test(label) && isJid(value)) return 105
  if (staff || to || !accountKey.test(label)) return undefined
  if (/^(whatsapp:|sms:|tel:)?\+\d{8,15}$/.test(value) || isJid(value)) return person ? 78 : 60
  return inChat && /^\d{11,15}$/.test(value) && isValidAbroad(value) ? 85 : undefined
}

const isChat = ({ value, labels }: Evidence) =>
  /^(whatsapp|waba|viber)$/i.test(value) || /whatsapp/i.test(labels[0] ?? '')

const isValidAbroad = (digits: string) => parsePhoneNumberFromString(`+${digits}`)?.isValid() === true

function valueAlone(evidence: Evidence, number: string, valid: boolean): number {
  if (!valid || Object.keys(evidence.senses).length > 0) return 0
  if (evidence.opaque) return 50
  return evidence.question || number.startsWith('+') ? 40 : 0
}

function isValid(number: string, country: CountryCode): boolean {
  const parsed = parsePhoneNumberFromString(number, country)
  if (parsed?.isValid()) return true
  const digits = number.replace(/\D/g, '')
  return digits.length >= 11 && !number.startsWith('+') && isValidAbroad(digits)
}

/**
 * Joins a separate country or area code only if the number alone would be read as another one: a local number without its
 * area code, or a foreign number as one of the account's country.
 */
export function joined(
  { evidence, value }: Pick<Choice, 'evidence' | 'value'>,
  all: Evidence[],
  country: CountryCode,
): string {
  if (/^(\+|00)/.test(value)) return value
  const digits = value.replace(/\D/g, '')
  const siblings = all.filter((other) => other.group === evidence.group && other !== evidence && isNumeric(other.value))
  const area = siblings.find((other) => areaCode.test(other.labels.at(-1) ?? ''))
  if (area && digits.length <= 8) return `${area.value.trim()} ${value}`
  const code = siblings
    .find((other) => (other.senses.dialCode ?? 0) > 80)
    ?.value.replace(/\D/g, '')
    .replace(/^0+/, '')
  if (!code || code.length > 4 || code === getCountryCallingCode(country)) return value
  if (digits.startsWith(code) && digits.length > 10) return value
  return `+${code} ${value.replace(/^0/, '')}`
}
