import type { Table, TableColumn } from '../../platform/http/table.ts'
import type { OriginGroup, OriginReport, OriginRow, UserReport, UserRow } from './contract.ts'

type Kind = 'number' | 'money'
type UserFile = Pick<UserRow, 'key' | 'name' | 'figures' | 'before' | 'goal'>

const userFigures: [header: string, kind: Kind, read: (figures: UserRow['before']) => number | null][] = [
  ['New leads', 'number', ({ leads }) => leads],
  ['Uncalled', 'number', ({ uncalled }) => uncalled],
  ['Time to first call, median (s)', 'number', ({ first_call_median }) => first_call_median],
  ['Time to first call, 90th percentile (s)', 'number', ({ first_call_p90 }) => first_call_p90],
  ['Calls made', 'number', ({ calls }) => calls],
  ['Connected', 'number', ({ connected }) => connected],
  ['Talk time (s)', 'number', ({ talk_seconds }) => talk_seconds],
  ['Missed', 'number', ({ missed }) => missed],
  ['Not called back', 'number', ({ unreturned }) => unreturned],
  ['Conversion (%)', 'number', ({ converted, leads }) => percent(converted, leads)],
  ['Won', 'number', ({ won }) => won],
  ['Won value (₹)', 'money', ({ won_value }) => won_value],
  ['Lost', 'number', ({ lost }) => lost],
]

const percent = (n: number, of: number) => (of > 0 ? Math.round((n / of) * 1000) / 10 : null)

/** Each figure, that of the period before, and the total as the last row. */
export function userTable({ rows, total, goal_months }: UserReport): Table<UserFile> {
  const columns: TableColumn<UserFile>[] = [
    { header: 'User', kind: 'text', cell: ({ name }) => name },
    { header: 'Email', kind: 'text', cell: ({ key }) => key },
    ...userFigures.flatMap(([header, kind, read]): TableColumn<UserFile>[] => [
      { header, kind, cell: ({ figures }) => read(figures) },
      { header: `${header}, period before`, kind, cell: ({ before }) => read(before) },
    ]),
    { header: 'Overdue now', kind: 'number', cell: ({ figures }) => figures.overdue },
    { header: 'Going cold now', kind: 'number', cell: ({ figures }) => figures.going_cold },
    ...(goal_months ? [{ header: 'Goal (₹)', kind: 'money', cell: ({ goal }: UserFile) => goal } as const] : []),
  ]
  return { name: 'Users', columns, rows: [[...rows, { key: '', name: 'Total', ...total }]] }
}

type OriginFile = Pick<OriginRow, 'name' | 'joined' | 'figures' | 'before'>

const originFigures: [
  header: string,
  kind: Kind,
  read: (figures: OriginRow['figures']) => number | null | undefined,
][] = [
  ['New leads', 'number', ({ leads }) => leads],
  ['Repeat enquiries', 'number', ({ enquired_again }) => enquired_again],
  ['Rejected deliveries', 'number', ({ rejected }) => rejected],
  ['Uncalled', 'number', ({ uncalled }) => uncalled],
  ['Contacted', 'number', ({ contacted }) => contacted],
  ['Qualified', 'number', ({ qualified }) => qualified],
  ['New leads won now', 'number', ({ converted }) => converted],
  ['Conversion (%)', 'number', ({ converted, leads }) => percent(converted, leads)],
  ['Won', 'number', ({ won }) => won],
  ['Won value (₹)', 'money', ({ won_value }) => won_value],
  ['Lost', 'number', ({ lost }) => lost],
  ['Cost (₹)', 'money', ({ cost }) => cost],
  ['Cost per lead (₹)', 'money', ({ cost_per_lead }) => cost_per_lead],
  ['Cost per new lead won now (₹)', 'money', ({ cost_per_converted }) => cost_per_converted],
]

const groupNames: Record<OriginGroup, string> = {
  source: 'Source',
  campaign: 'Campaign',
  ad: 'Ad',
  form: 'Form',
  product: 'Product',
}

/** Each figure, new and won leads of the period before, and the total as the last row. */
export function originTable({ group_by, rows, total }: OriginReport): Table<OriginFile> {
  const shown = originFigures.filter(([, , read]) => read(total.figures) !== undefined)
  const last: OriginFile = { name: 'Total', ...total }
  const columns: TableColumn<OriginFile>[] = [
    {
      header: groupNames[group_by],
      kind: 'text',
      cell: ({ name, joined }) => name ?? (joined ? `${joined} others` : 'None'),
    },
    ...shown.map(
      ([header, kind, read]): TableColumn<OriginFile> => ({
        header,
        kind,
        cell: ({ figures }) => read(figures) ?? null,
      }),
    ),
    { header: 'New leads, period before', kind: 'number', cell: ({ before }) => before.leads },
    { header: 'Won, period before', kind: 'number', cell: ({ before }) => before.won },
  ]
  return { name: `${groupNames[group_by]}s`, columns, rows: [[...rows, last]] }
}
