import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min'

const names = new Intl.DisplayNames(['en'], { type: 'region' })

/** Every country that has phone numbers, by name: "India (+91)". */
export const countryOptions = () =>
  getCountries()
    .map((country) => ({
      value: country,
      label: `${names.of(country) ?? country} (+${getCountryCallingCode(country)})`,
    }))
    .sort((one, other) => one.label.localeCompare(other.label, 'en'))
