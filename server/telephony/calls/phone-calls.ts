import { randomUUID } from 'node:crypto'
import type { Account } from '../../access/account/users.ts'
import { phoneKey } from '../../crm/contacts/contact.ts'
import { lockLead } from '../../crm/leads/store.ts'
import type { Actor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { storable } from '../../platform/database/storable.ts'
import { instantText, readInstant, wholeSecond } from '../../platform/http/instants.ts'
import { findLines } from '../phone-lines/store.ts'
import { type CallEvent, type CallState, callStates, nothingSaid } from './call-event.ts'
import { type CallChange, changeCall, type How, type StoredCall } from './change-call.ts'
import type { CallType } from './contract.ts'
import { type CallFacts, callOf, type EndedCall, goesOn, joinEvents, withArrival } from './join-events.ts'
import { findLoggedCall, ofUser } from './join-logged.ts'
import { type CallLogRow, createCallLogs, findCallLog } from './store.ts'

/** A call as its telephone system reports it. */
export interface PhoneCall {
  id: string
  /** Null until an event has the customer's number. */
  lead_id: string | null
  /** The owner of the lead. */
  assigned_to: string | null
  /** The customer's number, as the system wrote it. */
  phone: string | null
  /** Who is rung, or spoke. */
  user_ids: string[]
  state: CallState
  call_type: CallType
  started_at: Date
  facts: CallFacts
  call_log_id: string | null
}

export interface ReportedCall {
  webhook_id: string
  event: CallEvent
  /** Null where the event has no number. `phone`: as the system wrote it. Without an id, only a call with that number is the event's. */
  lead: { id: string | null; phone: string | null } | null
  received_at: Date
  /** As the timeline names it: the webhook “Exotel”. */
  sender: string
}

/** Lets one event of a call at a time be saved, until the transaction ends. Calls without an id are locked with their lead. */
export async function lockPhoneCall(tx: TransactionSql, accountId: string, { platform_id }: CallEvent): Promise<void> {
  if (platform_id === null) return
  await tx`select pg_advisory_xact_lock(hashtextextended(${`${accountId} call ${platform_id}`}, 0))`
}

/** So many calls may share an id, or have been moved to other leads. */
const maxOfOneId = 50

/**
 * Finds the call of an event: by the system's id, of the same webhook or the same lead, and not older than a day, because some systems
 * count from 1 again. Another customer's number is another call, but not the same number with another lead: a user may have moved the call.
 * Without an id, lead, direction and a start within a minute decide.
 */
export async function findPhoneCall(
  tx: TransactionSql,
  account: Account,
  { webhook_id, event, lead, received_at }: ReportedCall,
): Promise<PhoneCall | null> {
  const { call_type, called_at } = callOf(joinEvents({}, event), instantText(received_at))
  const { platform_id } = event
  const within = (time: string) =>
    tx`started_at between ${called_at}::timestamptz - ${time}::interval and ${called_at}::timestamptz + ${time}::interval`
  const isSame =
    platform_id === null
      ? tx`platform_id is null and lead_id = ${lead?.id ?? null} and call_type = ${call_type} and ${within('1 minute')}`
      : tx`platform_id = ${storable(platform_id)} and (webhook_id = ${webhook_id} or lead_id = ${lead?.id ?? null})
          and (changed_at > ${received_at}::timestamptz - interval '1 day' or ${within('1 day')})`
  const calls = await tx<PhoneCall[]>`
    select id, lead_id, assigned_to, phone, user_ids, state, call_type, started_at, facts, call_log_id from phone_calls
    where account_id = ${account.id} and ${isSame}
    order by lead_id = ${lead?.id ?? null} desc nulls last, lead_id nulls last, changed_at desc limit ${maxOfOneId}`
  const keyOf = (phone: string | null) => phone && phoneKey(phone, account.country)
  const isOfCustomer = ({ lead_id, phone }: PhoneCall) =>
    !lead || lead_id === lead.id || !lead.phone || !phone || keyOf(phone) === keyOf(lead.phone)
  return calls.find((call) => isOfCustomer(call)) ?? null
}

/**
 * Joins an event with its call, and writes or completes the call log if the call has ended. `before` is what `findPhoneCall` found.
 * `isSilent`: its system reports nothing more, and the event is ours. A transaction that has locked the call and its lead runs it.
 */
export async function savePhoneCall(
  tx: TransactionSql,
  actor: Actor,
  account: Account,
  { before, isSilent = false, ...reported }: ReportedCall & { before: PhoneCall | null; isSilent?: boolean },
): Promise<PhoneCall> {
  const { webhook_id, event, lead, received_at } = reported
  const log = before?.call_log_id ? await findCallLog(tx, account.id, before.call_log_id) : null
  // It was deleted: a repeated event does not write it again.
  if (before?.call_log_id && !log) return before
  const said = joinEvents(before?.facts ?? {}, storable(event))
  const facts = isSilent ? said : withArrival(said, event.state, received_at)
  const firstHeard = instantText(before?.started_at ?? received_at)
  const lead_id = before?.lead_id ?? lead?.id ?? null
  const reportedCall = timed(callOf(facts, firstHeard), received_at)
  const isOver = facts.state!.value === 'ended' && (isSilent || log !== null || !goesOn(facts, reportedCall))
  const isNewlyEnded = log === null && isOver && lead_id !== null
  const logged =
    isNewlyEnded && !facts.logged
      ? await findLoggedCall(tx, account.id, lead_id, { ...reportedCall, ended_at: facts.ended_at?.value })
      : null
  if (logged) facts.logged = { rank: 0, value: ofUser(logged) }
  const call = logged ? timed(callOf(facts, firstHeard), received_at) : reportedCall
  const { user_ids, agent } = await findLines(tx, account, facts.agents?.value ?? [], received_at)
  const saved = {
    id: before?.id ?? randomUUID(),
    lead_id,
    phone: lead?.phone ?? before?.phone ?? null,
    user_ids,
    state: isOver || facts.state!.value !== 'ended' ? facts.state!.value : 'ringing',
    call_type: call.call_type,
    started_at: readInstant(call.called_at),
    facts,
    call_log_id: before?.call_log_id ?? logged?.id ?? (isNewlyEnded ? randomUUID() : null),
  }
  const { platform_id } = event
  const assigned_to = await writePhoneCall(tx, account.id, saved, { webhook_id, platform_id })
  const caller = callerOf(call, { user_ids, agent, facts })
  const known = Object.fromEntries(Object.entries(caller).filter(([, value]) => value !== null))
  const more: CallChange = caller.called_by === null ? known : { ...known, agent: null }
  // Not when the event was received: it may be replayed long after, and programs that keep in step read what changed since.
  const now = new Date()
  if (logged) {
    await completeCallLog(tx, actor, logged, { earlier: callOfLog(logged), call, more }, { at: now, by: null })
  } else if (isNewlyEnded) {
    const created_at = wholeSecond(now)
    const row = { ...call, ...caller, id: saved.call_log_id!, lead_id, called_at: saved.started_at, created_at }
    await createCallLogs(tx, actor, { calls: [row], sender: reported.sender, now: created_at })
  } else if (log && before) {
    const earlier = timed(callOf(before.facts, instantText(before.started_at)), received_at)
    await completeCallLog(tx, actor, log, { earlier, call, more }, { at: now, by: null })
  }
  return { ...saved, assigned_to }
}

const callOfLog = ({ call_type, outcome, duration_seconds, notes, called_at }: CallLogRow): EndedCall => {
  return { call_type, outcome, duration_seconds, notes, called_at: instantText(called_at) }
}

/** A clock of the telephone system may be wrong, but a call that was reported is not in the future. */
function timed(call: EndedCall, received_at: Date): EndedCall {
  return readInstant(call.called_at) > received_at ? { ...call, called_at: instantText(received_at) } : call
}

type Caller = Pick<CallLogRow, 'called_by' | 'agent' | 'recording_url'>

/** Who was rung by a call that was missed has not called. */
export function callerOf(
  { call_type, outcome }: EndedCall,
  { agent, ...call }: Pick<PhoneCall, 'user_ids' | 'facts'> & { agent: string | null },
): Caller {
  const recording_url = call.facts.recording_url?.value ?? null
  if (call_type === 'Inbound' && outcome !== 'Completed') return { called_by: null, agent: null, recording_url }
  return { called_by: speakerOf(call), agent, recording_url }
}

/** Where the events name only who was rung, and these are several, the one who spoke is unknown. */
function speakerOf({ user_ids, facts }: Pick<PhoneCall, 'user_ids' | 'facts'>): string | null {
  const isOnlyRung = facts.agents?.rank === callStates.indexOf('ringing') && user_ids.length > 1
  return isOnlyRung ? null : (user_ids[0] ?? null)
}

type AnsweredCall = Pick<PhoneCall, 'call_type' | 'state' | 'facts' | 'started_at' | 'user_ids'>

/** Returns the user who answered an inbound call. */
export function answeredBy({ call_type, state, facts, started_at, ...call }: AnsweredCall): string | null {
  const isAnswered = state === 'answered' || callOf(facts, instantText(started_at)).outcome === 'Completed'
  return call_type === 'Inbound' && isAnswered ? speakerOf({ ...call, facts }) : null
}

/** Writes what a later event added. What a user corrected stays: it differs from what the events before amounted to. */
export function completeCallLog(
  tx: TransactionSql,
  actor: Actor,
  log: CallLogRow,
  { earlier, call, more }: { earlier: EndedCall; call: EndedCall; more: CallChange },
  how: How,
): Promise<StoredCall> {
  const isReported = {
    call_type: log.call_type === earlier.call_type,
    outcome: log.outcome === earlier.outcome,
    duration_seconds: log.duration_seconds === earlier.duration_seconds,
    notes: log.notes === earlier.notes,
    called_at: instantText(log.called_at) === earlier.called_at,
  }
  const change = Object.fromEntries(
    Object.entries(isReported).flatMap(([field, stays]) => {
      const value = call[field as keyof EndedCall]
      if (!stays || value === earlier[field as keyof EndedCall]) return []
      return [[field, field === 'called_at' ? readInstant(call.called_at) : value]]
    }),
  )
  return changeCall(tx, actor, log.id, { ...change, ...more }, how)
}

/** Writes the call, and returns the owner of its lead. */
async function writePhoneCall(
  tx: TransactionSql,
  accountId: string,
  call: Omit<PhoneCall, 'assigned_to'>,
  { webhook_id, platform_id }: { webhook_id: string; platform_id: string | null },
): Promise<string | null> {
  const { id, lead_id, phone, user_ids, state, call_type, started_at, facts, call_log_id } = call
  const [written] = await tx<{ assigned_to: string | null }[]>`
    insert into phone_calls (account_id, id, webhook_id, platform_id, lead_id, assigned_to, phone, user_ids, state, call_type, started_at,
      facts, call_log_id, changed_at)
    values (${accountId}, ${id}, ${webhook_id}, ${storable(platform_id)}, ${lead_id},
      (select assigned_to from leads where account_id = ${accountId} and id = ${lead_id}), ${phone}, ${user_ids}::uuid[], ${state},
      ${call_type}, ${started_at}, ${tx.json(facts as never)}, ${call_log_id}, ${new Date()})
    on conflict (account_id, id) do update set lead_id = excluded.lead_id, assigned_to = excluded.assigned_to,
      phone = excluded.phone, user_ids = excluded.user_ids, state = excluded.state,
      call_type = excluded.call_type, started_at = excluded.started_at, facts = excluded.facts, call_log_id = excluded.call_log_id,
      changed_at = excluded.changed_at
    returning assigned_to`
  return written!.assigned_to
}

/** Whether a number is a user's: then it is no customer's, unless a lead has it. */
export async function isOfUser(tx: TransactionSql, accountId: string, line: string): Promise<boolean> {
  const [row] =
    await tx`select 1 from phone_lines where account_id = ${accountId} and line = ${line} and user_id is not null`
  return row !== undefined
}

/**
 * Ends at most `limit` calls that were last heard of before that time, and returns how many: their telephone system reports no end. Calls
 * without a lead stay as they are.
 */
export async function endOpenCalls(
  tx: TransactionSql,
  actor: Actor,
  account: Account,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const open = await tx<OpenCall[]>`
    select id, webhook_id, platform_id, lead_id, assigned_to, phone, user_ids, state, call_type, started_at, facts, call_log_id, changed_at
    from phone_calls where account_id = ${account.id} and state <> 'ended' and lead_id is not null and changed_at < ${before}
    order by changed_at limit ${limit}`
  for (const { webhook_id, platform_id, changed_at, ...call } of open) {
    const event = { ...nothingSaid, platform_id, state: 'ended' } as const
    const lead = { id: call.lead_id!, phone: call.phone }
    await lockPhoneCall(tx, account.id, event)
    await lockLead(tx, account.id, lead.id)
    const reported = { webhook_id, event, lead, received_at: changed_at, sender: silentSystem }
    const current = platform_id === null ? call : await findPhoneCall(tx, account, reported)
    if (!current || current.state === 'ended') continue
    if (current.facts.forwarded && (await endBesideOther(tx, account.id, current))) continue
    await savePhoneCall(tx, actor, account, { ...reported, before: current, isSilent: true })
  }
  return open.length
}

/** Ends a leg that went on as another call of its lead, which has a log. Returns false if there is none. */
async function endBesideOther(
  tx: TransactionSql,
  accountId: string,
  { id, lead_id, started_at, facts }: PhoneCall,
): Promise<boolean> {
  const ended_at = facts.ended_at?.value ?? facts.end_received?.value ?? instantText(started_at)
  const { count } =
    await tx`update phone_calls set state = 'ended' where account_id = ${accountId} and id = ${id} and exists (
    select from phone_calls other where other.account_id = ${accountId} and other.lead_id = ${lead_id} and other.id <> ${id}
      and other.call_log_id is not null and other.started_at between ${started_at}::timestamptz - interval '2 minutes'
        and greatest(${started_at}::timestamptz, ${ended_at}::timestamptz) + interval '2 minutes'
  )`
  return count > 0
}

type OpenCall = PhoneCall & { webhook_id: string; platform_id: string | null; changed_at: Date }

const silentSystem = 'the telephone system, which did not report the end of the call'
