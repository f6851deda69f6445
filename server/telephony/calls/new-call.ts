import { randomUUID } from 'node:crypto'
import { instantText, readInstant, wholeSecond } from '../../platform/http/instants.ts'
import type { CallLog, NewCallLog } from './contract.ts'
import type { CallLogRow, NewCallLogRow } from './store.ts'

/** `by`: who called. */
export function newCall(body: NewCallLog, now: Date, by: Pick<NewCallLogRow, 'called_by' | 'by_owner'>): NewCallLogRow {
  return {
    id: randomUUID(),
    lead_id: body.lead_id,
    call_type: body.call_type,
    duration_seconds: body.duration_seconds,
    outcome: body.outcome ?? 'Completed',
    notes: body.notes ?? null,
    called_at: wholeSecond(body.called_at === undefined ? now : readInstant(body.called_at)),
    created_at: wholeSecond(now),
    ...by,
  }
}

export function callLogAnswer(call: CallLogRow): CallLog {
  const { id, lead_id, call_type, duration_seconds, outcome, notes, called_at, created_at } = call
  const times = { called_at: instantText(called_at), created_at: instantText(created_at) }
  return { id, lead_id, call_type, duration_seconds, outcome, notes, ...times }
}
