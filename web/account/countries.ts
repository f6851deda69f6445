import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min'

export interface Country {
  value: string
  label: string
}

const names = new Intl.DisplayNames(['en'], { type: 'region' })

/** Every country that has phone numbers, by name: "India (+91)". */
export const countryOptions = (): Country[] =>
  getCountries()
    .map((country) => ({
      value: country,
      label: `${names.of(country) ?? country} (+${getCountryCallingCode(country)})`,
    }))
    .sort((one, other) => one.label.localeCompare(other.label, 'en'))

/** Returns the matching countries, best first: "India" means India, not the British Indian Ocean Territory. */
export function countriesLike(countries: Country[], search: string): Country[] {
  const typed = search.trim().toLowerCase()
  return countries
    .filter(({ value, label }) => value.toLowerCase() === typed || label.toLowerCase().includes(typed))
    .sort((one, other) => distance(one, typed) - distance(other, typed))
}

/** 0 for the whole name or code, 1 for the start of the name, 2 for the start of a word, 3 for any other match. */
function distance({ value, label }: Country, typed: string): number {
  const name = label.toLowerCase()
  const isIt = value.toLowerCase() === typed || name.startsWith(`${typed} (+`)
  if (isIt || name.endsWith(`(${typed})`) || name.endsWith(`(+${typed})`)) return 0
  if (name.startsWith(typed)) return 1
  return name.includes(` ${typed}`) || name.includes(`(${typed}`) ? 2 : 3
}
