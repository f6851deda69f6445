import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'
import { phoneIn } from '../../contacts/written-contact.ts'
import { type Evidence, inGroup } from './evidence.ts'
import { isNumeric } from './values.ts'

/** Country and area codes that stand beside a number. */

/** `area_code`, or `telefone1_ddd` beside `telefone1_numero`. */
const areaCode = /^(?:(.+)[ _-])?(?:(?:area|std)(?:[ _-]?code)?|ddd)$/i

/** A dialing code under the name of a country. A plain `country` may be an id, unless an area code is beside it. */
const phoneCountry = /^phone[ _-]?country$|^ddi$/i

/** A dialing code before a number, unless it is that of an invoice: `prefix: '+47'`, `phone_prefixe: '225'`. */
const isPrefix = (label: string, { value }: Evidence) =>
  /(phone|mobile|tel)[ _-]?prefi(x|xe|jo|sso)$/i.test(label) || (/^prefix$/i.test(label) && value.startsWith('+'))

const dialingCodes = new Set<string>(getCountries().map((country) => getCountryCallingCode(country)))

/** With the code of an area that has it: 1684. The prefix of an American number within its area is none. */
const isKnownCode = (code: string) => dialingCodes.has(code) || /^1\d{3}$/.test(code)

const numbersBeside = (evidence: Evidence, all: readonly Evidence[]) =>
  inGroup(all, evidence.group).filter((other) => other !== evidence && isNumeric(other.value))

const areaAmong = (siblings: Evidence[], number: Evidence) =>
  siblings.find((other) => {
    const [match, beginning = ''] = areaCode.exec(other.labels.at(-1) ?? '') ?? []
    return match !== undefined && (number.labels.at(-1) ?? '').startsWith(beginning)
  })

/** Returns the number with the area code beside it, which alone is too short: `{ area: '98210', phone: '04417' }`. */
export function withArea(evidence: Evidence, all: readonly Evidence[]): string | undefined {
  if (!evidence.senses.phone || !/^[\d -]{4,9}$/.test(evidence.value)) return undefined
  const area = areaAmong(numbersBeside(evidence, all), evidence)
  return area && phoneIn(`${area.value.trim()} ${evidence.value}`)
}

/**
 * Joins a separate country or area code only if the number alone would be read as another one: a local number without its
 * area code, or a foreign number as one of the account's country.
 */
export function joined(
  { evidence, value }: { evidence: Evidence; value: string },
  all: readonly Evidence[],
  country: CountryCode,
): string {
  if (/^(\+|00)/.test(value)) return value
  const digits = value.replace(/\D/g, '')
  const siblings = numbersBeside(evidence, all)
  const area = areaAmong(siblings, evidence)
  // A mobile number in Brazil has nine digits behind its area.
  const local = area && digits.length <= 9 ? `${area.value.trim()} ${value}` : value
  const isDialingCode = (other: Evidence) => {
    const label = other.labels.at(-1) ?? ''
    return (
      (other.senses.dialCode ?? 0) > 80 ||
      phoneCountry.test(label) ||
      isPrefix(label, other) ||
      (area !== undefined && /^country$/i.test(label))
    )
  }
  const codes = siblings.filter(isDialingCode).map((other) => other.value.replace(/\D/g, '').replace(/^0+/, ''))
  const code = codes.find(isKnownCode)
  if (!code || code === getCountryCallingCode(country)) return local
  if (digits.startsWith(code) && digits.length > 10) return local
  return `+${code} ${withoutTrunkZero(local, code)}`
}

/** Without the zero that is only dialed within a country. In some, such as Italy and Ivory Coast, it is a part of the number. */
function withoutTrunkZero(local: string, code: string): string {
  const digits = local.replace(/\D/g, '')
  return parsePhoneNumberFromString(`+${code}${digits}`)?.nationalNumber === digits ? local : local.replace(/^0/, '')
}
