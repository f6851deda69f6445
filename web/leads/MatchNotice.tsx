import { Alert, Anchor, Text } from '@mantine/core'
import { IconArrowMerge } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { LeadMatch } from '#contract/leads'
import { formatPhone } from '../contacts/phone.ts'

interface Props {
  match: LeadMatch | null
  /** The server's message about a matching lead that the user may not see, and its owner's name if it may be shown. */
  hidden: { message: string | null; owner: string | null } | null
  /** The other lead that keeps the email. */
  emailOf: string | null
}

/** Names the lead that saving merges into, also to screen readers. */
export function MatchNotice({ match, hidden, emailOf }: Props) {
  return (
    <div role="status">
      {(match || hidden) && (
        <Alert variant="default" icon={<IconArrowMerge color="var(--violet)" />} p={12} mt={12}>
          {match ? <Named match={match} emailOf={emailOf} /> : hidden?.message}
          {hidden?.owner && (
            <Text fw={500} mt={4}>
              Owner: {hidden.owner}
            </Text>
          )}
        </Alert>
      )}
    </div>
  )
}

function Named({ match, emailOf }: { match: LeadMatch; emailOf: string | null }) {
  const { id, name, phone, email, status, by } = match
  const contact = (by === 'phone' ? phone && formatPhone(phone) : email) ?? 'by another contact'
  return (
    <>
      <Text fw={500}>
        This is{' '}
        <Anchor inherit renderRoot={(props) => <Link {...props} to="/leads/$leadId" params={{ leadId: id }} />}>
          {name}
        </Anchor>{' '}
        ({contact}), {/^[aeiou]/i.test(status) ? 'an' : 'a'} {status} lead. Saving merges into it.
      </Text>
      <Text size="sm" c="dimmed" mt={4}>
        What you fill in replaces what the lead has, tags are added to its own, and what you leave empty stays. Its
        timeline keeps what was there before.
      </Text>
      {emailOf && (
        <Text size="sm" mt={4}>
          The email belongs to {emailOf} and stays there.
        </Text>
      )}
    </>
  )
}
