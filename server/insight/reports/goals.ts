import { msg } from '@lingui/core/runtime-macro'
import { hasRoom } from '../../access/account/limit-number.ts'
import type { Account } from '../../access/account/users.ts'
import { recordAudit } from '../../access/audit/record.ts'
import type { Actor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import type { DateWindow } from '../../platform/http/date-window.ts'
import { invalid } from '../../platform/http/problem.ts'
import type { Goal } from './contract.ts'

/** Per account. */
export const maxGoals = 10_000

/** Reads the goals of users whose leads the actor sees, for the months of a window that begins with one. */
export async function readGoals(tx: TransactionSql, accountId: string, { first_day, last_day }: DateWindow) {
  const rows = await tx<{ user_id: string; month: string; won_value: string }[]>`
    select user_id, to_char(month, 'YYYY-MM') as month, won_value from goals
    where account_id = ${accountId} and month >= ${first_day} and month <= ${last_day} order by month`
  return rows.map(({ won_value, ...row }) => ({ ...row, won_value: Number(won_value) }))
}

/** Writes or removes the goal of a user for a month. */
export async function saveGoal(tx: TransactionSql, actor: Actor, { users }: Account, goal: Goal): Promise<void> {
  const { account_id } = actor
  const { email, month, won_value } = goal
  const user = users.find((user) => user.email === email)
  if (!user) throw invalid(msg`There is no user with this email.`, 'email')
  const day = `${month}-01`
  if (won_value === null) {
    const removed =
      await tx`delete from goals where account_id = ${account_id} and user_id = ${user.id} and month = ${day}`
    if (removed.count === 0) return
  } else {
    const others = tx`select from goals where account_id = ${account_id} and not (user_id = ${user.id} and month = ${day})`
    if (!(await hasRoom(tx, account_id, others, maxGoals)))
      throw invalid(msg`An account holds at most ${{ maxGoals }} goals. Remove old ones first.`, 'won_value')
    await tx`insert into goals (account_id, user_id, month, won_value) values (${account_id}, ${user.id}, ${day}, ${won_value})
      on conflict (account_id, user_id, month) do update set won_value = excluded.won_value`
  }
  await recordAudit(tx, actor, { action: 'user.goal_changed', subject_id: user.id, details: { month, won_value } })
}
