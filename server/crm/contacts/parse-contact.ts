import { type CountryCode, findPhoneNumbersInText, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { type Contact, cleanEmail, isEmail, isPhone, phoneKey, withoutFullWidth, withoutInvisible } from './contact.ts'
import { digitsOf, endOfRange, latinDigits, withoutFraction } from './contract.ts'
import { readDigits } from './lost-digits.ts'

/** Phones and emails with what people and systems write around them: what every way in reads, from requests to files. */

/** The domains that WhatsApp's libraries and gateways write behind a user's number, and the device before them. */
const ofWhatsApp = /(?::\d{1,3})?@(c\.us|s\.whatsapp\.net|wa\.gw\.msging\.net)$/i

/** A WhatsApp user's number, as its libraries write it: `919820000003:3@s.whatsapp.net`. */
export function isJid(text: string): boolean {
  return ofWhatsApp.test(text) && /^\d{7,15}[:@]/.test(text)
}

/** Extensions of telephone systems: `user/201@pbx.example.com`, `0000*000@sipproxy.example.com` */
const ofTelephones = /^[^@]*[/*][^@]*@|@(sip|sipproxy|pbx|voip)\d*\.[\w-]+\./i

/** WhatsApp writes a number as an email of its own domains, and telephone systems an extension. */
const isOfPerson = (email: string) =>
  isEmail(email) && !ofTelephones.test(email) && !ofWhatsApp.test(email) && !/@(g\.us|lid)$/i.test(email)

export type Mailbox = { email: string; name: string | undefined }

/** `asha@example.com`, `mailto:asha@example.com` and `Asha Rao <asha@example.com>`. */
export function mailboxIn(text: string): Mailbox | undefined {
  if (text.length > 320 || !/[@\uff20]/.test(text) || text.includes('**')) return undefined
  const framed = /^"?([^"<>]*)"?\s*<([^<>\s]+)>[.,;]?$/i.exec(text)
  const email = cleanEmail(framed?.[2] ?? separateEmails(text)[0] ?? text)
  if (!isOfPerson(email)) return undefined
  return { email, name: framed?.[1]?.trim() || undefined }
}

/** Returns the only email of a text with signs around it: `(asha@example.com)`, `Email: asha@example.com`, a link to write to it. */
export function emailAmidSigns(text: string): string | undefined {
  if (text.length > 320 || !/[@\uff20]/.test(text)) return undefined
  const plain = withoutFullWidth(withoutInvisible(text)).replace(/\s*@\s*/g, '@')
  const found = [...plain.matchAll(/[^\s@<>()[\]{}|:;,"'`*=]+@[\p{L}\p{N}\p{M}.-]*[\p{L}\p{N}\p{M}]/gu)]
  // Beside a word, a space may be a typing error within the email.
  const isWhole = ({ 0: email, index }: RegExpExecArray) =>
    !/[\p{L}\p{N}]\s*$/u.test(plain.slice(0, index)) && !/^\s*[\p{L}\p{N}]/u.test(plain.slice(index + email.length))
  const emails = new Map(found.map(([email]) => [email.toLowerCase(), cleanEmail(email.replace(/^\.+/, ''))]))
  const [only] = emails.values()
  return emails.size === 1 && found.every(isWhole) && isEmail(only!) ? only : undefined
}

/** Returns the emails of a field: one or several, each with a name or signs around it; none if it holds anything else. */
export function emailsIn(text: string): string[] {
  const separate = separateEmails(text).filter(isOfPerson)
  if (separate.length > 0) return distinct(separate)
  const whole = emailIn(text)
  if (whole !== undefined) return [whole]
  const parts = text.slice(0, 1000).split(/[,;|]/).map(emailIn)
  return parts.length > 1 && parts.every((email) => email !== undefined) ? distinct(parts) : []
}

const distinct = (emails: string[]) => [...new Map(emails.map((email) => [email.toLowerCase(), email])).values()]
const emailIn = (text: string) => mailboxIn(text)?.email ?? emailAmidSigns(text)

function separateEmails(text: string): string[] {
  const parts = text
    .slice(0, 1000)
    .split(/[,;/|&\s]+|\sand\s/i)
    .map(cleanEmail)
    .filter(Boolean)
  return parts.every(isEmail) ? parts : []
}

/** A link that opens a chat with the number. */
const chatLink =
  /^(?:(?:https?:\/\/)?(?:www\.)?(?:wa\.me\/|(?:api|web)\.whatsapp\.com\/send\/?\?(?:.*&)?phone=)|whatsapp:\/\/send\/?\?(?:.*&)?phone=)(?:\+|%2b)?(\d{7,15})\b.*$/i

/** `sip:+919820000003@host;user=phone`, `"Asha" <sip:…>;tag=1`, `<tel:+91-98200-00003>` */
const uri = /^(?!.*;ext=)(?:"[^"]*"\s*|[^"<>:]*)<?(?:sips?|tel):([^@;<>]+)(?:[@;][^<>]*)?>?(?:;.*)?$/i
/** `PJSIP/9820000003@trunk`, `SIP/trunk/09820000003`: how a telephone system dials the number. */
const dialled = /^(?:(?:pj)?sip|iax2?|local|dahdi|zap|sofia|dongle)\/(?:[^/@]+\/)*(\+?\d{7,15})(?:@[^/]*)?$/i
/** `98450 12345#`, `+919845012345;user=phone` */
const afterNumber = /#$|(;(?!ext=)[a-z-]+=[^;]*)+$/i

/** Returns the number of what telephone systems write around it. Any other text stays as it is. */
const numberDialled = (text: string) =>
  /(sips?|tel):|\/\+?\d{7}|phone=|#$|^%2b|;[a-z-]+=/i.test(text)
    ? text
        .trim()
        .replace(chatLink, '+$1')
        .replace(uri, '$1')
        .replace(dialled, '$1')
        .replace(/^%2b/i, '+')
        .replace(afterNumber, '')
    : text

/** Returns the phone number without what systems and people write around it; undefined if it is not a possible number. */
export function phoneIn(sent: string): string | undefined {
  if (sent.length > 320 || !/\p{Nd}/u.test(sent)) return undefined
  const text = numberDialled(sent)
  if (text.length > 80) return undefined
  const plain = plainText(text)
  if (!/\d{3}/.test(plain.replace(/\D/g, ''))) return undefined
  const written = plain
    .replace(/^'/, '')
    .replace(/^\+[\s+]+(?=\d)/, '+')
    // 91+98200 00003
    .replace(/^(\d{1,3})\s*\+\s*(?=\d)/, '+$1 ')
    // Call systems write the caller's name before the number.
    .replace(/^"?[^"<>\d]*"?\s*<(\+?[\d ()-]{7,20})>$/, '$1')
    .replace(/^[a-z]{1,12}\s*[:=]\s*/i, '')
    .replace(/^(?:(?:tel|mob|mobile|cell|ph|phone|whats ?app|contact|no|number)\b[.\s]*|#)+/i, '')
    .replace(ofWhatsApp, '')
    .replace(/\s*\(\p{L}[\p{L} ]{0,15}\)$/u, '')
    .replace(/\s+[-\u2013\u2014]\s*\p{L}[\p{L} ]{0,20}$/u, '')
    .replace(/\s*(?:ext\.?|extn\.?|x)\s*:?\s*\d{1,6}$/i, '')
    .trim()
  const bare = withoutFraction(written)
  if (looksLikeDate(bare) || (bare.includes('..') && readDigits(bare).isLost)) return undefined
  if (isPhone(bare)) return bare
  const first = bare.split(/[,;/|]| or /)[0]?.trim() ?? ''
  return first !== bare && isPhone(first) ? first : undefined
}

const betweenNumbers = /[,;|/\\&\n]|\s(?:and|or)\s|\s[-\u2013\u2014]\s/i
const maxNumbers = 10

/** One number without other signs: two have more digits. */
const plainNumber = /^\s*\+?(?:[ ()-]*\d){7,13}\s*$/

/**
 * Returns the numbers of a phone field, the first mobile one before the others: as they are written, without what is around them. What
 * follows a number as the end of a range is none: `26123456/57`. Nor is a number that lost digits.
 */
export function phonesIn(sent: string, country: CountryCode): string[] {
  if (sent.length <= 32 && plainNumber.test(sent) && !betweenNumbers.test(sent) && !looksLikeDate(sent.trim()))
    return [sent.trim()]
  const read = readDigits(withoutFullWidth(sent.slice(0, 1000)))
  const text = numberDialled(read.text.trim())
  const whole = phoneIn(text)
  const isWhole = whole !== undefined && isValid(whole, country)
  if (isWhole && !betweenNumbers.test(text)) return [whole]
  const written = text.split(betweenNumbers, maxNumbers).flatMap((part) => {
    const numbers = apart(part, country)
    return numbers.length > 0 ? numbers : phonesAmidWords(part, country)
  })
  if (whole !== undefined && isPhone(text) && !endOfRange.test(text)) {
    // 022 - 2612 3456
    const valid = written.filter((number) => isValid(number, country))
    if (isWhole ? valid.length < 2 : valid.length === 0) return [whole]
  }
  const found = written.length > 0 ? written : whole !== undefined ? [whole] : phonesAmidWords(text, country)
  const numbers = found.length > 0 ? found : withSignsWithin(text, country)
  const byKey = new Map(numbers.map((number) => [phoneKey(number, country), number]))
  const mobile = numbers.find((number) => isMobile(number, country))
  const first = mobile && phoneKey(mobile, country)
  return [...byKey]
    .sort(([one], [other]) => Number(other === first) - Number(one === first))
    .map(([, number]) => number)
}

/** Returns a valid number with signs between its digits that usually separate values: `9,820,000,003`, `98200_00003`. */
function withSignsWithin(text: string, country: CountryCode): string[] {
  const number = phoneIn(text.replace(/(?<=\d)[,·_~](?=\d)/g, ''))
  return number !== undefined && isValid(number, country) ? [number] : []
}

/** Returns the valid numbers of a text with any words and signs: `Ravi (office) 98200 00001, call after 6`. */
function phonesAmidWords(text: string, country: CountryCode): string[] {
  const plain = plainText(text)
  if (digitsOf(plain).length < 7) return []
  const found = findPhoneNumbersInText(plain, country).slice(0, maxNumbers)
  return found.map(({ number, startsAt, endsAt }) => {
    const written = plain.slice(startsAt, endsAt)
    return isPhone(written) ? written : number.number
  })
}

/** Copied text contains line breaks and invisible marks, and digits of any script. */
const plainText = (text: string) =>
  latinDigits(
    withoutFullWidth(withoutInvisible(text))
      .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      .trim(),
  )

/** The parts of a text that separates contacts. */
export const contactParts = (text: string): string[] =>
  text
    .slice(0, 2000)
    .split(/[,;|\n]/, maxContacts)
    .filter((part) => part.trim() !== '')

/** Returns the contacts in a text that separates them: `98200 00001; asha@example.com`. */
export function splitContacts(text: string): Contact[] {
  return contactParts(text).flatMap((part): Contact[] => {
    const email = mailboxIn(part)?.email
    if (email !== undefined) return [{ kind: 'email', value: email }]
    if (isWhatsAppId(part.trim())) return [{ kind: 'whatsapp', value: part.trim() }]
    const phone = phoneIn(part)
    return phone === undefined ? [] : [{ kind: 'phone', value: phone }]
  })
}

const maxContacts = 50

/** The id of a user who hides the phone: `IN.13491208655302741918`. */
export const isWhatsAppId = (text: string) => /^[A-Z]{2}\.(?=.*\d)[\w.]{6,128}$/.test(text)

/** Returns the kind of a contact or of its key. */
export function kindOf(contact: string): Contact['kind'] {
  if (contact.includes('@')) return 'email'
  return isWhatsAppId(contact) ? 'whatsapp' : 'phone'
}

/** Whether a phone field says more than its numbers: an extension, the end of a range, whose they are, or a number that lost digits. */
export function holdsMore(sent: string, country: CountryCode): boolean {
  const text = withoutFraction(numberDialled(sent))
  if (/^\+?[\d ()-]{7,18}$/.test(text)) return false
  const { text: plain, isLost } = readDigits(plainText(text.slice(0, 1000)).replace(links, ' '))
  if (isLost) return true
  const words = phonesIn(text, country).reduce((rest, number) => rest.replace(number, '\n'), plain)
  const [before = '', after = ''] = words.replace(labels, '').split(/\n(.*)/s)
  return (
    /\p{L}\p{M}*\p{L}/u.test(before.replace(chatLabels, '') + after) ||
    /^\s*[/,]\s*\d{1,4}\s*$|^\W*(ext|x)/iu.test(after)
  )
}

/** URLs of a number, markup around it, and the name that a call system writes before it. */
const links =
  /^"[^"]*"(?=\s*<)|[a-z]+:\/\/\S*|wa\.me\S*|@[a-z][\w.-]*|<[^<>]*:[^<>]*>|<\/?\w[^<>]*>|(?:callto|sms|tel):|\?body=\S*/gi
/** Words for a number, and between two. */
const labels =
  /(?<![\p{L}\p{M}])(?:and|or|mob|mobile|phone?|ph|tel|telephone|cell|contact|call|nos?|number|ind|india|मो|मोबाइल|फोन|फ़ोन|या|और)(?![\p{L}\p{M}])/giu
/** Behind a number, it says that it is on WhatsApp. */
const chatLabels = /(?<!\p{L})(?:whats ?app|wa)(?!\p{L})/giu

/** Returns the numbers of a text without signs between them: one, or several with spaces between them. */
function apart(text: string, country: CountryCode): string[] {
  const one = phoneIn(text.trim())
  if (one !== undefined && isValid(one, country)) return [one]
  const words = text.trim().split(/[\s\u2010-\u2015-]+/, 12)
  for (let end = 1; end < words.length; end++) {
    const start = phoneIn(words.slice(0, end).join(' '))
    if (start === undefined || !isValid(start, country)) continue
    const rest = apart(words.slice(end).join(' '), country)
    if (rest.length > 0 && rest.every((number) => isValid(number, country))) return [start, ...rest]
  }
  return one === undefined ? [] : [one]
}

const isValid = (number: string, country: CountryCode) => phoneKey(number, country)?.startsWith('+') === true

/** Whether the number may be that of a mobile phone. */
export function isMobile(number: string, country: CountryCode): boolean {
  const type = parsePhoneNumberFromString(phoneKey(number, country) ?? '', country)?.getType()
  return type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE'
}

function looksLikeDate(text: string): boolean {
  return (
    /^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})(\b|$)/.test(text) || /^\d+(\.\d+){3}$/.test(text)
  )
}
