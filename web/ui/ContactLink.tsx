import { Anchor } from '@mantine/core'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Formats a number as in its country: +91 98100 44321. */
export const formatPhone = (phone: string) => parsePhoneNumberFromString(phone, 'IN')?.formatInternational() ?? phone

/** Returns the `tel:` URL. */
export const phoneUrl = (phone: string) => `tel:${phone.replace(/[^\d+]/g, '')}`

/** Returns the URL that opens a chat; null if the number is of no country. */
export function whatsappUrl(phone: string): string | null {
  const number = parsePhoneNumberFromString(phone, 'IN')
  return number?.isPossible() ? `https://wa.me/${number.number.slice(1)}` : null
}

/** A link that calls a number. A click on it does not open the row around it. */
export function PhoneLink({ number }: { number: string }) {
  return (
    <Anchor href={phoneUrl(number)} inherit className="nowrap" onClick={(event) => event.stopPropagation()}>
      {formatPhone(number)}
    </Anchor>
  )
}

export function EmailLink({ email }: { email: string }) {
  return (
    <Anchor href={`mailto:${email}`} inherit onClick={(event) => event.stopPropagation()}>
      {email}
    </Anchor>
  )
}
