import type { Sql, TransactionSql } from 'postgres'
import { seesText } from '../database/actor.ts'
import { istDay } from '../http/date-window.ts'
import { anySlot } from '../leads/counts.ts'
import { type Caller, senderOf } from '../sign-in/caller.ts'
import type { WebCaller } from '../sign-in/require-session.ts'
import { loggedSummary } from '../timeline/summaries.ts'
import type { CallOutcome, CallType } from './contract.ts'

export interface CallLogRow {
  id: string
  lead_id: string
  call_type: CallType
  duration_seconds: number
  outcome: CallOutcome
  notes: string | null
  called_at: Date
  created_at: Date
}

/** Creates a call log in one round trip. Returns false if the actor sees no such lead. */
export async function createCallLog(
  sql: Sql | TransactionSql,
  actor: Caller | WebCaller,
  call: CallLogRow,
): Promise<boolean> {
  const details = { via: actor.via, via_id: actor.via_id, call_log_id: call.id }
  const [row] = await sql`select create_call_log(
    ${actor.account_id}, ${actor.user_id}, ${seesText(actor)}, ${call.id}, ${call.lead_id}, ${call.call_type},
    ${call.duration_seconds}, ${call.outcome}, ${call.notes}, ${call.called_at}, ${call.created_at},
    ${istDay(call.called_at)}, ${anySlot()}, ${loggedSummary(senderOf(actor), call)}, ${sql.json(details)}, ${actor.via},
    ${actor.via_id}) as done`
  return row!.done
}

/** Returns null if the actor sees no such call log. */
export async function findCallLog(tx: TransactionSql, accountId: string, id: string): Promise<CallLogRow | null> {
  const [call] = await tx<CallLogRow[]>`
    select id, lead_id, call_type, duration_seconds, outcome, notes, called_at, created_at from call_logs
    where account_id = ${accountId} and id = ${id}`
  return call ?? null
}

/**
 * Deletes the call log and removes it from the counts. Returns null if the actor sees no such call log. The lead is
 * locked first, as deleting or reassigning the lead does; the other order could deadlock.
 */
export async function deleteCallLog(tx: TransactionSql, accountId: string, id: string) {
  await tx`select id from leads where account_id = ${accountId}
    and id = (select lead_id from call_logs where account_id = ${accountId} and id = ${id}) for share`
  const [call] = await tx<(CallLogRow & { assigned_to: string | null })[]>`
    delete from call_logs where account_id = ${accountId} and id = ${id}
    returning id, lead_id, call_type, duration_seconds, outcome, called_at, assigned_to`
  if (!call) return null
  await tx`select count_calls(${accountId}, ${istDay(call.called_at)}, ${call.call_type}, ${call.assigned_to}, -1)`
  return call
}
