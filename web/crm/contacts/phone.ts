import {
  type CountryCode,
  type MetadataJson,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/core'
import { digitsOf, phoneReadings } from '#contract/crm/contacts'
import { sharedState } from '../../platform/api/shared-state.ts'
import india from './india.json' with { type: 'json' }

let accountCountry: CountryCode = 'IN'

/** Numbers without a country code are of the account's country. */
export function readPhonesIn(country: string) {
  accountCountry = country as CountryCode
}

/** The numbering plans of all countries: 42 kB compressed, loaded when a number needs them. */
const plans = sharedState<MetadataJson | null>(null)
let loading: Promise<void> | undefined

export function loadPlans(): Promise<void> {
  loading ??= import('libphonenumber-js/metadata.max.json').then(
    (module) => plans.set(module.default as unknown as MetadataJson),
    () => {
      loading = undefined
    },
  )
  return loading
}

/** Renders a component that shows numbers again when the plans of all countries are there. */
export const usePhonePlans = plans.use

function parsed(text: string, country: CountryCode): PhoneNumber | undefined {
  const readings = phoneReadings(text)
  const all = plans.get()
  // The first reading is the likeliest: if it is valid in India, no other plan matters. Later ones could be of any country.
  const [likely, plan] = all ? [readings, all] : [country === 'IN' ? readings.slice(0, 1) : [], indianPlan]
  for (const reading of likely) {
    const number = parsePhoneNumberFromString(reading, country, plan)
    if (number?.isValid()) return number
  }
  if (!all) void loadPlans()
}

const indianPlan = india as unknown as MetadataJson

/** Returns the number as the service compares it, +919810044321, or its digits. Until the plans are there, as it is written. */
export const phoneNumber = (phone: string, country = accountCountry) =>
  parsed(phone, country)?.number ?? (plans.get() ? digitsOf(phone) : phoneReadings(phone)[0]!)

/** Formats a number as in its country: +91 98100 44321. */
export const formatPhone = (phone: string) => parsed(phone, accountCountry)?.formatInternational() ?? phone

/** Returns the `tel:` URL. */
export const phoneUrl = (phone: string) => `tel:${phoneNumber(phone)}`

/** Returns the URL that opens a chat, with a text to send; null if the number is of no country. */
export function whatsappUrl(phone: string, text?: string): string | null {
  const number = parsed(phone, accountCountry)?.number
  const query = text ? `?text=${encodeURIComponent(text)}` : ''
  return number ? `https://wa.me/${number.slice(1)}${query}` : null
}
