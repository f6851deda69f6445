import { byteOrderMark, csvLines } from '../../platform/http/csv.ts'
import type { OriginGroup, OriginReport, OriginRow, UserReport, UserRow } from './contract.ts'

type Cell = string | number | null

const userColumns: [string, (figures: UserRow['figures']) => number | null, isOfPeriod: boolean][] = [
  ['New leads', ({ leads }) => leads, true],
  ['Uncalled', ({ uncalled }) => uncalled, true],
  ['Time to first call, median (s)', ({ first_call_median }) => first_call_median, true],
  ['Time to first call, 90th percentile (s)', ({ first_call_p90 }) => first_call_p90, true],
  ['Calls made', ({ calls }) => calls, true],
  ['Connected', ({ connected }) => connected, true],
  ['Talk time (s)', ({ talk_seconds }) => talk_seconds, true],
  ['Missed', ({ missed }) => missed, true],
  ['Not called back', ({ unreturned }) => unreturned, true],
  ['Overdue now', ({ overdue }) => overdue, false],
  ['Going cold now', ({ going_cold }) => going_cold, false],
  ['Of the new leads won (%)', ({ converted, leads }) => percent(converted, leads), true],
  ['Won', ({ won }) => won, true],
  ['Won value (₹)', ({ won_value }) => won_value, true],
  ['Lost', ({ lost }) => lost, true],
]

const percent = (n: number, of: number) => (of > 0 ? Math.round((n / of) * 1000) / 10 : null)

/** Undefined if the report has no costs, as `cost` is. */
const perOne = (cost: number | null | undefined, n: number) =>
  typeof cost === 'number' ? (n > 0 ? Math.round((cost / n) * 100) / 100 : null) : cost

const originColumns: [string, (figures: OriginRow['figures']) => number | null | undefined][] = [
  ['New leads', ({ leads }) => leads],
  ['Repeat enquiries', ({ enquired_again }) => enquired_again],
  ['Rejected deliveries', ({ rejected }) => rejected],
  ['Uncalled', ({ uncalled }) => uncalled],
  ['Contacted', ({ contacted }) => contacted],
  ['Qualified', ({ qualified }) => qualified],
  ['Of the new leads won (%)', ({ converted, leads }) => percent(converted, leads)],
  ['Won', ({ won }) => won],
  ['Won value (₹)', ({ won_value }) => won_value],
  ['Lost', ({ lost }) => lost],
  ['Cost (₹)', ({ cost }) => cost],
  ['Cost per lead (₹)', ({ cost, leads }) => perOne(cost, leads)],
  ['Cost per won lead (₹)', ({ cost, converted }) => perOne(cost, converted)],
]

/** The table as a file: each figure, and that of the period before. */
export function userCsv({ rows, total, goal_months }: UserReport): string {
  const header = userColumns.flatMap(([name, , isOfPeriod]) => (isOfPeriod ? [name, `${name}, period before`] : [name]))
  const cells = ({ figures, before, goal }: Omit<UserRow, 'key' | 'name' | 'active'>): Cell[] => [
    ...userColumns.flatMap(([, read, isOfPeriod]) =>
      isOfPeriod ? [read(figures), read({ ...before, overdue: 0, going_cold: 0 })] : [read(figures)],
    ),
    ...(goal_months ? [goal] : []),
  ]
  const lines = [...rows.map((row) => [row.name, row.key, ...cells(row)]), ['Total', '', ...cells(total)]]
  return byteOrderMark + csvLines([['User', 'Email', ...header, ...(goal_months ? ['Goal (₹)'] : [])], ...lines])
}

const groupNames: Record<OriginGroup, string> = {
  source: 'Source',
  campaign: 'Campaign',
  ad: 'Ad',
  form: 'Form',
  product: 'Product',
}

export function originCsv({ group_by, rows, total }: OriginReport): string {
  const columns = originColumns.filter(([, read]) => read(total.figures) !== undefined)
  const cells = ({ figures, before }: Pick<OriginRow, 'figures' | 'before'>): Cell[] => [
    ...columns.map(([, read]) => read(figures) ?? null),
    before.leads,
    before.won,
  ]
  const nameOf = ({ name, joined }: OriginRow) => name ?? (joined ? `${joined} others` : 'None')
  const names = columns.map(([name]) => name)
  const header = [groupNames[group_by], ...names, 'New leads, period before', 'Won, period before']
  const lines = [...rows.map((row) => [nameOf(row), ...cells(row)]), ['Total', ...cells(total)]]
  return byteOrderMark + csvLines([header, ...lines])
}
