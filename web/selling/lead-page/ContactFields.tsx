import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isSharedPlaceholder } from '#contract/crm/contacts'
import { type LeadInFull, type MatchAnswer, maxContactText, maxOtherContacts } from '#contract/crm/leads'
import { EmailLink, PhoneLink } from '../../crm/contacts/ContactLink.tsx'
import { formatPhone } from '../../crm/contacts/phone.ts'
import { ApiProblem, type Data, post } from '../../platform/api/api.ts'
import { problemText } from '../../platform/ui/Problem.tsx'
import { startCall } from '../../telephony/calls/call-in-progress.ts'
import styles from './Field.module.css'
import { ListField } from './ListField.tsx'
import { TextField } from './TextField.tsx'
import { contactsChange, useChangeLead } from './use-change-lead.ts'

export function PhoneField({ lead }: { lead: LeadInFull }) {
  const { mutateAsync } = useChangeLead(lead)
  return (
    <>
      <TextField
        label={t`Phone`}
        value={lead.phone}
        save={(phone) =>
          mutateAsync({
            change: { phone },
            message: phone ? t`Phone changed to ${{ phone: formatPhone(phone) }}` : t`Phone removed`,
          })
        }
        explain={(error, phone) => namingHolder(lead, error, { phone })}
        link={lead.phone && <PhoneLink number={lead.phone} onCall={() => startCall(lead)} />}
        maxLength={maxContactText}
        inputMode="tel"
      />
      {isShared(lead.phone) && <SharedPlaceholder />}
    </>
  )
}

export function EmailField({ lead }: { lead: LeadInFull }) {
  const { mutateAsync } = useChangeLead(lead)
  return (
    <>
      <TextField
        label={t`Email`}
        value={lead.email}
        save={(email) =>
          mutateAsync({ change: { email }, message: email ? t`Email changed to ${email}` : t`Email removed` })
        }
        explain={(error, email) => namingHolder(lead, error, { email })}
        link={lead.email && <EmailLink email={lead.email} />}
        maxLength={maxContactText}
        inputMode="email"
      />
      {isShared(lead.email) && <SharedPlaceholder />}
    </>
  )
}

/** Beside the first phone and email. Each contact belongs to one lead only. */
export function OtherContactsField({ lead }: { lead: LeadInFull }) {
  const { mutateAsync } = useChangeLead(lead)
  return (
    <ListField
      label={t`Other contacts`}
      value={lead.other_contacts.map(({ value }) => value)}
      links={lead.other_contacts.map(({ kind, value }) => (
        <OtherContact key={value} kind={kind} value={value} onCall={() => startCall(lead)} />
      ))}
      save={(contacts, before) =>
        mutateAsync({ change: contactsChange(before, contacts), message: t`Other contacts changed` })
      }
      placeholder={t`Phone or email`}
      maxItems={maxOtherContacts}
      maxLength={maxContactText}
    />
  )
}

const isShared = (contact: string | null) => contact !== null && isSharedPlaceholder(contact)

/** Beside a phone or an email. */
const SharedPlaceholder = () => (
  <div className={styles.hint}>
    <Trans>Shared placeholder: many people use it, so it does not identify this lead.</Trans>
  </div>
)

function OtherContact({ kind, value, onCall }: LeadInFull['other_contacts'][number] & { onCall(): void }) {
  if (kind === 'phone') return <PhoneLink number={value} onCall={onCall} />
  return kind === 'email' ? <EmailLink email={value} /> : <span>{t`WhatsApp id ${value}`}</span>
}

/** Links the lead that has this phone or email, if the user may see it. */
async function namingHolder(
  lead: LeadInFull,
  error: unknown,
  contact: { phone: string } | { email: string },
): Promise<ReactNode> {
  if (!(error instanceof ApiProblem) || error.status !== 400 || Object.values(contact).join('').trim() === '')
    return null
  const answer = await post<Data<MatchAnswer>>('/web/leads/match', contact, { isRead: true }).catch(() => null)
  const match = answer?.data.match
  if (!match || match.id === lead.id) return null
  return (
    <>
      {problemText(error)}{' '}
      <Anchor
        inherit
        c="inherit"
        underline="always"
        renderRoot={(props) => (
          <Link {...props} to="/leads/$leadId" params={{ leadId: match.id }} search={(search) => search} />
        )}
      >
        {t`Open ${{ name: match.name }}`}
      </Anchor>
    </>
  )
}
