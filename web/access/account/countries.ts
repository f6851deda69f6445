import { i18n } from '@lingui/core'
import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min'

export interface Country {
  value: string
  label: string
  /** "India (+91)", for a search in English. */
  english: string
}

/** Every country that has phone numbers, by name: "India (+91)". */
export function countryOptions(language: string = i18n.locale || 'en'): Country[] {
  const [names, englishNames] = [language, 'en'].map((one) => new Intl.DisplayNames([one], { type: 'region' }))
  return getCountries()
    .map((country) => {
      const code = `(+${getCountryCallingCode(country)})`
      return {
        value: country,
        label: `${names!.of(country) ?? country} ${code}`,
        english: `${englishNames!.of(country) ?? country} ${code}`,
      }
    })
    .sort((one, other) => one.label.localeCompare(other.label, language))
}

/** Returns the matching countries, best first: "India" means India, not the British Indian Ocean Territory. */
export function countriesLike(countries: Country[], search: string): Country[] {
  const typed = search.trim().toLowerCase()
  return countries
    .map((country) => ({ country, distance: distance(country, typed) }))
    .filter(({ distance }) => distance < noMatch)
    .sort((one, other) => one.distance - other.distance)
    .map(({ country }) => country)
}

const noMatch = 4

const distance = ({ value, label, english }: Country, typed: string) =>
  value.toLowerCase() === typed ? 0 : Math.min(...[label, english].map((name) => distanceOf(name.toLowerCase(), typed)))

/** 0 for the whole name or code, 1 for the start of the name, 2 for the start of a word, 3 for any other match. */
function distanceOf(name: string, typed: string): number {
  if (name.startsWith(`${typed} (+`) || name.endsWith(`(${typed})`) || name.endsWith(`(+${typed})`)) return 0
  if (name.startsWith(typed)) return 1
  if (name.includes(` ${typed}`) || name.includes(`(${typed}`)) return 2
  return name.includes(typed) ? 3 : noMatch
}
