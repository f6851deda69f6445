import { t } from '@lingui/core/macro'
import type { OriginCost, OriginReport } from '#contract/insight/reports'
import { put } from '../../platform/api/api.ts'
import { MonthAmountForm } from './MonthAmountForm.tsx'

interface Props {
  name: string
  report: OriginReport
  onClose(): void
}

/** The cost of a source, campaign, ad, form or product in a month of the report. */
export const CostForm = ({ name, report, onClose }: Props) => (
  <MonthAmountForm
    title={t`Cost of ${name}`}
    label={t`Cost of the month`}
    description={t`A report of part of the month counts the cost of its days. Leave empty to remove the cost.`}
    action={t`Save cost`}
    saved={t`Cost saved`}
    months={monthsOf(report)}
    held={(month) => report.costs?.find((cost) => cost.name === name && cost.month === month)?.cost}
    save={(month, cost) => put('/web/reports/costs', { kind: report.group_by, name, month, cost } satisfies OriginCost)}
    onClose={onClose}
  />
)

/** The months of the report as 2026-11, the newest first. */
function monthsOf({ from_date, to_date }: OriginReport): string[] {
  const months: string[] = []
  let [year, month] = to_date.split('-').map(Number) as [number, number]
  for (let name = to_date.slice(0, 7); name >= from_date.slice(0, 7); ) {
    months.push(name)
    ;[year, month] = month === 1 ? [year - 1, 12] : [year, month - 1]
    name = `${year}-${String(month).padStart(2, '0')}`
  }
  return months
}
