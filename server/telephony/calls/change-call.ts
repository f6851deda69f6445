import { msg } from '@lingui/core/runtime-macro'
import { recordAudit } from '../../access/audit/record.ts'
import { appendChanges } from '../../crm/counts/append-changes.ts'
import { callCounts } from '../../crm/counts/tables.ts'
import { nextUpdate } from '../../crm/leads/updated-at.ts'
import { recordOnTimeline } from '../../crm/timeline/record.ts'
import { callChangedSummary, callMovedSummaries, durationText } from '../../crm/timeline/summaries.ts'
import type { Actor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { istDay, istTime } from '../../platform/http/instants.ts'
import { notFound } from '../../platform/http/problem.ts'
import { type CallLogRow, noteCalls } from './store.ts'

/** `called_by`, `agent` and `recording_url` are what later events of a telephone system add. */
export type CallChange = Partial<Omit<CallLogRow, 'id' | 'created_at'>>

export interface How {
  at: Date
  /** The name of the user who corrects the call. Null: an event of its telephone system, which leaves no timeline entry. */
  by: string | null
  /** Throws if the actor may not change the call, which is locked. */
  check?: (call: StoredCall) => void
}

export type StoredCall = Required<CallLogRow> & { assigned_to: string | null; changed_at: Date | null }

/**
 * Changes a call log that the actor sees, with the counts and what its lead keeps of it. If it moves to another lead, the actor must see
 * that one, too. Returns the call as it is then. If nothing changes, nothing is recorded.
 */
export async function changeCall(
  tx: TransactionSql,
  actor: Actor,
  id: string,
  change: CallChange,
  { at, by, check }: How,
): Promise<StoredCall> {
  const { account_id } = actor
  const leads = await lockLeads(tx, account_id, id, change.lead_id)
  const [before] = await tx<StoredCall[]>`
    select id, lead_id, assigned_to, call_type, duration_seconds, outcome, notes, called_at, created_at, changed_at, called_by, agent,
      recording_url
    from call_logs where account_id = ${account_id} and id = ${id} for update`
  if (!before) throw notFound(msg`There is no such call log.`)
  check?.(before)
  const changed = Object.fromEntries(Object.entries(change).filter(([field, value]) => differs(before, field, value)))
  if (Object.keys(changed).length === 0) return before

  const changed_at = nextUpdate(before.changed_at ?? before.created_at, at)
  const after: StoredCall = { ...before, ...changed, changed_at }
  if (after.lead_id !== before.lead_id) {
    const lead = leads.find((one) => one.id === after.lead_id)
    if (!lead) throw notFound(msg`There is no lead with this ${{ field: 'lead_id' }}.`, 'lead_id')
    after.assigned_to = lead.assigned_to
  }
  await write(tx, account_id, before, after)
  if (by !== null) await recordCorrection(tx, actor, { before, after, by, at })
  await recordAudit(tx, actor, {
    action: 'call_log.changed',
    subject_id: id,
    details: { fields: Object.keys(changed) },
  })
  return after
}

/** Locks the lead of the call, and the one to which it moves, before the call, as deleting or reassigning a lead does. */
function lockLeads(tx: TransactionSql, accountId: string, callId: string, other: string | undefined) {
  return tx<{ id: string; assigned_to: string | null }[]>`
    select id, assigned_to from leads where account_id = ${accountId} and (
      id = (select lead_id from call_logs where account_id = ${accountId} and id = ${callId})
      ${other ? tx`or id = ${other}` : tx``}
    ) order by id for no key update`
}

function differs(call: StoredCall, field: string, value: unknown): boolean {
  const stored = call[field as keyof StoredCall]
  return (
    value !== undefined && (value instanceof Date ? value.getTime() !== (stored as Date).getTime() : value !== stored)
  )
}

async function write(tx: TransactionSql, accountId: string, before: StoredCall, after: StoredCall): Promise<void> {
  const { id, lead_id, assigned_to, call_type, duration_seconds, outcome, notes, called_at, changed_at } = after
  await tx`update call_logs set lead_id = ${lead_id}, assigned_to = ${assigned_to}, call_type = ${call_type},
      duration_seconds = ${duration_seconds}, outcome = ${outcome}, notes = ${notes}, called_at = ${called_at},
      changed_at = ${changed_at}, called_by = ${after.called_by}, agent = ${after.agent}, recording_url = ${after.recording_url}
    where account_id = ${accountId} and id = ${id}`
  const isCounted =
    before.assigned_to !== assigned_to ||
    before.call_type !== call_type ||
    istDay(before.called_at) !== istDay(called_at)
  if (isCounted)
    await appendChanges(tx, accountId, callCounts, [
      { row: before, n: -1 },
      { row: after, n: 1 },
    ])
  const [less, more] = [outgoing(before), outgoing(after)]
  if (before.lead_id === lead_id) return noteCalls(tx, accountId, [{ lead_id, outgoing: more - less }])
  await noteCalls(tx, accountId, [
    { lead_id: before.lead_id, outgoing: -less },
    { lead_id, outgoing: more },
  ])
  // So that it is erased with the lead that has the call.
  await tx`update phone_calls set lead_id = ${lead_id}, assigned_to = ${assigned_to}
    where account_id = ${accountId} and call_log_id = ${id}`
}

const outgoing = ({ call_type }: StoredCall) => (call_type === 'Outbound' ? 1 : 0)

interface Correction {
  before: StoredCall
  after: StoredCall
  by: string
  at: Date
}

async function recordCorrection(tx: TransactionSql, actor: Actor, { before, after, by, at }: Correction) {
  const { account_id, via, via_id } = actor
  const changes = changesOf(before, after)
  const time = istTime(before.called_at)
  const record = (call: StoredCall, summary: string, more: object) =>
    recordOnTimeline(
      tx,
      { account_id, id: call.lead_id, assigned_to: call.assigned_to },
      { at, kind: 'call_changed', summary, details: { via, via_id, call_log_id: after.id, ...more } },
    )
  if (before.lead_id === after.lead_id) return record(after, callChangedSummary(by, time, changes), { changes })
  const { from, to } = callMovedSummaries(by, time, before, changes)
  await record(before, from, {})
  await record(after, to, { changes })
}

/** As people read them. Replaced notes are kept once, as those of leads are. */
function changesOf(before: StoredCall, after: StoredCall) {
  const notes =
    before.notes !== null && after.notes !== null ? { before: before.notes } : pair(before.notes, after.notes)
  return [
    { field: 'type', ...pair(before.call_type, after.call_type) },
    { field: 'outcome', ...pair(before.outcome, after.outcome) },
    { field: 'duration', ...pair(durationText(before.duration_seconds), durationText(after.duration_seconds)) },
    { field: 'time', ...pair(istTime(before.called_at), istTime(after.called_at)) },
    ...(before.notes === after.notes ? [] : [{ field: 'notes', ...notes }]),
  ].filter((change) => !('after' in change) || change.before !== change.after)
}

const pair = (before: string | null, after: string | null) => ({ before, after })
