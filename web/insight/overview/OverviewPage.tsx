import { plural, t } from '@lingui/core/macro'
import { SegmentedControl, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMe } from '../../access/account/me.ts'
import { Page } from '../../platform/ui/Page.tsx'
import { Panel, Stacks } from '../../platform/ui/Panel.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useAddKey } from '../../platform/ui/page-keys.ts'
import { AskForPush } from '../../selling/notifications/AskForPush.tsx'
import { FirstStartCard } from '../../setup/first-start/FirstStartCard.tsx'
import { Charts } from './Charts.tsx'
import { Figures } from './Figures.tsx'
import { NeedsAttention } from './NeedsAttention.tsx'
import { NoLeads } from './NoLeads.tsx'
import { anyLeadQuery, overviewQuery } from './queries.ts'

const choices = [7, 30, 90, 365]
const defaultDays = 30
const maxDays = 366

export function OverviewPage() {
  const days = Math.min(useSearch({ strict: false }).days ?? defaultDays, maxDays)
  const navigate = useNavigate()
  useAddKey(() => void navigate({ to: '/leads', search: { add: true } }))
  const { data: overview, error, isPlaceholderData, refetch } = useQuery(overviewQuery(days))
  const isEmpty = overview?.leads.total === 0
  const { data: anyLead } = useQuery({ ...anyLeadQuery, enabled: isEmpty })

  if (error && !overview)
    return (
      <Page title={t`Overview`}>
        <Problem error={error} retry={() => void refetch()} />
      </Page>
    )
  if (!overview || (isEmpty && anyLead === undefined)) return <Loading />
  if (isEmpty && anyLead === false)
    return (
      <Page title={t`Overview`}>
        <TopCards />
        <NeedsAttention overview={overview} />
        <NoLeads />
      </Page>
    )
  return (
    <Page
      title={t`Overview`}
      actions={<DaysChoice days={days} onChoose={(chosen) => navigate({ to: '.', search: { days: chosen } })} />}
    >
      <TopCards />
      <div aria-busy={isPlaceholderData}>
        <Figures overview={overview} days={days} />
        <NeedsAttention overview={overview} />
        <Charts overview={overview} days={days} />
      </div>
    </Page>
  )
}

/** The first steps contain the question about notifications. */
const TopCards = () => (useMe().first_start === 'ended' ? <AskForPush /> : <FirstStartCard />)

function DaysChoice({ days, onChoose }: { days: number; onChoose(days: number | undefined): void }) {
  const all = choices.includes(days) ? choices : [...choices, days].sort((one, other) => one - other)
  return (
    <SegmentedControl
      aria-label={t`Days`}
      maw="100%"
      styles={{ label: { paddingInline: 8 } }}
      data={all.map((value) => ({
        value: String(value),
        label: value === 1 ? t`Today` : plural({ days: value }, { one: '# day', other: '# days' }),
      }))}
      value={String(days)}
      onChange={(value) => onChoose(Number(value) === defaultDays ? undefined : Number(value))}
    />
  )
}

/** As large as the page that follows. */
function Loading() {
  return (
    <Page title={t`Overview`}>
      <Skeleton height={92} mb={16} />
      <Stacks>
        {[t`Leads per day, by status`, t`Calls per day, by outcome`, t`Leads by status`, t`Calls by outcome`].map(
          (title) => (
            <Panel key={title} title={title}>
              <Skeleton height={192} />
            </Panel>
          ),
        )}
      </Stacks>
    </Page>
  )
}
