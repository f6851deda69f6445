/** Without the tables of the countries' plans, so that the web app reads numbers as the service does. */

/**
 * Returns how a phone number can be read, likeliest first: as written, without a spreadsheet's fraction, as the first number of a range,
 * as an international number without its plus, with its country code written twice, and as a number of the account's country with one
 * too many.
 */
export function phoneReadings(written: string): string[] {
  const text = withoutFraction(written)
  const digits = digitsOf(text)
  const international = `+${digits.replace(/^0+/, '')}`
  // Who writes 9198100000.00 may mean all of its digits.
  const whole = text === written ? [text] : /[.,]0$/.test(written) ? [text, written] : [written, text]
  return [
    ...whole.map(asWritten),
    asWritten(text.replace(endOfRange, '')),
    international,
    withoutFirstCode(digits),
    digits,
  ]
}

function asWritten(text: string): string {
  const digits = digitsOf(text)
  return /^[\s([]*(\+|00)/u.test(text) ? `+${digits.replace(/^0+/, '')}` : digits
}

/**
 * Spreadsheets turn a column of phones with gaps into numbers with a fraction: 9820000001.0. With ten digits in all, the zeros are the
 * last ones of a whole number: 9820000.000.
 */
export const withoutFraction = (text: string) => text.replace(/^(?!.{11}$)(\+?\d{7,15})[.,]0+$/, '$1')

/** 2612 3456-59: all of its digits would be a longer number, which could be somebody else's. */
export const endOfRange = /\p{Zs}?[\u2010-\u2015-]\p{Zs}?\d{1,3}$/u

/** +91 91 98201 00001 */
const withoutFirstCode = (digits: string) => digits.replace(/^0*(\d{1,3})(?=0*\1)0*/, '+')

export const digitsOf = (text: string) => text.replace(/\D/g, '')

/** Digits of every script come in runs of ten that start at a zero. */
export function latinDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0)!
    let zero = code
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
    return String((code - zero) % 10)
  })
}

/**
 * Whether many people type this phone or email who do not want to give theirs: 0000000000, 9999999999, test@test.com. It does not
 * identify a person.
 */
export function isSharedPlaceholder(text: string): boolean {
  if (!text.includes('@')) return placeholderDigits.test(digitsOf(text))
  const [local = '', domain = ''] = text.trim().toLowerCase().split('@')
  const [company = ''] = domain.split('.')
  return invented.has(local) && (local === company || invented.has(company) || mailProviders.has(domain))
}

/** One digit ten times, also behind a country code, or in a whole shorter number; or the digits in their order. */
const placeholderDigits = /^(?:\d{0,4}(\d)\1{9}|(\d)\2{6,8}|\d{0,4}(?:1234567890|0123456789))$/

const invented = new Set(
  'aaa abc abcd asdf dummy email fake mail na no noemail nomail none null sample test testing xxx xyz'.split(' '),
)
const mailProviders = new Set(['gmail.com', 'yahoo.com', 'yahoo.co.in', 'hotmail.com', 'outlook.com', 'rediffmail.com'])
