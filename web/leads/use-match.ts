import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LeadMatch, MatchAnswer } from '#contract/leads'
import { queryClient } from '../query.ts'
import { contactOf } from './new-lead.ts'
import { type Contact, matchQuery } from './queries.ts'

interface Typed {
  phone: string
  email: string
}

/** Whose phone or email it is that is being typed; `begun` is there when it starts. */
export function useMatch(begun: Typed) {
  const [typed, setTyped] = useState<Typed>(begun)
  const contact = contactOf(typed)
  const asked = useDebouncedValue(JSON.stringify(contact), 300)[0]
  const settled = asked === JSON.stringify(contact)
  const askedContact = JSON.parse(asked) as Contact
  const { data } = useQuery(matchQuery(askedContact))
  const known = settled ? data : undefined
  const match = known?.match ?? null
  // The phone decides; the email may be somebody else's all the same.
  const email = match?.by === 'phone' ? askedContact.email : undefined
  const { data: ofEmail } = useQuery(matchQuery(email === undefined ? {} : { email }))

  return {
    match,
    hidden: known?.hidden ? known.message : null,
    emailOf: email === undefined ? null : emailOwner(match, ofEmail),
    setTyped,
    /** Whether all that saving will do has been said; where it has not, it is found out. */
    async isTold(): Promise<boolean> {
      if (known || Object.keys(contact).length === 0) return true
      // Where nobody can tell, saving will.
      const found = await queryClient.fetchQuery(matchQuery(contact)).catch(() => null)
      return !found?.match && !found?.hidden
    },
  }
}

/** Where the email belongs to another lead than the phone: whose it stays. */
function emailOwner(match: LeadMatch | null, ofEmail: MatchAnswer | undefined): string | null {
  if (match && ofEmail?.match && ofEmail.match.id !== match.id) return ofEmail.match.name
  return match && ofEmail?.hidden ? 'a lead you cannot see' : null
}
