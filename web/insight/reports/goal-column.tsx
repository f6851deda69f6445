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
): ReportColumn<Row> => ({
  key: 'goal',
  label: t`Of the goal`,
  title: t`Share of the goal that is won`,
  value: ({ key, figures, goal }) => (goal ? (key === undefined ? wonWithGoal(rows) : figures.won_value) / goal : null),
  format: formatPercent,
  cell: ({ key, name, figures, goal }) => {
    const isUser = key !== undefined && key !== 'nobody' && key !== 'unknown'
    if (!isUser && goal === null) return '–'
    const text = goal === null ? null : progressText(key === undefined ? wonWithGoal(rows) : figures.won_value, goal)
    if (!enter || !isUser) return text ?? '–'
    return (
      <Button
        variant="default"
        size="compact-sm"
        fw={400}
        onClick={() => enter({ key: key!, name: name! })}
        aria-label={text ? t`Goal of ${{ name: name! }}: ${text}` : t`Set the goal of ${{ name: name! }}`}
      >
        {text ?? t`Set`}
      </Button>
    )
  },
})

const wonWithGoal = (rows: readonly UserRow[]) =>
  rows.reduce((sum, { figures, goal }) => sum + (goal === null ? 0 : figures.won_value), 0)

const progressText = (won: number, goal: number) =>
  t`${{ share: formatPercent(won / goal) }} of ${{ amount: formatShortMoney(goal) }}`
