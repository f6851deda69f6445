import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'

/**
 * What a person may write around the 7 to 15 digits of a phone number: spaces, dashes, dots, brackets, a
 * leading + or 00. Copied text brings typographic dashes and spaces of any width, which are no line breaks.
 */
const phoneAsWritten = /^[\p{Zs}([]*\+?[\d\p{Zs}().[\]\u2010-\u2015-]+$/u

export function isPhone(text: string): boolean {
  if (text.length > 32 || !phoneAsWritten.test(text)) return false
  const digits = digitsOf(text).length
  return digits >= 7 && digits <= 15
}

/**
 * The phone number as compared: E.164 where it fits a country's plan, else its digits alone. It is read as it is
 * written first, then as an international number that lacks its plus, then as one of the account's country that has
 * one too many. Null for what `isPhone` refuses.
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

/** One address: a local part of at most 64 characters, a domain of dotted labels. Addresses in any script count. */
const emailAddress =
  /^(?=.{1,64}@)[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?\.)+(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)$/iu

export function isEmail(text: string): boolean {
  return text.length <= 254 && emailAddress.test(text)
}

/** The email address as compared: trimmed, lower-case, composed. */
export function emailKey(text: string): string {
  return text.trim().normalize('NFC').toLowerCase()
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '')
}

export const phoneFormat = {
  name: 'phone',
  holds: isPhone,
  says: 'is not a valid phone number: write 7 to 15 digits, with spaces, dashes, dots, brackets and a leading + or 00 if you like',
}

export const emailFormat = { name: 'email', holds: isEmail, says: 'is not a valid email address' }
