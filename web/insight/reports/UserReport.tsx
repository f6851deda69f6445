import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import { useState } from 'react'
import type { UserReport as Report, UserFigures, UserRow } from '#contract/insight/reports'
import { useIsAdmin } from '../../access/account/me.ts'
import type { LeadListSearch } from '../../crm/leads/lead-search.ts'
import { statusNames } from '../../crm/leads/lead-words.ts'
import { formatNumber, formatShortMoney } from '../../platform/ui/numbers.ts'
import { Panel } from '../../platform/ui/Panel.tsx'
import { formatDuration, formatSpan } from '../../platform/ui/time.ts'
import type { CallListSearch } from '../../telephony/calls/call-search.ts'
import { Bars } from '../overview/Bars.tsx'
import { conversion } from './conversion.ts'
import { Forecast } from './Forecast.tsx'
import { Funnel } from './Funnel.tsx'
import { GoalForm } from './GoalForm.tsx'
import { goalColumn, isNoUser } from './goal-column.tsx'
import { type ColumnGroup, type ReportColumn, ReportTable } from './ReportTable.tsx'
import type { ReportSearch } from './report-search.ts'

type Row = Pick<UserRow, 'figures' | 'before' | 'goal'> & Partial<UserRow>

export function UserReport({ report, search }: { report: Report; search: ReportSearch }) {
  const isAdmin = useIsAdmin()
  const { rows, total, lost_reasons } = report
  const [withGoal, setWithGoal] = useState<Pick<UserRow, 'key' | 'name'> | null>(null)
  return (
    <Stack gap={16}>
      <ReportTable<Row>
        label={t`Figures by user`}
        nameLabel={t`User`}
        groups={groupsOf(report, search, { isAdmin, enterGoal: setWithGoal })}
        rows={rows}
        total={total}
        keyOf={({ key }) => key ?? ''}
        nameOf={nameOf}
        isLast={isNoUser}
      />
      {withGoal && <GoalForm user={withGoal} report={report} onClose={() => setWithGoal(null)} />}
      <Funnel report={report} />
      {total.figures.lost > 0 && (
        <Panel title={t`Lost leads by reason`}>
          <Bars
            label={t`Lost leads by reason`}
            empty={t`No lost leads in this period.`}
            bars={lost_reasons.map(({ reason, n, by_status }) => ({
              key: reason ?? '',
              name: reason ?? t`No reason given`,
              amount: n,
              text: `${formatNumber(n)} · ${by_status.map(lastStatus).join(', ')}`,
              colour: 'var(--mantine-primary-color-filled)',
              target:
                reason === null || search.team
                  ? undefined
                  : closedLeads(report, search, { status: ['Lost'], lost_reason: [reason] }),
            }))}
          />
        </Panel>
      )}
      <Forecast report={report} />
    </Stack>
  )
}

function nameOf({ key, name, active }: Row) {
  if (key === 'nobody')
    return (
      <>
        <IconAlertTriangle size={16} color="var(--amber)" aria-hidden style={{ verticalAlign: 'text-bottom' }} />{' '}
        <Trans>Unassigned</Trans>
      </>
    )
  if (key === 'unknown') return t`Unknown caller`
  return active === false ? t`${{ name: name! }} (inactive)` : name
}

/** "Contacted 3": of which status the lost leads were last. */
const lastStatus = ({ status, n }: Report['lost_reasons'][number]['by_status'][number]) =>
  status ? `${statusNames[status]} ${formatNumber(n)}` : t`status not known ${{ count: formatNumber(n) }}`

const closedLeads = (
  { from_date, to_date }: Pick<Report, 'from_date' | 'to_date'>,
  { source }: ReportSearch,
  more: LeadListSearch,
): LinkProps => ({
  to: '/leads',
  search: { closed_from: from_date, closed_to: to_date, source: source ? [source] : undefined, ...more },
})

/** Columns of leads are empty for calls of no known user, and columns of calls for unassigned leads. */
function groupsOf(
  report: Report,
  search: ReportSearch,
  { isAdmin, enterGoal }: { isAdmin: boolean; enterGoal(user: Pick<UserRow, 'key' | 'name'>): void },
): ColumnGroup<Row>[] {
  const { from_date, to_date } = report
  const { source } = search
  const isTotal = ({ key }: Row) => key === undefined
  /** A list has one team only for Managers without a choice. */
  const hasList = (row: Row) => row.key !== 'unknown' && !(isTotal(row) && search.team)
  const leads =
    (ownerIn: 'assigned_to' | 'first_owner', more: LeadListSearch = { from_date, to_date }) =>
    (row: Row): LinkProps | undefined => {
      if (!hasList(row)) return undefined
      const owner = row.key === undefined ? {} : { [ownerIn]: [row.key] }
      return { to: '/leads', search: { source: source ? [source] : undefined, ...owner, ...more } }
    }
  const closed = (status: 'Won' | 'Lost') => (row: Row) =>
    hasList(row)
      ? closedLeads(report, search, { status: [status], closed_by: isTotal(row) ? undefined : [row.key!] })
      : undefined
  const calls =
    (more: CallListSearch, ownerIn: 'assigned_to' | 'owner_at_call') =>
    (row: Row): LinkProps | undefined => {
      if (!hasList(row)) return undefined
      const owner = isTotal(row) ? {} : { [ownerIn]: row.key }
      return { to: '/calls', search: { from_date, to_date, source, ...owner, ...more } }
    }
  const called = (more: CallListSearch) => (row: Row) => {
    if (isTotal(row)) return isAdmin ? calls(more, 'assigned_to')(row) : undefined
    return { to: '/calls', search: { from_date, to_date, source, called_by: row.key, ...more } } satisfies LinkProps
  }
  const ofLeads = (name: keyof UserFigures, more: Partial<ReportColumn<Row>> = {}) => ({
    value: ({ key, figures }: Row) => (key === 'unknown' ? null : figures[name]),
    before: ({ before }: Row) => before[name],
    ...more,
  })
  const ofCalls = (name: keyof UserFigures, more: Partial<ReportColumn<Row>> = {}) => ({
    value: ({ key, figures }: Row) => (key === 'nobody' ? null : figures[name]),
    before: ({ before }: Row) => before[name],
    ...more,
  })
  const now = (name: 'uncalled' | 'overdue' | 'going_cold', more: LeadListSearch) => ({
    value: ({ key, figures }: Row) => (key === 'unknown' ? null : figures[name]),
    target: leads('assigned_to', more),
  })
  return [
    {
      key: 'leads',
      label: t`Leads`,
      columns: [
        {
          key: 'leads',
          label: t`New`,
          title: t`New leads, by the first owner`,
          ...ofLeads('leads', { target: leads('first_owner') }),
        },
        {
          key: 'uncalled',
          label: t`Uncalled`,
          title: t`Uncalled now`,
          ...now('uncalled', { from_date, to_date, status: ['New'], last_call: 'never' }),
        },
        conversion(),
      ],
    },
    {
      key: 'first_call',
      label: t`Time to first call`,
      columns: [
        {
          key: 'first_call_median',
          label: t`Median`,
          title: t`First call, median`,
          ...ofLeads('first_call_median', { format: formatSpan }),
        },
        {
          key: 'first_call_p90',
          label: t`90 % within`,
          title: t`First call, 90 % within`,
          ...ofLeads('first_call_p90', { format: formatSpan }),
        },
      ],
    },
    {
      key: 'calls',
      label: t`Calls`,
      columns: [
        {
          key: 'calls',
          label: t`Made`,
          title: t`Calls made`,
          ...ofCalls('calls', { target: called({ call_type: 'Outbound' }) }),
        },
        {
          key: 'connected',
          label: t`Connected`,
          title: t`Connected calls, outgoing and incoming`,
          ...ofCalls('connected', { target: called({ only: 'connected' }) }),
        },
        { key: 'talk_seconds', label: t`Talk time`, ...ofCalls('talk_seconds', { format: formatDuration }) },
      ],
    },
    {
      key: 'missed',
      label: t`Missed calls`,
      columns: [
        {
          key: 'missed',
          label: t`All`,
          title: t`Missed calls, by the owner at the time`,
          ...ofLeads('missed', { target: calls({ only: 'missed', call_type: 'Inbound' }, 'owner_at_call') }),
        },
        {
          key: 'unreturned',
          label: t`Not called back`,
          title: t`Missed calls of the period that are not called back`,
          ...ofLeads('unreturned', { target: calls({ only: 'unreturned' }, 'assigned_to') }),
        },
      ],
    },
    {
      key: 'follow_up',
      label: t`Follow-up now`,
      columns: [
        { key: 'overdue', label: t`Overdue`, title: t`Calls overdue now`, ...now('overdue', { follow_up: 'overdue' }) },
        {
          key: 'going_cold',
          label: t`Going cold`,
          title: t`Going cold now`,
          ...now('going_cold', { follow_up: 'going_cold' }),
        },
      ],
    },
    {
      key: 'deals',
      label: t`Closed in the period`,
      columns: [
        { key: 'won', label: t`Won`, ...ofLeads('won', { target: closed('Won') }) },
        {
          key: 'won_value',
          label: t`Won value`,
          ...ofLeads('won_value', { format: formatShortMoney, target: closed('Won') }),
        },
        { key: 'lost', label: t`Lost`, ...ofLeads('lost', { target: closed('Lost') }) },
        ...(report.goal_months ? [goalColumn(report.rows, isAdmin ? enterGoal : undefined)] : []),
      ],
    },
  ]
}
