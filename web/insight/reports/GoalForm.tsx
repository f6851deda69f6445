import { t } from '@lingui/core/macro'
import type { Goal, UserReport, UserRow } from '#contract/insight/reports'
import { put } from '../../platform/api/api.ts'
import { MonthAmountForm } from './MonthAmountForm.tsx'

interface Props {
  user: Pick<UserRow, 'key' | 'name'>
  report: UserReport
  onClose(): void
}

/** What a user is to win in a month of the report. */
export const GoalForm = ({ user: { key: email, name }, report: { goals, goal_months }, onClose }: Props) => (
  <MonthAmountForm
    title={t`Goal of ${name}`}
    label={t`Won value of the month`}
    description={t`Leave empty to remove the goal.`}
    action={t`Save goal`}
    saved={t`Goal saved`}
    months={goal_months!.toReversed()}
    held={(month) => goals.find((goal) => goal.email === email && goal.month === month)?.won_value}
    save={(month, won_value) => put('/web/reports/goals', { email, month, won_value } satisfies Goal)}
    onClose={onClose}
  />
)
