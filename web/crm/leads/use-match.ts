import { t } from '@lingui/core/macro'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LeadMatch, MatchAnswer } from '#contract/crm/leads'
import { queryClient } from '../../platform/api/query.ts'
import { toContact } from './new-lead.ts'
import { type Contact, matchQuery } from './queries.ts'

interface Typed {
  phone: string
  email: string
}

/** Finds the lead with the phone or email that is being typed. */
export function useMatch(initial: Typed) {
  const [typed, setTyped] = useState<Typed>(initial)
  const contact = toContact(typed)
  const asked = useDebouncedValue(JSON.stringify(contact), 300)[0]
  const settled = asked === JSON.stringify(contact)
  const askedContact = JSON.parse(asked) as Contact
  const { data } = useQuery(matchQuery(askedContact))
  const known = settled ? data : undefined
  const match = known?.match ?? null
  // The phone decides. The email may still belong to another lead.
  const email = match?.by === 'phone' ? askedContact.email : undefined
  const { data: ofEmail } = useQuery(matchQuery(email === undefined ? {} : { email }))

  return {
    match,
    hidden: known?.hidden ? { message: known.message, owner: known.owner } : null,
    emailOf: email === undefined ? null : emailOwner(match, ofEmail),
    typed,
    setTyped,
    /** Whether the user has seen what saving does. If not, finds it out. */
    async isShown(): Promise<boolean> {
      if (known || Object.keys(contact).length === 0) return true
      // If the check fails, saving still merges.
      const found = await queryClient.fetchQuery(matchQuery(contact)).catch(() => null)
      return !found?.match && !found?.hidden
    },
  }
}

/** The name of the lead that keeps the email, if phone and email belong to different leads. */
function emailOwner(match: LeadMatch | null, ofEmail: MatchAnswer | undefined): string | null {
  if (match && ofEmail?.match && ofEmail.match.id !== match.id) return ofEmail.match.name
  return match && ofEmail?.hidden ? t`a colleague’s lead` : null
}
