import { type CountryCode, getCountryCallingCode } from 'libphonenumber-js/max'
import { emailKey } from './contact.ts'

/** Prefixes to search for: of a phone, of the email, or of a word of the name for each of the words. */
export interface SearchTerms {
  words: string[]
  phones: string[]
  email: string | null
}

/** Interprets a typed search. A phone is found by its prefix, with or without its country code. */
export function searchTerms(text: string, country: CountryCode): SearchTerms {
  const typed = text.trim()
  const digits = typed.replace(/\D/g, '')
  if (digits.length >= 2 && /^[+\d\s().\u2010-\u2015-]+$/u.test(typed)) {
    return { words: [], phones: phonePrefixes(typed, digits, country), email: null }
  }
  const words = typed.split(/\s+/u).filter(Boolean).slice(0, 5)
  const email = words.length === 1 ? emailKey(typed) : null
  return { words: typed.includes('@') ? [] : words, phones: [], email }
}

function phonePrefixes(typed: string, digits: string, country: CountryCode): string[] {
  if (/^(\+|00)/.test(typed)) return [`+${digits.replace(/^0+/, '')}`]
  const national = digits.replace(/^0+/, '')
  return [...new Set([`+${getCountryCallingCode(country)}${national}`, `+${national}`, digits])]
}
