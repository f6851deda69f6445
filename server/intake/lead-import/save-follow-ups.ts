import { remindersOf } from '../../crm/leads/reminder-times.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { wholeSecond } from '../../platform/http/instants.ts'

/** What a row says of a lead beside its fields. */
export interface FollowUp {
  call_again_at: Date | null
  /** One of the account's, for a lead in Lost. */
  lost_reason: string | null
}

/** Writes when to call the leads of a batch again, and why they are lost, unless they have it. A closed lead is not called again. */
export async function saveFollowUps(
  tx: TransactionSql,
  accountId: string,
  followUps: (FollowUp & { lead_id: string })[],
): Promise<void> {
  if (followUps.length === 0) return
  const now = wholeSecond(new Date())
  const rows = followUps.map(({ call_again_at, ...one }) => {
    const at = call_again_at && wholeSecond(call_again_at)
    return { ...one, at, ...remindersOf(at, now) }
  })
  const columns = <Name extends keyof (typeof rows)[number]>(name: Name) => rows.map((row) => row[name])
  await tx`update leads set call_again_at = planned.at, call_again_set_at = ${now},
      no_next_step = null, remind_at = planned.remind_at, reminded_at = planned.reminded_at
    from unnest(${columns('lead_id')}::uuid[], ${columns('at')}::timestamptz[], ${columns('remind_at')}::timestamptz[],
      ${columns('reminded_at')}::timestamptz[]) as planned (id, at, remind_at, reminded_at)
    where account_id = ${accountId} and leads.id = planned.id and planned.at is not null and call_again_at is null
      and status not in ('Won', 'Lost')`
  await tx`update leads set lost_reason = planned.reason
    from unnest(${columns('lead_id')}::uuid[], ${columns('lost_reason')}::text[]) as planned (id, reason)
    where account_id = ${accountId} and leads.id = planned.id and planned.reason is not null and lost_reason is null
      and status = 'Lost'`
}
