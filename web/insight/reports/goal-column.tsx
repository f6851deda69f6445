import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import type { UserRow } from '#contract/insight/reports'
import { formatPercent, formatShortMoney } from '../../platform/ui/numbers.ts'
import type { ReportColumn } from './ReportTable.tsx'

type Row = Pick<UserRow, 'figures' | 'goal'> & Partial<UserRow>

/** How much of their goal the users have won, in total those who have one. Admins set it. */
export const goalColumn = (
  rows: readonly UserRow[],
  enter?: (user: Pick<UserRow, 'key' | 'name'>) => void,
): ReportColumn<Row> => {
  const wonBy = (row: Row) => (row.key === undefined ? wonWithGoal(rows) : row.figures.won_value)
  return {
    key: 'goal',
    label: t`Of the goal`,
    title: t`Share of the goal that is won`,
    value: (row) => (row.goal ? wonBy(row) / row.goal : null),
    format: formatPercent,
    cell: (row) => {
      const { key, name, goal } = row
      const text = goal === null ? null : progressText(wonBy(row), goal)
      if (!enter || key === undefined || isNoUser(row)) return text ?? '–'
      return (
        <Button
          variant="default"
          size="compact-sm"
          fw={400}
          onClick={() => enter({ key, name: name! })}
          aria-label={text ? t`Goal of ${{ name: name! }}: ${text}` : t`Set the goal of ${{ name: name! }}`}
        >
          {text ?? t`Set`}
        </Button>
      )
    },
  }
}

/** Whether the row is of unassigned leads, or of calls of no known user. */
export const isNoUser = ({ key }: Pick<Row, 'key'>) => key === 'nobody' || key === 'unknown'

const wonWithGoal = (rows: readonly UserRow[]) =>
  rows.reduce((sum, { figures, goal }) => sum + (goal === null ? 0 : figures.won_value), 0)

const progressText = (won: number, goal: number) =>
  t`${{ share: formatPercent(won / goal) }} of ${{ amount: formatShortMoney(goal) }}`
