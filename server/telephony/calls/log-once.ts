import { type Caller, callerId } from '../../access/sign-in/caller.ts'
import type { WebCaller } from '../../access/sign-in/require-session.ts'
import type { Actor } from '../../platform/database/actor.ts'
import type { Sql, TransactionSql } from '../../platform/database/sql.ts'
import { instantText } from '../../platform/http/instants.ts'
import type { CallChange, How } from './change-call.ts'
import { type CallFacts, type CallOfUser, callOf } from './join-events.ts'
import { closest, isSameCall, loggedWithin, ofUser } from './join-logged.ts'
import { callerOf, completeCallLog } from './phone-calls.ts'
import { type CallLogRow, createCallLog, findCallLog, type NewCallLogRow } from './store.ts'

/** Creates a call of a user in one statement. Returns false if they see no such lead, or the call may be one that was reported. */
export const createUnlessReported = (sql: Sql | TransactionSql, actor: Caller | WebCaller, call: NewCallLogRow) =>
  createCallLog(sql, actor, { ...call, unless_reported: true })

/**
 * Creates a call of a user, or adds it to the call that a telephone system reported: it has one call log. Returns null if the user sees no
 * such lead.
 */
export async function logOnce(
  tx: TransactionSql,
  actor: Caller | WebCaller,
  call: NewCallLogRow,
): Promise<CallLogRow | null> {
  if (await createUnlessReported(tx, actor, call)) return call
  const [lead] = await tx<{ assigned_to: string | null }[]>`select assigned_to from leads
    where account_id = ${actor.account_id} and id = ${call.lead_id} for no key update`
  if (!lead) return null
  const called_by = (call.by_owner ? lead.assigned_to : null) ?? call.called_by ?? null
  const joined = await addToReported(tx, actor, { ...call, called_by })
  if (joined) return joined
  return (await createCallLog(tx, actor, call)) ? call : null
}

type ReportedRow = { id: string; facts: CallFacts; started_at: Date; call_log_id: string }

async function addToReported(
  tx: TransactionSql,
  actor: Caller | WebCaller,
  call: CallLogRow,
): Promise<CallLogRow | null> {
  const { account_id } = actor
  const rows = await tx<ReportedRow[]>`
    select id, facts, started_at, call_log_id from phone_calls
    where account_id = ${account_id} and lead_id = ${call.lead_id} and call_log_id is not null and facts <> '{}'
      and not facts ? 'logged' and started_at between ${call.called_at}::timestamptz - interval '2 days'
      and ${call.called_at}::timestamptz + make_interval(secs => ${loggedWithin})
    order by started_at desc limit ${maxLooked} for update`
  const reported = rows.map((row) => {
    const said = callOf(row.facts, instantText(row.started_at))
    return { ...row, called_at: row.started_at, said: { ...said, ended_at: row.facts.ended_at?.value } }
  })
  const same = closest(
    reported.filter(({ said }) => isSameCall(call, said)),
    call.called_at,
  )
  const log = same && (await findCallLog(tx, account_id, same.call_log_id))
  if (!log) return null
  const more = log.called_by === null && call.called_by ? { called_by: call.called_by } : {}
  const how = { at: call.created_at, by: actor.via === 'web' ? actor.user.name : callerId(actor) }
  return addToFacts(tx, actor, same, { log, said: ofUser(call), more, how })
}

interface Added<Log> {
  /** Null: the call has not ended. */
  log: Log
  said: CallOfUser
  more: CallChange
  how: How
}

/** Adds what a user said of a locked call to its facts and to its log, and returns the log. */
export async function addToFacts<Log extends CallLogRow | null>(
  tx: TransactionSql,
  actor: Actor,
  { id, facts, started_at }: Omit<ReportedRow, 'call_log_id'>,
  { log, said, more, how }: Added<Log>,
): Promise<CallLogRow | Log> {
  const after: CallFacts = { ...facts, logged: { rank: 0, value: said } }
  await keepFacts(tx, actor.account_id, id, after)
  if (!log) return log
  const [earlier, call] = [facts, after].map((all) => callOf(all, instantText(started_at)))
  return completeCallLog(tx, actor, log, { earlier: earlier!, call: call!, more }, how)
}

async function keepFacts(tx: TransactionSql, accountId: string, id: string, facts: CallFacts): Promise<void> {
  await tx`update phone_calls set facts = ${tx.json(facts as never)} where account_id = ${accountId} and id = ${id}`
}

const maxLooked = 50

/** In milliseconds. */
export const undoWithin = 60_000

/**
 * Takes back what a user has just logged, if a telephone system reported the call, too: its log is then as reported. Returns false if
 * there is no such call.
 */
export async function takeBack(
  tx: TransactionSql,
  actor: WebCaller,
  { id, at }: { id: string; at: Date },
): Promise<boolean> {
  const { account_id, user_id, user } = actor
  await tx`select id from leads where account_id = ${account_id}
    and id = (select lead_id from call_logs where account_id = ${account_id} and id = ${id}) for no key update`
  const [joined] = await tx<(ReportedRow & { user_ids: string[] })[]>`
    select id, facts, started_at, call_log_id, user_ids from phone_calls
    where account_id = ${account_id} and call_log_id = ${id} and facts ? 'logged' for update`
  const log = joined && (await findCallLog(tx, account_id, id))
  if (!log) return false
  const { logged, ...facts } = joined.facts
  const { called_by, logged_at } = logged!.value
  if (called_by !== user_id || at.getTime() - Date.parse(logged_at) > undoWithin) return false
  await keepFacts(tx, account_id, joined.id, facts)
  const [earlier, call] = [joined.facts, facts].map((all) => callOf(all, instantText(joined.started_at)))
  const by = callerOf(call!, { ...joined, facts, agent: null }).called_by
  await completeCallLog(
    tx,
    actor,
    log,
    { earlier: earlier!, call: call!, more: { called_by: by } },
    { at, by: user.name },
  )
  return true
}
