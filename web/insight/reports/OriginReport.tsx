import { plural, t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import type { LinkProps } from '@tanstack/react-router'
import { useState } from 'react'
import type { OriginFigures, OriginRow, OriginReport as Report } from '#contract/insight/reports'
import type { LeadListSearch } from '../../crm/leads/lead-search.ts'
import { formatMoney, formatShortMoney } from '../../platform/ui/numbers.ts'
import { CostForm } from './CostForm.tsx'
import { conversion } from './conversion.ts'
import { groupNames, tableNames } from './group-words.ts'
import { type ColumnGroup, type ReportColumn, ReportTable } from './ReportTable.tsx'
import type { ReportSearch } from './report-search.ts'

type Row = Pick<OriginRow, 'figures' | 'before'> & Partial<OriginRow>

export function OriginReport({ report, search }: { report: Report; search: ReportSearch }) {
  const [name, setName] = useState<string | null>(null)
  const { group_by, rows, total, costs } = report
  const groups = groupsOf(report, search)
  if (costs) groups.push({ key: 'cost', label: t`Cost`, columns: costColumns(setName) })
  return (
    <>
      <ReportTable<Row>
        label={tableNames[group_by]}
        nameLabel={groupNames[group_by]}
        groups={groups}
        rows={rows}
        total={total}
        keyOf={({ name, joined }) => (name ? `of ${name}` : joined ? 'others' : 'none')}
        nameOf={({ name, joined }) =>
          name ?? (joined ? plural(joined, { one: '# other', other: '# others' }) : t`None`)
        }
        isLast={({ name }) => name === null}
      />
      {name !== null && <CostForm name={name} report={report} onClose={() => setName(null)} />}
    </>
  )
}

function groupsOf({ group_by, from_date, to_date, total }: Report, { source, team }: ReportSearch): ColumnGroup<Row>[] {
  // No list has the leads of a team, those that name none, or those of joined names.
  const list = (days: LeadListSearch, more: LeadListSearch) => (row: Row) => {
    if (team || row.name === null) return undefined
    const ofName: LeadListSearch = row.name === undefined ? {} : { [group_by]: [row.name] }
    const ofSource = source ? { source: [source] } : {}
    return { to: '/leads', search: { ...days, ...ofSource, ...ofName, ...more } } satisfies LinkProps
  }
  const leads = (more: LeadListSearch) => list({ from_date, to_date }, more)
  const closed = (status: 'Won' | 'Lost') => list({ closed_from: from_date, closed_to: to_date }, { status: [status] })
  const figure = (name: keyof OriginFigures, more: Partial<ReportColumn<Row>> = {}) => ({
    value: ({ figures }: Row) => figures[name],
    before: ({ before }: Row) => before[name],
    ...more,
  })
  const now = (name: keyof OriginFigures, more: LeadListSearch) => ({
    value: ({ figures }: Row) => figures[name],
    target: leads(more),
  })
  return [
    {
      key: 'received',
      label: t`Received`,
      columns: [
        { key: 'leads', label: t`New leads`, ...figure('leads', { target: leads({}) }) },
        { key: 'repeat', label: t`Repeat enquiries`, value: ({ figures }) => figures.enquired_again },
        ...(total.figures.rejected !== undefined
          ? [
              {
                key: 'rejected',
                label: t`Rejected deliveries`,
                value: ({ figures }: Row) => figures.rejected,
              },
            ]
          : []),
      ],
    },
    {
      key: 'progress',
      label: t`Progress`,
      columns: [
        {
          key: 'uncalled',
          label: t`Uncalled`,
          title: t`Uncalled now`,
          ...now('uncalled', { status: ['New'], last_call: 'never' }),
        },
        {
          key: 'contacted',
          label: t`Contacted`,
          ...now('contacted', { status: ['Contacted', 'Qualified', 'Proposal', 'Won'] }),
        },
        {
          key: 'qualified',
          label: t`Qualified`,
          ...now('qualified', { status: ['Qualified', 'Proposal', 'Won'] }),
        },
        {
          key: 'converted',
          label: t`Won`,
          title: t`New leads that are won now`,
          ...now('converted', { status: ['Won'] }),
        },
        conversion(),
      ],
    },
    {
      key: 'deals',
      label: t`Closed in the period`,
      columns: [
        { key: 'won', label: t`Won`, ...figure('won', { target: closed('Won') }) },
        {
          key: 'won_value',
          label: t`Won value`,
          ...figure('won_value', { format: formatShortMoney, target: closed('Won') }),
        },
        { key: 'lost', label: t`Lost`, ...figure('lost', { target: closed('Lost') }) },
      ],
    },
  ]
}

const formatWholeMoney = (value: number) => formatMoney(Math.round(value))

const costColumns = (enter: (name: string) => void): ReportColumn<Row>[] => [
  {
    key: 'cost',
    label: t`Total`,
    title: t`Cost`,
    value: ({ figures }) => figures.cost,
    format: formatMoney,
    cell: ({ name, figures }) =>
      typeof name !== 'string' ? undefined : (
        <Button
          variant="default"
          size="compact-sm"
          fw={400}
          onClick={() => enter(name)}
          aria-label={
            typeof figures.cost === 'number'
              ? t`Cost ${{ amount: formatMoney(figures.cost) }}, change of ${name}`
              : t`Enter cost of ${name}`
          }
        >
          {typeof figures.cost === 'number' ? formatMoney(figures.cost) : t`Enter`}
        </Button>
      ),
  },
  {
    key: 'cost_per_lead',
    label: t`Per lead`,
    title: t`Cost per lead`,
    value: ({ figures }) => figures.cost_per_lead,
    format: formatWholeMoney,
  },
  {
    key: 'cost_per_won_lead',
    label: t`Per won lead`,
    title: t`Cost per new lead that is won now`,
    value: ({ figures }) => figures.cost_per_converted,
    format: formatWholeMoney,
  },
]
