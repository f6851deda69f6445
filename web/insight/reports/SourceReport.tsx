import { plural, t } from '@lingui/core/macro'
import { Button, Text } from '@mantine/core'
import type { LinkProps } from '@tanstack/react-router'
import { useState } from 'react'
import type { SourceReport as Report, SourceFigures, SourceRow } from '#contract/insight/reports'
import type { LeadListSearch } from '../../crm/leads/lead-search.ts'
import { formatMoney, formatShortMoney } from '../../platform/ui/numbers.ts'
import { CostForm } from './CostForm.tsx'
import { type ColumnGroup, type ReportColumn, ReportTable } from './ReportTable.tsx'
import type { ReportSearch } from './report-search.ts'

type Row = Pick<SourceRow, 'figures' | 'before'> & { source?: string }

export function SourceReport({ report, search }: { report: Report; search: ReportSearch }) {
  const [source, setSource] = useState<string | null>(null)
  const { rows, total, more, costs } = report
  const groups = groupsOf(report, search)
  if (costs) groups.push({ key: 'cost', label: t`Cost`, columns: costColumns(setSource) })
  return (
    <>
      <ReportTable<Row>
        label={t`Figures by source`}
        nameLabel={t`Source`}
        groups={groups}
        rows={rows}
        total={total}
        keyOf={({ source }) => source ?? ''}
        nameOf={({ source }) => source}
      />
      {more > 0 && (
        <Text c="dimmed" mt={8}>
          {plural(more, {
            one: '# smaller source is in the total only.',
            other: '# smaller sources are in the total only.',
          })}
        </Text>
      )}
      {source !== null && <CostForm source={source} report={report} onClose={() => setSource(null)} />}
    </>
  )
}

function groupsOf({ from_date, to_date, costs }: Report, { source, team }: ReportSearch): ColumnGroup<Row>[] {
  const leads = (more: LeadListSearch) => (row: Row) =>
    team
      ? undefined
      : ({
          to: '/leads',
          search: { from_date, to_date, source: [row.source ?? source ?? []].flat(), ...more },
        } satisfies LinkProps)
  const figure = (name: keyof SourceFigures, more: Partial<ReportColumn<Row>> = {}) => ({
    value: ({ figures }: Row) => figures[name],
    before: ({ before }: Row) => before[name],
    ...more,
  })
  return [
    {
      key: 'received',
      label: t`Received`,
      columns: [
        { label: t`New leads`, ...figure('leads', { target: leads({}) }) },
        { label: t`Enquired again`, value: ({ figures }) => figures.enquired_again },
        ...(costs
          ? [
              {
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
          label: t`Uncalled`,
          title: t`Uncalled now`,
          ...figure('uncalled', { target: leads({ status: ['New'], last_call: 'never' }) }),
        },
        {
          label: t`Contacted`,
          ...figure('contacted', { target: leads({ status: ['Contacted', 'Qualified', 'Proposal', 'Won'] }) }),
        },
      ],
    },
    {
      key: 'deals',
      label: t`Deals`,
      columns: [
        { label: t`Won`, ...figure('won', { target: leads({ status: ['Won'] }) }) },
        { label: t`Won value`, ...figure('won_value', { format: formatShortMoney }) },
      ],
    },
  ]
}

const perOne = (cost: number | null | undefined, n: number) =>
  typeof cost === 'number' && n > 0 ? Math.round(cost / n) : null

const costColumns = (enter: (source: string) => void): ReportColumn<Row>[] => [
  {
    label: t`Total`,
    title: t`Cost`,
    value: ({ figures }) => figures.cost,
    format: formatMoney,
    cell: ({ source, figures }) =>
      source === undefined ? undefined : (
        <Button
          variant="default"
          size="compact-sm"
          fw={400}
          onClick={() => enter(source)}
          aria-label={
            typeof figures.cost === 'number'
              ? t`Cost ${{ amount: formatMoney(figures.cost) }}, change of ${source}`
              : t`Enter cost of ${source}`
          }
        >
          {typeof figures.cost === 'number' ? formatMoney(figures.cost) : t`Enter`}
        </Button>
      ),
  },
  {
    label: t`Per lead`,
    title: t`Cost per lead`,
    value: ({ figures }) => perOne(figures.cost, figures.leads),
    format: formatMoney,
  },
  {
    label: t`Per won lead`,
    title: t`Cost per won lead`,
    value: ({ figures }) => perOne(figures.cost, figures.won),
    format: formatMoney,
  },
]
