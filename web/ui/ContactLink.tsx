import { Anchor } from '@mantine/core'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Spaced as in its country: +91 98100 44321. */
export const formatPhone = (phone: string) => parsePhoneNumberFromString(phone, 'IN')?.formatInternational() ?? phone

/** The address that calls it. */
export const phoneUrl = (phone: string) => `tel:${phone.replace(/[^\d+]/g, '')}`

/** A number to call. In a row that opens something, calling does not open it. */
export function PhoneLink({ number }: { number: string }) {
  return (
    <Anchor
      href={phoneUrl(number)}
      inherit
      style={{ whiteSpace: 'nowrap' }}
      onClick={(event) => event.stopPropagation()}
    >
      {formatPhone(number)}
    </Anchor>
  )
}

export function EmailLink({ address }: { address: string }) {
  return (
    <Anchor href={`mailto:${address}`} inherit onClick={(event) => event.stopPropagation()}>
      {address}
    </Anchor>
  )
}
