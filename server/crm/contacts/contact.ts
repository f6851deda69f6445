import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { digitsOf, phoneReadings } from './contract.ts'

/** Invisible marks, as in pasted text: of the writing direction, of zero width, soft hyphens, byte order marks. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

export const withoutInvisible = (text: string) => text.replace(invisible, '')

/** Full-width signs, letters and digits, which keyboards of some languages write. */
export const withoutFullWidth = (text: string) =>
  text.replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))

/**
 * Characters that may surround the 7 to 15 digits of a phone number: spaces, dashes, dots, brackets, a leading + or 00, also behind
 * a first country code. Copied text contains typographic dashes and spaces of any width. Line breaks are not allowed.
 */
const phoneAsWritten = /^[\p{Zs}([]*(?:\+\d{1,3}[\p{Zs}-]*)?\+?[\d\p{Zs}().[\]\u2010-\u2015-]+$/u

export function isPhone(text: string): boolean {
  if (text.length > 32 || !phoneAsWritten.test(text)) return false
  const digits = digitsOf(text).length
  return digits >= 7 && digits <= 15
}

/**
 * Returns the phone number as it is compared: E.164 if one of its readings is valid in a country's plan, else its digits. Null for
 * texts that `isPhone` rejects.
 */
export function phoneKey(text: string, country: CountryCode): string | null {
  if (!isPhone(text)) return null
  for (const reading of phoneReadings(text)) {
    const number = parsePhoneNumberFromString(reading, country)
    if (number?.isValid()) return number.number
  }
  return digitsOf(text)
}

/** A phone, an email or the id of a WhatsApp user, as it was sent. */
export interface Contact {
  kind: 'phone' | 'email' | 'whatsapp'
  value: string
}

/** Returns how contacts are compared: no key of one kind is one of another kind. Null for texts that `isPhone` rejects. */
export function contactKey({ kind, value }: Contact, country: CountryCode): string | null {
  if (kind === 'phone') return phoneKey(value, country)
  return kind === 'email' ? emailKey(value) : value
}

/** One email: a local part of at most 64 characters and a domain of dotted labels, in any script. */
const emailPattern =
  /^(?=.{1,64}@)[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?\.)+(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)$/iu

export function isEmail(text: string): boolean {
  return text.length <= 254 && emailPattern.test(text)
}

/** Returns the email without invisible marks, and without what people copy around it. */
export function cleanEmail(text: string): string {
  return withoutFullWidth(withoutInvisible(text))
    .trim()
    .replace(/[.,;]+$/, '')
    .replace(/^<(.*)>$|^"(.*)"$|^'(.*)'$/, '$1$2$3')
    .replace(/^mailto:([^?]*).*$/i, '$1')
    .replace(/[.,;]+$/, '')
    .trim()
}

/** Returns the email as it is compared: trimmed, in lower case, composed. */
export function emailKey(text: string): string {
  return text.trim().normalize('NFC').toLowerCase()
}
