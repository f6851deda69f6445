import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'
import { phoneIn, phonesIn } from '../../../crm/contacts/parse-contact.ts'
import type { Leaf } from '../structure/leaves.ts'
import { isNumeric } from '../structure/values.ts'
import { meaningOf } from '../words/meaning.ts'

/** Country and area codes that stand beside a number. */

/** `area_code`, or `telefone1_ddd` beside `telefone1_numero`. */
const areaCode = /^(?:(.+)[ _-])?(?:(?:area|std)(?:[ _-]?code)?|ddd)$/i

/** A dialing code under the name of a country. A plain `country` may be an id, unless an area code is beside it. */
const phoneCountry = /^phone[ _-]?country$|^ddi$/i

/** A dialing code before a number, unless it is that of an invoice: `prefix: '+47'`, `phone_prefixe: '225'`. */
const isPrefix = (label: string, value: string) =>
  /(phone|mobile|tel)[ _-]?prefi(x|xe|jo|sso)$/i.test(label) || (/^prefix$/i.test(label) && value.startsWith('+'))

const dialingCodes = new Set<string>(getCountries().map((country) => getCountryCallingCode(country)))

/** With the code of an area that has it: 1684. The prefix of an American number within its area is none. */
const isKnownCode = (code: string) => dialingCodes.has(code) || /^1\d{3}$/.test(code)

const labelOf = ({ labels }: Leaf) => labels.at(-1) ?? ''

/** Returns the number at a leaf with the country or area code that may be beside it; undefined if it is no number. */
export function phoneAt(leaf: Leaf, leaves: readonly Leaf[], country: CountryCode): string | undefined {
  const beside = leaves.filter((one) => one !== leaf && one.group === leaf.group && isNumeric(one.value))
  const area = beside.find((one) => {
    const [match, beginning = ''] = areaCode.exec(labelOf(one)) ?? []
    return match !== undefined && labelOf(leaf).startsWith(beginning)
  })
  const [value] = phonesIn(leaf.value, country)
  // A local number alone may be too short to be one.
  if (value === undefined) return area && phoneIn(`${area.value.trim()} ${leaf.value}`)
  if (/^(\+|00)/.test(value)) return value
  const digits = value.replace(/\D/g, '')
  // A mobile number in Brazil has nine digits behind its area.
  const local = area && digits.length <= 9 ? `${area.value.trim()} ${value}` : value
  const isDialingCode = (one: Leaf) =>
    (meaningOf(labelOf(one)).senses.dialCode ?? 0) > 80 ||
    phoneCountry.test(labelOf(one)) ||
    isPrefix(labelOf(one), one.value) ||
    (area !== undefined && /^country$/i.test(labelOf(one)))
  const codes = beside.filter(isDialingCode).map((one) => one.value.replace(/\D/g, '').replace(/^0+/, ''))
  const code = codes.find(isKnownCode)
  if (!code || code === getCountryCallingCode(country)) return local
  // Joined only if the number alone would be read as another one.
  if (digits.startsWith(code) && digits.length > 10) return local
  return `+${code} ${withoutTrunkZero(local, code)}`
}

/** Without the zero that is only dialed within a country. In some, such as Italy and Ivory Coast, it is a part of the number. */
function withoutTrunkZero(local: string, code: string): string {
  const digits = local.replace(/\D/g, '')
  return parsePhoneNumberFromString(`+${code}${digits}`)?.nationalNumber === digits ? local : local.replace(/^0/, '')
}
