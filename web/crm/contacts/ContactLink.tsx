import { Anchor } from '@mantine/core'
import { Fragment } from 'react'
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
      {partsOf(email).map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no names
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </Anchor>
  )
}

/** A line ends before a dot or after the @, not within "com". */
const partsOf = (email: string) => email.split(/(?<=@)|(?=\.)/)
