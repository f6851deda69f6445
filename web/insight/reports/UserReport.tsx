import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import type { UserReport as Report, UserFigures, UserRow } from '#contract/insight/reports'
import { useIsAdmin } from '../../access/account/me.ts'
import type { LeadListSearch } from '../../crm/leads/lead-search.ts'
import { formatNumber, formatShortMoney } from '../../platform/ui/numbers.ts'
import { Panel } from '../../platform/ui/Panel.tsx'
import { formatDuration, formatSpan } from '../../platform/ui/time.ts'
import type { CallListSearch } from '../../telephony/calls/call-search.ts'
import { Bars } from '../overview/Bars.tsx'
import { type ColumnGroup, type ReportColumn, ReportTable } from './ReportTable.tsx'
import type { ReportSearch } from './report-search.ts'

type Row = Pick<UserRow, 'figures' | 'before'> & Partial<UserRow>

export function UserReport({ report, search }: { report: Report; search: ReportSearch }) {
  const isAdmin = useIsAdmin()
  const { rows, total, lost_reasons } = report
  return (
    <Stack gap={16}>
      <ReportTable<Row>
        label={t`Figures by user`}
        nameLabel={t`User`}
        groups={groupsOf(report, search, isAdmin)}
        rows={rows}
        total={total}
        keyOf={({ key }) => key ?? ''}
        nameOf={nameOf}
      />
      {total.figures.lost > 0 && (
        <Panel title={t`Lost leads by reason`}>
          <Bars
            label={t`Lost leads by reason`}
            empty={t`No lost leads in this period.`}
            bars={lost_reasons.map(({ reason, n }) => ({
              key: reason ?? '',
              name: reason ?? t`No reason given`,
              amount: n,
              text: formatNumber(n),
              colour: 'var(--mantine-primary-color-filled)',
              target:
                reason === null || search.team
                  ? undefined
                  : leadsOf(report, search, { status: ['Lost'], lost_reason: [reason] }),
            }))}
          />
        </Panel>
      )}
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

const leadsOf = (
  { from_date, to_date }: Pick<Report, 'from_date' | 'to_date'>,
  { source }: ReportSearch,
  more: LeadListSearch,
): LinkProps => ({ to: '/leads', search: { from_date, to_date, source: source ? [source] : undefined, ...more } })

/** Columns of leads are empty for calls of no known user, and columns of calls for unassigned leads. */
function groupsOf(report: Report, search: ReportSearch, isAdmin: boolean): ColumnGroup<Row>[] {
  const { from_date, to_date } = report
  const { source } = search
  const isTotal = ({ key }: Row) => key === undefined
  /** A list has one team only for Managers without a choice. */
  const owner = (row: Row) => (isTotal(row) ? {} : { assigned_to: row.key })
  const hasList = (row: Row) => row.key !== 'unknown' && !(isTotal(row) && search.team)
  const leads =
    (more: LeadListSearch, days: LeadListSearch = { from_date, to_date }) =>
    (row: Row): LinkProps | undefined => {
      if (!hasList(row)) return undefined
      const assigned_to = row.key === undefined ? undefined : [row.key]
      return { to: '/leads', search: { ...days, source: source ? [source] : undefined, assigned_to, ...more } }
    }
  const calls =
    (more: CallListSearch) =>
    (row: Row): LinkProps | undefined =>
      hasList(row) ? { to: '/calls', search: { from_date, to_date, source, ...owner(row), ...more } } : undefined
  const called = (more: CallListSearch) => (row: Row) => {
    if (isTotal(row)) return isAdmin ? calls(more)(row) : undefined
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
  const now = (name: 'overdue' | 'going_cold') => ({
    value: ({ key, figures }: Row) => (key === 'unknown' ? null : figures[name]),
    target: leads({ follow_up: name }, {}),
  })
  return [
    {
      key: 'leads',
      label: t`Leads`,
      columns: [
        { label: t`New`, title: t`New leads`, ...ofLeads('leads', { target: leads({}) }) },
        {
          label: t`Uncalled`,
          title: t`Uncalled now`,
          ...ofLeads('uncalled', { target: leads({ status: ['New'], last_call: 'never' }) }),
        },
      ],
    },
    {
      key: 'first_call',
      label: t`Time to first call`,
      columns: [
        { label: t`Median`, title: t`First call, median`, ...ofLeads('first_call_median', { format: formatSpan }) },
        {
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
        { label: t`Made`, title: t`Calls made`, ...ofCalls('calls', { target: called({ call_type: 'Outbound' }) }) },
        { label: t`Connected`, ...ofCalls('connected', { target: called({ only: 'connected' }) }) },
        { label: t`Talk time`, ...ofCalls('talk_seconds', { format: formatDuration }) },
      ],
    },
    {
      key: 'missed',
      label: t`Missed calls`,
      columns: [
        {
          label: t`All`,
          ...ofLeads('missed', { target: calls({ only: 'missed', call_type: 'Inbound' }) }),
        },
        {
          label: t`Not called back`,
          ...ofLeads('unreturned', { target: calls({ only: 'unreturned' }) }),
        },
      ],
    },
    {
      key: 'follow_up',
      label: t`Follow-up now`,
      columns: [
        { label: t`Overdue`, title: t`Calls overdue now`, ...now('overdue') },
        { label: t`Going cold`, title: t`Going cold now`, ...now('going_cold') },
      ],
    },
    {
      key: 'deals',
      label: t`Deals`,
      columns: [
        { label: t`Won`, ...ofLeads('won', { target: leads({ status: ['Won'] }) }) },
        { label: t`Won value`, ...ofLeads('won_value', { format: formatShortMoney }) },
        { label: t`Lost`, ...ofLeads('lost', { target: leads({ status: ['Lost'] }) }) },
      ],
    },
  ]
}
