import { Group, Loader, Stack, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import type { Lead } from '#contract/leads'
import { StatusBadge } from '../leads/LeadBadges.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Timestamp } from '../ui/Timestamp.tsx'
import styles from './Arrival.module.css'
import { LeadLink } from './LeadLink.tsx'

interface Props {
  arrived: Lead | undefined
  /** The lead there is already with the person's own email. */
  merges: Lead | undefined
  error: unknown
  retry(): void
}

/** Waits for a lead, and turns into it. */
export function Arrival({ arrived, merges, error, retry }: Props) {
  return (
    <Stack gap={12}>
      <div role="status" className={styles.arrival} data-arrived={arrived ? true : undefined}>
        {arrived ? (
          <>
            <IconCircleCheck color="var(--green)" aria-hidden />
            <div>
              <Group gap={12}>
                <LeadLink lead={arrived} />
                <StatusBadge status={arrived.status} />
              </Group>
              <Text size="xs" c="dimmed" lineClamp={3}>
                {arrived.id === merges?.id ? 'Merged into the lead that was there' : 'Created'}, source {arrived.source}
                , <Timestamp at={arrived.updated_at} />
              </Text>
            </div>
          </>
        ) : (
          <>
            <Loader size={20} />
            <Text c="dimmed">The lead shows here by itself when it comes.</Text>
          </>
        )}
      </div>
      {!arrived && <Problem error={error} retry={retry} />}
      {!arrived && merges && (
        <Text c="dimmed">
          <LeadLink lead={merges} /> has your email already. The lines merge into that lead, as with every person who is
          known.
        </Text>
      )}
    </Stack>
  )
}
