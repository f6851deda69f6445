import { type Caller, callerId } from '../../access/sign-in/caller.ts'
import type { WebCaller } from '../../access/sign-in/require-session.ts'
import { appendChanges } from '../../crm/counts/append-changes.ts'
import { callCounts } from '../../crm/counts/tables.ts'
import { loggedSummary } from '../../crm/timeline/summaries.ts'
import { type Actor, seesText } from '../../platform/database/actor.ts'
import type { Sql, TransactionSql } from '../../platform/database/sql.ts'
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
  /** The user who called or answered. */
  called_by?: string | null
  /** What the telephone system calls somebody who is no known user. */
  agent?: string | null
  recording_url?: string | null
}

export interface NewCallLogRow extends CallLogRow {
  /** The owner of the lead called, or `called_by` if it is unassigned. */
  by_owner?: boolean
  /** The call is left out if a telephone system reported one at that time, which may be the same. */
  unless_reported?: boolean
}

/**
 * Creates calls in one round trip, with their timeline and audit entries and their counts. Returns how many: those of leads that the
 * actor sees.
 */
export async function createCallLogs(
  sql: Sql | TransactionSql,
  actor: Actor,
  { calls, sender, now }: { calls: NewCallLogRow[]; sender: string; now: Date },
): Promise<number> {
  if (calls.length === 0) return 0
  const { account_id, user_id, via, via_id } = actor
  const rows = calls.map((call) => {
    return { ...call, summary: loggedSummary(sender, call), details: { via, via_id, call_log_id: call.id } }
  })
  const [row] = await sql<{ created: string }[]>`
    select create_call_logs(account => ${account_id}, person => ${user_id}, sees => ${seesText(actor)},
      new_calls => ${sql.json(rows as never)}, moment => ${now}, acting_via => ${via}, acting_via_id => ${via_id}) as created`
  return Number(row!.created)
}

/** Creates a call of a user. Returns false if they see no such lead. */
export async function createCallLog(
  sql: Sql | TransactionSql,
  actor: Caller | WebCaller,
  call: NewCallLogRow,
): Promise<boolean> {
  return (await createCallLogs(sql, actor, { calls: [call], sender: callerId(actor), now: call.created_at })) === 1
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
    select id, lead_id, call_type, duration_seconds, outcome, notes, called_at, created_at, called_by from call_logs
    where account_id = ${accountId} and id = ${id}`
  return call ?? null
}

/**
 * Deletes the call log and removes it from the counts. Returns null if the actor sees no such call log. The lead is
 * locked first, as deleting or reassigning the lead does; the other order could deadlock.
 */
export async function deleteCallLog(tx: TransactionSql, accountId: string, id: string): Promise<DeletedCall | null> {
  await tx`select id from leads where account_id = ${accountId}
    and id = (select lead_id from call_logs where account_id = ${accountId} and id = ${id}) for no key update`
  const [call] = await tx<Omit<DeletedCall, 'isOfPhoneSystem'>[]>`
    delete from call_logs where account_id = ${accountId} and id = ${id}
    returning id, lead_id, call_type, duration_seconds, outcome, called_at, created_at, assigned_to, called_by`
  if (!call) return null
  await appendChanges(tx, accountId, callCounts, [{ row: call, n: -1 }])
  await noteCalls(tx, accountId, [{ lead_id: call.lead_id, outgoing: call.call_type === 'Outbound' ? -1 : 0 }])
  // They have the URL of the recording.
  const { count } =
    await tx`update phone_calls set facts = '{}' where account_id = ${accountId} and call_log_id = ${id}`
  return { ...call, isOfPhoneSystem: count > 0 }
}

export interface DeletedCall extends Omit<CallLogRow, 'notes'> {
  assigned_to: string | null
  isOfPhoneSystem: boolean
}

/** Updates what leads keep of their calls: how many outgoing ones more or fewer there are, and the last call. */
export async function noteCalls(tx: TransactionSql, accountId: string, leads: { lead_id: string; outgoing: number }[]) {
  const [ids, outgoing] = [leads.map(({ lead_id }) => lead_id), leads.map((lead) => lead.outgoing)]
  await tx`select note_calls(${accountId}, ${ids}::uuid[], ${outgoing}::integer[])`
}
