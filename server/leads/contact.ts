import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'

/**
 * Characters that may surround the 7 to 15 digits of a phone number: spaces, dashes, dots, brackets, a
 * leading + or 00. Copied text contains typographic dashes and spaces of any width. Line breaks are not allowed.
 */
const phoneAsWritten = /^[\p{Zs}([]*\+?[\d\p{Zs}().[\]\u2010-\u2015-]+$/u

export function isPhone(text: string): boolean {
  if (text.length > 32 || !phoneAsWritten.test(text)) return false
  const digits = digitsOf(text).length
  return digits >= 7 && digits <= 15
}

/**
 * Returns the phone number as it is compared: E.164 if it is valid in a country's plan, else its digits. It is read as
 * written, then as an international number without its plus, then as a number of the account's country with one too many.
 * Null for texts that `isPhone` rejects.
 */
export function phoneKey(text: string, country: CountryCode): string | null {
  if (!isPhone(text)) return null
  const digits = digitsOf(text)
  const international = `+${digits.replace(/^0+/, '')}`
  const asWritten = /^[\s([]*(\+|00)/u.test(text) ? international : digits
  for (const candidate of [asWritten, international, digits]) {
    const number = parsePhoneNumberFromString(candidate, country)
    if (number?.isValid()) return number.number
  }
  return digits
}

/** One email: a local part of at most 64 characters and a domain of dotted labels, in any script. */
const emailPattern =
  /^(?=.{1,64}@)[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?\.)+(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)$/iu

export function isEmail(text: string): boolean {
  return text.length <= 254 && emailPattern.test(text)
}

/** Returns the email as it is compared: trimmed, in lower case, composed. */
export function emailKey(text: string): string {
  return text.trim().normalize('NFC').toLowerCase()
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '')
}

export const phoneFormat = {
  name: 'phone',
  isValid: isPhone,
  message:
    'is not a valid phone number: write 7 to 15 digits, with spaces, dashes, dots, brackets and a leading + or 00 if you like',
}

export const emailFormat = { name: 'email', isValid: isEmail, message: 'is not a valid email address' }
