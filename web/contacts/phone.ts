import { type CountryCode, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { digitsOf, phoneReadings } from '#contract/contacts'

let accountCountry: CountryCode = 'IN'

/** Numbers without a country code are of the account's country. */
export function readPhonesIn(country: CountryCode) {
  accountCountry = country
}

function parsed(text: string, country: CountryCode): PhoneNumber | undefined {
  for (const reading of phoneReadings(text)) {
    const number = parsePhoneNumberFromString(reading, country)
    if (number?.isValid()) return number
  }
}

/** Returns the number as the service compares it: +919810044321, or its digits. */
export const phoneNumber = (phone: string, country = accountCountry) =>
  parsed(phone, country)?.number ?? digitsOf(phone)

/** Formats a number as in its country: +91 98100 44321. */
export const formatPhone = (phone: string) => parsed(phone, accountCountry)?.formatInternational() ?? phone

/** Returns the `tel:` URL. */
export const phoneUrl = (phone: string) => `tel:${phoneNumber(phone)}`

/** Returns the URL that opens a chat, with a text to send; null if the number is of no country. */
export function whatsappUrl(phone: string, text?: string): string | null {
  const number = phoneNumber(phone)
  const query = text ? `?text=${encodeURIComponent(text)}` : ''
  return number.startsWith('+') ? `https://wa.me/${number.slice(1)}${query}` : null
}
