import type { Sql, TransactionSql } from 'postgres'
import { type Actor, seesText } from '../database/actor.ts'
import { istDay } from '../http/date-window.ts'
import { batchSlot, nextSlot, unassigned } from '../leads/counts.ts'
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
    ${istDay(call.called_at)}, ${nextSlot()}, ${loggedSummary(senderOf(actor), call)}, ${sql.json(details)}, ${actor.via},
    ${actor.via_id}) as done`
  return row!.done
}

/** The stored columns of a call, without the account. */
export const storedCallColumns = [
  'id',
  'lead_id',
  'assigned_to',
  'call_type',
  'duration_seconds',
  'outcome',
  'notes',
  'called_at',
  'created_at',
] as const

interface CallOfLead {
  call: CallLogRow
  /** Of its lead. */
  assigned_to: string | null
}

/** Creates calls of leads that the transaction has created or locked, counted, in one round trip. */
export async function createCallLogs(
  tx: TransactionSql,
  actor: Actor,
  { calls, sender, now }: { calls: CallOfLead[]; sender: string; now: Date },
): Promise<void> {
  if (calls.length === 0) return
  const { account_id, user_id, via, via_id } = actor
  const json = tx.json(
    calls.map(({ call, assigned_to }) => {
      const details = { via, via_id, call_log_id: call.id }
      return { ...call, assigned_to, summary: loggedSummary(sender, call), details }
    }) as never,
  )
  const named = tx.unsafe(storedCallColumns.join(', '))
  const leads = [...new Set(calls.map(({ call }) => call.lead_id))]
  const outgoing = leads.map(
    (id) => `${calls.filter(({ call }) => call.lead_id === id && call.call_type === 'Outbound').length}`,
  )
  // Sent at once, without waiting for the first.
  await Promise.all([
    tx`insert into call_logs (account_id, ${named}) select ${account_id}, ${named}
      from jsonb_populate_recordset(null::call_logs, ${json}) returning 1`,
    tx`insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
      select ${account_id}, lead_id, assigned_to, ${now}, 'call_logged', summary, details
      from jsonb_to_recordset(${json}) as call (lead_id uuid, assigned_to uuid, summary text, details jsonb) returning 1`,
    tx`insert into audit_log (account_id, at, user_id, via, via_id, action, subject_id)
      select ${account_id}, ${now}, ${user_id}, ${via}, ${via_id}, 'call_log.created', id
      from jsonb_to_recordset(${json}) as call (id uuid) returning 1`,
    tx`insert into call_counts (account_id, day, call_type, assigned_to, slot, n)
      select ${account_id}, (called_at at time zone interval '05:30')::date, call_type, coalesce(assigned_to, ${unassigned}),
        ${batchSlot}, count(*)
      from jsonb_to_recordset(${json}) as call (called_at timestamptz, call_type text, assigned_to uuid)
      group by 2, 3, 4 order by 2, 3, 4
      on conflict (account_id, day, call_type, assigned_to, slot) do update set n = call_counts.n + excluded.n returning 1`,
    tx`select note_calls(${account_id}, ${leads}, ${outgoing}::text[]::integer[])`,
  ])
}

/** Two calls of a lead that are alike in this are the same call. */
export type CallIdentity = Pick<CallLogRow, 'lead_id' | 'called_at' | 'call_type' | 'duration_seconds'>

/** Returns the calls of these leads at these times. */
export function callsAt(tx: TransactionSql, accountId: string, calls: Pick<CallIdentity, 'lead_id' | 'called_at'>[]) {
  const leads = [...new Set(calls.map(({ lead_id }) => lead_id))]
  const times = [...new Set(calls.map(({ called_at }) => called_at.toISOString()))]
  return tx<CallIdentity[]>`
    select lead_id, called_at, call_type, duration_seconds from call_logs
    where account_id = ${accountId} and lead_id = any (${leads}) and called_at = any (${times}::text[]::timestamptz[])`
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
    and id = (select lead_id from call_logs where account_id = ${accountId} and id = ${id}) for no key update`
  const [call] = await tx<(CallLogRow & { assigned_to: string | null })[]>`
    delete from call_logs where account_id = ${accountId} and id = ${id}
    returning id, lead_id, call_type, duration_seconds, outcome, called_at, assigned_to`
  if (!call) return null
  await tx`select count_calls(${accountId}, ${istDay(call.called_at)}, ${call.call_type}, ${call.assigned_to}, -1)`
  const outgoing = call.call_type === 'Outbound' ? -1 : 0
  await tx`select note_calls(${accountId}, array[${call.lead_id}::uuid], array[${outgoing}::integer])`
  return call
}
