import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { Evidence } from './evidence.ts'
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
      (evidence.thing ? 65 : 0) -
      (evidence.attribute && !named ? 20 : 0) -
      othersRecord(evidence) -
      evidence.around.length
    if (total < 35) continue
    const reason = named > 0 ? 'Field name and value match an email' : 'Value is an email'
    if (!best || total > best.score) best = { evidence, value: mailbox.email, reason, score: total }
  }
  return best
}

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
  let best: Choice | undefined
  const numbers = all.flatMap((evidence) => {
    const number = phoneIn(evidence.value)
    return number === undefined ? [] : [{ evidence, number }]
  })
  const anyPerson = numbers.some(({ evidence }) => evidence.person)
  const candidates = numbers.flatMap(({ evidence, number }, order) => {
    const named = namedAsPhone(evidence, outbound)
    if (named === undefined) return []
    const fit =
      (evidence.person ? 8 : anyPerson ? -8 : 0) -
      evidence.around.length / 2 +
      (beside && beside.group === evidence.group ? 6 : 0) -
      (evidence.thing ? (evidence.person ? 70 : 90) : 0) -
      othersRecord(evidence) +
      (mobileLabel.test(evidence.labels[0] ?? '') ? 3 : 0)
    return [{ evidence, number, named, fit, order }]
  })
  for (const { evidence, number, named, fit } of likeliest(candidates)) {
    const valid = isValid(number, country)
    const score = named > 0 ? named : valueAlone(evidence, number, valid)
    const total = score + fit + (valid ? 5 : named > 70 ? 0 : -25)
    if (total < 35) continue
    const reason = named > 0 ? 'Field name and value match a phone number' : 'Value is a possible phone number'
    if (!best || total > best.score) best = { evidence, value: number, reason, score: total }
  }
  return best && { ...best, value: joined(best, all, country) }
}

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

function valueAlone(evidence: Evidence, number: string, valid: boolean): number {
  if (!valid || Object.keys(evidence.senses).length > 0) return 0
  if (evidence.opaque) return 50
  return evidence.question || number.startsWith('+') ? 40 : 0
}

function isValid(number: string, country: CountryCode): boolean {
  const parsed = parsePhoneNumberFromString(number, country)
  if (parsed?.isValid()) return true
  const digits = number.replace(/\D/g, '')
  return digits.length >= 11 && !number.startsWith('+') && parsePhoneNumberFromString(`+${digits}`)?.isValid() === true
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
  const area = siblings.find((other) => /^(area|area_?code|std|std_?code)$/i.test(other.labels.at(-1) ?? ''))
  if (area && digits.length <= 8) return `${area.value.trim()} ${value}`
  const code = siblings
    .find((other) => (other.senses.dialCode ?? 0) > 80)
    ?.value.replace(/\D/g, '')
    .replace(/^0+/, '')
  if (!code || code.length > 4 || code === getCountryCallingCode(country)) return value
  if (digits.startsWith(code) && digits.length > 10) return value
  return `+${code} ${value.replace(/^0/, '')}`
}
