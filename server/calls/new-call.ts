import { randomUUID } from 'node:crypto'
import { instantText, readInstant, wholeSecond } from '../http/instants.ts'
import type { CallLog, NewCallLog } from './contract.ts'
import type { CallLogRow } from './store.ts'

export function newCall(body: NewCallLog, now: Date): CallLogRow {
  return {
    id: randomUUID(),
    lead_id: body.lead_id,
    call_type: body.call_type,
    duration_seconds: body.duration_seconds,
    outcome: body.outcome ?? 'Completed',
    notes: body.notes ?? null,
    called_at: wholeSecond(body.called_at === undefined ? now : readInstant(body.called_at)),
    created_at: wholeSecond(now),
  }
}

export function callLogAnswer(call: CallLogRow): CallLog {
  return { ...call, called_at: instantText(call.called_at), created_at: instantText(call.created_at) }
}
