import type { TransactionSql } from '../../platform/database/sql.ts'
import type { DueReminder } from './next-reminder.ts'

/** Locks leads whose next reminder is due. Those that another transaction holds are skipped. */
export async function lockDueReminders(tx: TransactionSql, accountId: string, now: Date, limit: number) {
  return tx<DueReminder[]>`
    select id as lead_id, name, assigned_to, reminded_at, call_again_at is not null as is_promised from leads
    where account_id = ${accountId} and remind_at <= ${now}
    order by remind_at limit ${limit} for no key update skip locked`
}

export async function writeReminders(
  tx: TransactionSql,
  accountId: string,
  steps: { lead_id: string; remind_at: Date | null; reminded_at: Date | null }[],
) {
  const ids = steps.map(({ lead_id }) => lead_id)
  await tx`update leads set remind_at = step.remind_at, reminded_at = step.reminded_at
    from jsonb_to_recordset(${tx.json(steps as never)}) as step (lead_id uuid, remind_at timestamptz, reminded_at timestamptz)
    where account_id = ${accountId} and leads.id = any (${ids}) and leads.id = step.lead_id`
}
