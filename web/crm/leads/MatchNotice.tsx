import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Anchor, Text } from '@mantine/core'
import { IconArrowMerge } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { LeadMatch } from '#contract/crm/leads'
import { formatPhone, usePhonePlans } from '../contacts/phone.ts'
import { statusNames } from './lead-words.ts'

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
              {t`Owner: ${{ owners: hidden.owner }}`}
            </Text>
          )}
        </Alert>
      )}
    </div>
  )
}

function Named({ match, emailOf }: { match: LeadMatch; emailOf: string | null }) {
  usePhonePlans()
  const { id, name, phone, email, by } = match
  const status = statusNames[match.status]
  const contact = (by === 'phone' ? phone && formatPhone(phone) : email) ?? t`by another contact`
  return (
    <>
      <Text fw={500}>
        <Trans>
          This is{' '}
          <Anchor inherit renderRoot={(props) => <Link {...props} to="/leads/$leadId" params={{ leadId: id }} />}>
            {name}
          </Anchor>{' '}
          ({contact}), a {status} lead. Saving merges into it.
        </Trans>
      </Text>
      <Text size="sm" c="dimmed" mt={4}>
        <Trans>
          What you fill in replaces what the lead has, tags are added to its own, and what you leave empty stays. Its
          timeline keeps what was there before.
        </Trans>
      </Text>
      {emailOf && (
        <Text size="sm" mt={4}>
          <Trans>The email belongs to {emailOf} and stays there.</Trans>
        </Text>
      )}
    </>
  )
}
