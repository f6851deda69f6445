import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { EmptyState, Skeleton, Stack, Text } from '@mantine/core'
import { IconCalendarCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { maxCounted, type PromiseGroup, promiseGroups, type Today } from '#contract/selling/today'
import { useMe } from '../../access/account/me.ts'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { Page } from '../../platform/ui/Page.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { Section } from '../../platform/ui/Section.tsx'
import { OwnerChoice } from '../call-queue/OwnerChoice.tsx'
import { PromisedCallRow } from './PromisedCallRow.tsx'
import { todayQuery, wholeTeam } from './queries.ts'
import styles from './Today.module.css'
import { useTodayKeys } from './use-today-keys.ts'

const route = getRouteApi('/signed-in/today')

const titles: Record<PromiseGroup, string> = {
  overdue: t`Overdue`,
  today: t`Today`,
  tomorrow: t`Tomorrow`,
  later: t`Next 7 days`,
}

/** The calls that are promised, by when. */
export function TodayPage() {
  const { of } = route.useSearch()
  const { role } = useMe()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useQuery(todayQuery(of))
  useTodayKeys()
  const isEmpty = data && promiseGroups.every((group) => data[group].count === 0)
  return (
    <Page
      title={t`Today`}
      actions={
        <OwnerChoice
          of={of}
          mine={t`My calls`}
          others={[{ value: wholeTeam, label: role === 'Admin' ? t`All owners` : t`My team` }]}
          onChange={(owner) => void navigate({ search: { of: owner } })}
        />
      }
    >
      {error && !data ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={240} maw={960} />
      ) : isEmpty ? (
        <EmptyState
          py={64}
          icon={<IconCalendarCheck />}
          title={t`No calls promised`}
          description={t`Choose a time under “Call again” when you log a call, or on a lead. The call appears here, and you are reminded at its time.`}
        />
      ) : (
        <Stack gap={32} maw={960}>
          {promiseGroups.map((group) => (
            <Group key={group} group={group} data={data} withOwner={of === wholeTeam} />
          ))}
        </Stack>
      )}
    </Page>
  )
}

function Group({ group, data, withOwner }: { group: PromiseGroup; data: Today; withOwner: boolean }) {
  const { calls, count } = data[group]
  if (count === 0 && group !== 'today') return null
  const shown = formatNumber(calls.length)
  const amount = count >= maxCounted ? `${formatNumber(maxCounted)}+` : formatNumber(count)
  return (
    <Section title={count === 0 ? titles[group] : `${titles[group]} · ${amount}`}>
      {count === 0 ? (
        <Text c="dimmed">
          <Trans>No more calls today.</Trans>
        </Text>
      ) : (
        <ul className={styles.calls}>
          {calls.map((call) => (
            <PromisedCallRow key={call.id} call={call} group={group} withOwner={withOwner} />
          ))}
        </ul>
      )}
      {calls.length < count && (
        <Text c="dimmed" size="sm" mt={8}>
          <Trans>The first {shown} are shown.</Trans>
        </Text>
      )}
    </Section>
  )
}
