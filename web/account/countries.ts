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

/** Those that fit what is typed, best first: "India" means India, not the British Indian Ocean Territory. */
export function countriesLike(countries: Country[], typed: string): Country[] {
  const wished = typed.trim().toLowerCase()
  return countries
    .filter(({ value, label }) => value.toLowerCase() === wished || label.toLowerCase().includes(wished))
    .sort((one, other) => distance(one, wished) - distance(other, wished))
}

/** The country itself, by name, letters or code; a name that begins so; a word of it; anywhere. */
function distance({ value, label }: Country, wished: string): number {
  const name = label.toLowerCase()
  const isIt = value.toLowerCase() === wished || name.startsWith(`${wished} (+`)
  if (isIt || name.endsWith(`(${wished})`) || name.endsWith(`(+${wished})`)) return 0
  if (name.startsWith(wished)) return 1
  return name.includes(` ${wished}`) || name.includes(`(${wished}`) ? 2 : 3
}
