import { setImmediate } from 'node:timers/promises'
import type { CountryCode } from 'libphonenumber-js/max'
import { emailKey, isEmail, isPhone, phoneKey } from '../../crm/contacts/contact.ts'
import { decodeText } from '../../platform/http/decode-text.ts'

/** The most contacts of one delivery, and the most places of a piece that are checked. */
const maxContacts = 300
const maxPlaces = 2000

const pieceLength = 64 * 1024
/** Pieces overlap by more than the length of any contact. */
const overlap = 400

/**
 * Returns the contact keys of all phones and emails in a body, by which the deliveries of a deleted person are found. It
 * searches the text and not the structure, so that it also works for a body that is cut or cannot be parsed, and yields
 * to other work between the pieces of a long body.
 */
export async function contactsIn(
  body: Uint8Array,
  contentType: string | null,
  country: CountryCode,
): Promise<string[]> {
  const type = (contentType ?? '').toLowerCase()
  const text = decodeText(body, /charset="?([\w.:-]+)/.exec(type)?.[1])
  const form = type.includes('form-urlencoded') || !/[{["]/.test(text.slice(0, 1000))
  const contacts = new Set<string>()
  for (let start = 0; start < text.length && contacts.size < maxContacts; start += pieceLength) {
    if (start > 0) await setImmediate()
    await addContacts(contacts, plain(text.slice(start, start + pieceLength + overlap), form), country)
  }
  return [...contacts]
}

async function addContacts(contacts: Set<string>, text: string, country: CountryCode): Promise<void> {
  for (const email of emailsIn(text)) {
    if (contacts.size === maxContacts) return
    contacts.add(`email:${emailKey(email)}`)
  }
  let looked = 0
  for (const phone of phonesIn(text)) {
    if (contacts.size === maxContacts) return
    // Parsing a number is slow.
    if (++looked % 30 === 0) await setImmediate()
    const key = phoneKey(phone, country)
    if (key) contacts.add(`phone:${key}`)
  }
}

/** Returns the contact keys of the phone and the email that were read. */
export function listContacts({ phone, email }: { phone?: string; email?: string }, country: CountryCode): string[] {
  const key = phone === undefined ? null : phoneKey(phone, country)
  return [...(key ? [`phone:${key}`] : []), ...(email === undefined ? [] : [`email:${emailKey(email)}`])]
}

/** Decodes the escapes of JSON and of forms, and converts digits to Latin ones. */
function plain(text: string, form: boolean): string {
  let plain = form ? text.replaceAll('+', ' ') : text
  if (plain.includes('\\u'))
    plain = plain.replace(/\\u([\da-f]{4})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
  if (plain.includes('%')) plain = plain.replace(/(?:%[\da-f]{2})+/gi, unescaped)
  return plain.replace(otherDigits, (digit) => String((digit.charCodeAt(0) - zeroBelow(digit.charCodeAt(0))) % 10))
}

function unescaped(bytes: string): string {
  return Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8')
}

/** Devanagari, Bengali, Gurmukhi, Gujarati, Odia, Tamil, Telugu, Kannada, Malayalam, Arabic, Persian, and full-width. */
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0xff10]
const otherDigits = new RegExp(
  `[${zeros.map((zero) => `${String.fromCharCode(zero)}-${String.fromCharCode(zero + 9)}`).join('')}]`,
  'g',
)
const zeroBelow = (code: number) => zeros.findLast((zero) => zero <= code)!

const beforeAt = /[\p{L}\p{N}\p{M}.!#$*+^_`{|}~-][\p{L}\p{N}\p{M}'.!#$*+^_`{|}~-]*$/u
const afterAt = /^[\p{L}\p{N}\p{M}.-]+/u

function* emailsIn(text: string): Generator<string> {
  let at = text.indexOf('@')
  for (let place = 0; at !== -1 && place < maxPlaces; place++, at = text.indexOf('@', at + 1)) {
    const local = beforeAt.exec(text.slice(Math.max(0, at - 64), at))?.[0]
    const domain = afterAt.exec(text.slice(at + 1, at + 254))?.[0].replace(/[.-]+$/, '')
    const email = `${local}@${domain}`
    if (local && domain && isEmail(email)) yield email
  }
}

const phoneRun = /[+(]?\d[\d ().\u00a0\u2010-\u2015-]{5,40}\d/g

function* phonesIn(text: string): Generator<string> {
  phoneRun.lastIndex = 0
  for (let place = 0; place < maxPlaces; place++) {
    const run = phoneRun.exec(text)?.[0]
    if (run === undefined) return
    if (isPhone(run)) yield run
    // Two numbers separated only by a space.
    else for (const part of run.split(/[ \u00a0]+/)) if (isPhone(part)) yield part
  }
}
