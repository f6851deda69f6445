import { randomUUID } from 'node:crypto'
import type { Saved } from '../../crm/leads/lead.ts'
import { forWholeAccount } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { wholeSecond } from '../../platform/http/instants.ts'
import { type CallIdentity, callsAt, createCallLogs } from '../../telephony/calls/store.ts'
import type { ImportPlan } from './import-plan.ts'
import type { RowCall } from './row-call.ts'

/**
 * Writes the calls of a batch to its leads. A call with the time, type and duration of one that the lead has already is the
 * same call. Returns how many are new.
 */
export async function saveCalls(
  tx: TransactionSql,
  { actor, sender }: ImportPlan,
  calls: { call: RowCall; saved: Saved }[],
): Promise<number> {
  if (calls.length === 0) return 0
  // Not when the import began: lists since a time have calls that were logged after it.
  const now = wholeSecond(new Date())
  const rows = calls.map(({ call, saved: { lead } }) => {
    const times = { called_at: wholeSecond(call.called_at), created_at: now }
    return { ...call, id: randomUUID(), lead_id: lead.id, ...times, by_owner: true, called_by: actor.user_id }
  })
  const known = new Set((await callsAt(tx, actor.account_id, rows)).map(callIdentity))
  const fresh = rows.filter((call) => {
    const isKnown = known.has(callIdentity(call))
    known.add(callIdentity(call))
    return !isKnown
  })
  await createCallLogs(tx, forWholeAccount(actor), { calls: fresh, sender, now })
  return fresh.length
}

export const callIdentity = ({ lead_id, called_at, call_type, duration_seconds }: CallIdentity) =>
  `${lead_id} ${called_at.getTime()} ${call_type} ${duration_seconds}`
