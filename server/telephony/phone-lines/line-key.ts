import type { CountryCode } from 'libphonenumber-js/max'
import { isEmail, phoneKey, withoutInvisible } from '../../crm/contacts/contact.ts'
import { phoneIn } from '../../crm/contacts/parse-contact.ts'

const maxLength = 200

/** Returns the line on one row of text, without invisible marks, at most 200 characters. */
export function cleanPhoneLine(text: string): string {
  return withoutInvisible(text.slice(0, 1000))
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed()
    .trim()
}

/** Returns how a number, extension, email, login or name is compared: a phone number in E.164, else the text in lower case. */
export function lineKey(text: string, country: CountryCode): string | null {
  const line = cleanPhoneLine(text)
  return phoneKey(phoneIn(line) ?? line, country) ?? (line.normalize('NFC').toLowerCase().slice(0, maxLength) || null)
}

/** Returns the rank of a line: a number names a user more exactly than an email, an extension or login, and a name. */
export function exactness(line: string): number {
  if (/^\+?\d{7,15}$/.test(line)) return 0
  if (isEmail(line)) return 1
  return /\s/.test(line) ? 3 : 2
}
