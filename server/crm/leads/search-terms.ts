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
/** A phone or a part of it. */
const asTyped = /^[+\d\s().\u2010-\u2015-]+$/u

/**
 * Interprets a typed search. A phone is found by its prefix, with or without its country code, and by its last four digits or
 * more.
 */
export function searchTerms(text: string, country: CountryCode): SearchTerms {
  const typed = withoutInvisible(text).trim()
  const contact = latinDigits(withoutFullWidth(typed)).replace(/^tel:\s*|[.,;]+$/gi, '')
  const words = wordsOf(typed)
  const digits = contact.replace(/\D/g, '')
  if (digits.length >= 2 && asTyped.test(contact)) {
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

/**
 * Returns how a name with a word that begins so may be stored. A nasal at its end is an anusvara before another consonant, and in the south
 * words end in an anusvara or in m.
 */
export function beginnings(word: string): string[] {
  return [...new Set([word, word.replace(halfNasal, '\u0902'), word.replace(southernM, (mark) => mOf[mark]!)])]
}

const halfNasal = /[ङञणनमঙঞণনমਙਞਣਨਮઙઞણનમଙଞଣନମఙఞణనమಙಞಣನಮങഞണനമ][\u094d\u09cd\u0a4d\u0acd\u0b4d\u0c4d\u0ccd\u0d4d]$|[ൺൻ]$/
const mOf: Record<string, string> = { '\u0c02': 'మ', '\u0c82': 'ಮ', '\u0d02': 'മ' }
const southernM = /[\u0c02\u0c82\u0d02]$/

const wordsOf = (typed: string) => typed.split(/\s+/u).filter(Boolean).slice(0, 5)

function phonePrefixes(typed: string, digits: string, country: CountryCode): string[] {
  const whole = phonesIn(typed, country).flatMap((number) => phoneKey(number, country) ?? [])
  if (/^(\+|00)/.test(typed)) return [...new Set([`+${digits.replace(/^0+/, '')}`, ...whole])]
  const national = digits.replace(/^0+/, '')
  return [...new Set([`+${getCountryCallingCode(country)}${national}`, `+${national}`, digits, ...whole])]
}
