import { Anchor } from '@mantine/core'
import { formatPhone, phoneUrl, usePhonePlans } from './phone.ts'

/** A link that calls a number. A click on it does not open the row around it. */
export function PhoneLink({ number, onCall }: { number: string; onCall?: () => void }) {
  usePhonePlans()
  return (
    <Anchor
      href={phoneUrl(number)}
      inherit
      className="nowrap"
      onClick={(event) => {
        event.stopPropagation()
        onCall?.()
      }}
    >
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
