import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { LeadInFull, MatchAnswer } from '#contract/leads'
import { ApiProblem, type Data, post } from '../../api.ts'
import { EmailLink, PhoneLink } from '../../contacts/ContactLink.tsx'
import { formatPhone } from '../../contacts/phone.ts'
import { problemText } from '../../ui/Problem.tsx'
import { TextField } from './TextField.tsx'
import { useChangeLead } from './use-change-lead.ts'

/** Phone and email. Each belongs to one lead only. */
export function ContactFields({ lead }: { lead: LeadInFull }) {
  const { mutateAsync } = useChangeLead(lead)
  return (
    <>
      <TextField
        label="Phone"
        value={lead.phone}
        save={(phone) =>
          mutateAsync({
            change: { phone },
            message: phone ? `Phone changed to ${formatPhone(phone)}` : 'Phone removed',
          })
        }
        explain={(error, phone) => namingHolder(lead, error, { phone })}
        link={lead.phone && <PhoneLink number={lead.phone} />}
        maxLength={32}
        inputMode="tel"
      />
      <TextField
        label="Email"
        value={lead.email}
        save={(email) =>
          mutateAsync({ change: { email }, message: email ? `Email changed to ${email}` : 'Email removed' })
        }
        explain={(error, email) => namingHolder(lead, error, { email })}
        link={lead.email && <EmailLink email={lead.email} />}
        maxLength={254}
        inputMode="email"
      />
    </>
  )
}

/** Links the lead that has this phone or email, if the user may see it. */
async function namingHolder(
  lead: LeadInFull,
  error: unknown,
  contact: { phone: string } | { email: string },
): Promise<ReactNode> {
  if (!(error instanceof ApiProblem) || error.status !== 400 || Object.values(contact).join('').trim() === '')
    return null
  const answer = await post<Data<MatchAnswer>>('/web/leads/match', contact).catch(() => null)
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
        Open {match.name}
      </Anchor>
    </>
  )
}
