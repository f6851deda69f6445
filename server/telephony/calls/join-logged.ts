import type { TransactionSql } from '../../platform/database/sql.ts'
import { instantText } from '../../platform/http/instants.ts'
import type { CallOfUser, EndedCall } from './join-events.ts'
import type { CallLogRow } from './store.ts'

/** A call that its telephone system reported. */
export type EndedReport = EndedCall & { ended_at?: string | undefined }

/** A user logs a call so much before its start or after its end, in seconds. */
export const loggedWithin = 120
const maxLooked = 20

/**
 * Returns whether a call that a user logged is the reported one. A logged conversation is not a reported call without an answer, but
 * another one, such as a call back from another phone. A direction is easily mistaken, but not that of a call without a conversation.
 */
export function isSameCall(
  logged: Pick<CallLogRow, 'call_type' | 'outcome' | 'duration_seconds' | 'called_at'>,
  { call_type, outcome, duration_seconds, called_at, ended_at }: EndedReport,
): boolean {
  const start = Date.parse(called_at)
  const end = Math.max(start + duration_seconds * 1000, ended_at ? Date.parse(ended_at) : 0)
  const at = logged.called_at.getTime()
  if (at < start - loggedWithin * 1000 || at > end + loggedWithin * 1000) return false
  const isConversation = logged.outcome === 'Completed' && logged.duration_seconds > 0
  const isOfDirection = logged.call_type === call_type
  return outcome === 'Completed' ? isOfDirection || isConversation : isOfDirection && !isConversation
}

/** Returns the one whose start is closest to that time. */
export function closest<Call extends { called_at: Date }>(calls: readonly Call[], at: Date): Call | null {
  const distance = ({ called_at }: Call) => Math.abs(called_at.getTime() - at.getTime())
  return calls.toSorted((one, other) => distance(one) - distance(other))[0] ?? null
}

/** Finds the call of a locked lead that a user logged for a reported one, and that belongs to no other report. */
export async function findLoggedCall(
  tx: TransactionSql,
  accountId: string,
  leadId: string,
  reported: EndedReport,
): Promise<CallLogRow | null> {
  const { called_at, duration_seconds, ended_at = called_at } = reported
  const within = tx`make_interval(secs => ${loggedWithin})`
  const logs = await tx<CallLogRow[]>`
    select id, lead_id, call_type, duration_seconds, outcome, notes, called_at, created_at, called_by from call_logs logs
    where account_id = ${accountId} and lead_id = ${leadId} and called_at between ${called_at}::timestamptz - ${within}
      and greatest(${ended_at}::timestamptz, ${called_at}::timestamptz + make_interval(secs => ${duration_seconds})) + ${within}
      and not exists (
        select from phone_calls calls where calls.account_id = ${accountId} and calls.call_log_id = logs.id
      )
    order by called_at limit ${maxLooked}`
  return closest(
    logs.filter((log) => isSameCall(log, reported)),
    new Date(called_at),
  )
}

/** What the facts of a call keep of the log of a user. */
export function ofUser({ call_type, outcome, duration_seconds, notes, created_at, ...log }: CallLogRow): CallOfUser {
  const { called_by = null } = log
  return { call_type, outcome, duration_seconds, notes, called_by, logged_at: instantText(created_at) }
}
