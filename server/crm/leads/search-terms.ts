import { type CountryCode, getCountryCallingCode } from 'libphonenumber-js/max'
import { cleanEmail, emailKey, phoneKey, withoutFullWidth, withoutInvisible } from '../contacts/contact.ts'
import { latinDigits } from '../contacts/contract.ts'
import { emailsIn, phoneIn, phonesIn } from '../contacts/parse-contact.ts'

/**
 * What to search for: the prefixes or the end of a phone, the prefix of the email, or for each of the words a prefix of a word
 * of the name, the company, the city or a tag.
 */
export interface SearchTerms {
  words: string[]
  phones: string[]
  /** The last digits, in reverse. */
  phoneEnd: string | null
  email: string | null
}

const fewestLastDigits = 4

/**
 * Interprets a typed search. A phone is found by its prefix, with or without its country code, and by its last four digits or
 * more.
 */
export function searchTerms(text: string, country: CountryCode): SearchTerms {
  const contact = latinDigits(withoutFullWidth(withoutInvisible(text)))
    .trim()
    .replace(/^tel:\s*|[.,;]+$/gi, '')
  const words = wordsOf(text)
  const digits = contact.replace(/\D/g, '')
  if (digits.length >= 2 && /^[+\d\s().\u2010-\u2015-]+$/u.test(contact)) {
    const isEnd = digits.length >= fewestLastDigits && !contact.startsWith('+')
    const phoneEnd = isEnd ? [...digits].reverse().join('') : null
    // Companies are called "24 Seven", and no name begins with a longer number.
    const ofName = digits.length <= 6 ? words : []
    return { words: ofName, phones: phonePrefixes(contact, digits, country), phoneEnd, email: null }
  }
  // Whole numbers with words and signs around them, as people copy them.
  const phones = wholePhones(contact, country)
  if (phones.length > 0) return { words: [], phones, phoneEnd: null, email: null }
  const email = emailsIn(contact)[0] ?? (words.length === 1 ? cleanEmail(contact) : null)
  return { words: contact.includes('@') ? [] : words, phones, phoneEnd: null, email: email && emailKey(email) }
}

function wholePhones(text: string, country: CountryCode): string[] {
  // The beginning of an email may be digits.
  const numbers = text.includes('@') ? [phoneIn(text) ?? ''] : phonesIn(text, country)
  return numbers.flatMap((number) => phoneKey(number, country) ?? []).filter((key) => key.startsWith('+'))
}

/** Returns how a word may be stored: its letters composed or not, its apostrophe straight or curly. */
export function spellings(word: string): string[] {
  const apostrophes = /['\u2019]/.test(word) ? [word.replaceAll('\u2019', "'"), word.replaceAll("'", '\u2019')] : [word]
  return [...new Set(apostrophes.flatMap((one) => [one.normalize('NFC'), one.normalize('NFD'), one]))]
}

const wordsOf = (typed: string) => typed.split(/\s+/u).filter(Boolean).slice(0, 5)

function phonePrefixes(typed: string, digits: string, country: CountryCode): string[] {
  const whole = phonesIn(typed, country).flatMap((number) => phoneKey(number, country) ?? [])
  if (/^(\+|00)/.test(typed)) return [...new Set([`+${digits.replace(/^0+/, '')}`, ...whole])]
  const national = digits.replace(/^0+/, '')
  return [...new Set([`+${getCountryCallingCode(country)}${national}`, `+${national}`, digits, ...whole])]
}
