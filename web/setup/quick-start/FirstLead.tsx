import { Trans } from '@lingui/react/macro'
import { Anchor, Group, Loader, Stack, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Lead } from '#contract/crm/leads'
import { StatusBadge } from '../../crm/leads/LeadBadges.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import styles from './FirstLead.module.css'

interface Props {
  arrived: Lead | undefined
  /** The existing lead with the user's own email. */
  existing: Lead | undefined
  error: unknown
  retry(): void
}

/** Waits for the first lead, then shows it. */
export function FirstLead({ arrived, existing, error, retry }: Props) {
  const source = arrived?.source
  return (
    <Stack gap={12}>
      <div role="status" className={styles.lead} data-arrived={arrived ? true : undefined}>
        {arrived ? (
          <>
            <IconCircleCheck color="var(--green)" aria-hidden />
            <div>
              <Group gap={12}>
                <LeadLink lead={arrived} />
                <StatusBadge status={arrived.status} />
              </Group>
              <Text size="xs" c="dimmed" lineClamp={3}>
                {arrived.id === existing?.id ? (
                  <Trans>
                    Merged into the existing lead, source {source}, <Timestamp at={arrived.updated_at} />
                  </Trans>
                ) : (
                  <Trans>
                    Created, source {source}, <Timestamp at={arrived.updated_at} />
                  </Trans>
                )}
              </Text>
            </div>
          </>
        ) : (
          <>
            <Loader size={20} />
            <Text c="dimmed">
              <Trans>The lead appears here when it arrives.</Trans>
            </Text>
          </>
        )}
      </div>
      {!arrived && <Problem error={error} retry={retry} />}
      {!arrived && existing && (
        <Text c="dimmed">
          <Trans>
            <LeadLink lead={existing} /> already has your email, so the request merges into that lead.
          </Trans>
        </Text>
      )}
    </Stack>
  )
}

const LeadLink = ({ lead }: { lead: Pick<Lead, 'id' | 'name'> }) => (
  <Anchor
    fw={600}
    underline="always"
    renderRoot={(props) => <Link {...props} to="/leads/$leadId" params={{ leadId: lead.id }} />}
  >
    {lead.name}
  </Anchor>
)
