import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Group, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usersQuery } from '../../access/account/users.ts'
import { Problem } from '../../platform/ui/Problem.tsx'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import styles from './Distribution.module.css'
import { assignmentsQuery } from './queries.ts'

/** Lists the newest assignments by rules. */
export function RecentAssignments() {
  const { data, error, refetch } = useQuery(assignmentsQuery)
  const { data: people = [] } = useQuery(usersQuery)
  const nameOf = (email: string) => people.find((person) => person.email === email)?.name ?? email
  return (
    <section aria-labelledby="recently-assigned">
      <Title order={2} id="recently-assigned" mb={8}>
        <Trans>Recently assigned</Trans>
      </Title>
      <Problem error={error} retry={() => void refetch()} />
      {data?.length === 0 && (
        <Text c="dimmed">
          <Trans>No rule has assigned a lead yet. This list will show the latest 50.</Trans>
        </Text>
      )}
      {data?.length !== 0 && !error && (
        <ul className={styles.assignments} aria-busy={!data} aria-labelledby="recently-assigned">
          {data?.map((one) => (
            <li key={one.lead_id + one.at}>
              <Group gap="0 8px" align="baseline">
                <Anchor
                  inherit
                  renderRoot={(props) => <Link {...props} to="/leads/$leadId" params={{ leadId: one.lead_id }} />}
                >
                  {one.lead_name}
                </Anchor>
                <Text span inherit c="dimmed">
                  {t`Owner: ${{ owner: one.assigned_to ? nameOf(one.assigned_to) : t`Unassigned` }}`}
                </Text>
              </Group>
              <Timestamp at={one.at} short />
              <span className={styles.small}>
                {one.summary} {one.rule_name === null && `${t`The rule was deleted since.`} `}
              </span>
            </li>
          )) ?? [0, 1, 2].map((index) => <Skeleton component="li" key={index} height={62} />)}
        </ul>
      )}
    </section>
  )
}
