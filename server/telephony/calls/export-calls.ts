import { setImmediate } from 'node:timers/promises'
import { recordAudit } from '../../access/audit/record.ts'
import { type Actor, asActor, readReplicaAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { byteOrderMark, csvLines, spreadsheetTime } from '../../platform/http/csv.ts'
import { type CallFilters, callsOfLeads, hasOwner, matchesFilters } from './call-filters.ts'
import type { CallLogRow } from './store.ts'

interface ExportedCall extends Omit<CallLogRow, 'lead_id' | 'created_at'> {
  name: string
  phone: string | null
  source: string
  /** The email of the user who called or answered. */
  called_by: string | null
  agent: string | null
}

const header = [
  'Time (IST)',
  'Lead',
  'Phone',
  'Type',
  'Outcome',
  'Duration (seconds)',
  'Called by',
  'Agent',
  'Notes',
  'Source',
]

const callsPerBatch = 1000
/** Notes can be long: other requests run after so many lines. */
const linesAtOnce = 50

/**
 * Exports the calls that match the filters and that the actor may see, newest first. Each batch is read in a short transaction of its
 * own, so that a slow client blocks nothing.
 */
export async function* exportCalls(database: Database, actor: Actor, filters: CallFilters): AsyncGenerator<string> {
  yield byteOrderMark + csvLines([header])
  let last: ExportedCall | undefined
  do {
    const batch = await readBatch(database, actor, filters, last)
    for (let at = 0; at < batch.length; at += linesAtOnce) {
      yield csvLines(batch.slice(at, at + linesAtOnce).map(cellsOf))
      await setImmediate()
    }
    last = batch.length === callsPerBatch ? batch.at(-1) : undefined
  } while (last)
}

/** Records in the audit log who exported which calls. */
export async function recordExport(database: Database, actor: Actor, filters: CallFilters): Promise<void> {
  const { window, lead_id, call_type, outcome, source, owners, callers, leads, missed, callback } = filters
  const details = {
    from: window.first_day,
    to: window.last_day,
    ...{ lead_id, call_type, outcome, source, owners, callers },
    ...(missed ? { missed } : {}),
    ...(callback ? { callback } : {}),
    searched: leads !== undefined,
  }
  await asActor(database, { ...actor, silent: true }, (tx) =>
    recordAudit(tx, actor, { action: 'call_log.exported', details }),
  )
}

function readBatch(database: Database, actor: Actor, filters: CallFilters, last: ExportedCall | undefined) {
  return readReplicaAsActor(database, actor, async (tx) => {
    await tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
    return tx<ExportedCall[]>`
      select calls.id, calls.call_type, calls.outcome, calls.duration_seconds, calls.notes, calls.called_at, calls.agent,
        leads.name, leads.phone, leads.source, users.email as called_by
      from (
        select calls.* from ${callsOfLeads(tx, actor, filters)}
        where ${matchesFilters(tx, actor, filters)} and calls.called_at < ${filters.window.until} ${hasOwner(tx, actor, filters)}
          ${last ? tx`and (calls.called_at, calls.id) < (${last.called_at}, ${last.id})` : tx``}
        order by calls.called_at desc, calls.id desc limit ${callsPerBatch}
      ) calls
      join leads on leads.account_id = ${actor.account_id} and leads.id = calls.lead_id
      left join users on users.account_id = ${actor.account_id} and users.id = calls.called_by
      order by calls.called_at desc, calls.id desc`
  })
}

function cellsOf(call: ExportedCall): (string | number | null)[] {
  const { name, phone, call_type, outcome, duration_seconds, called_by, agent, notes, source } = call
  const time = spreadsheetTime(call.called_at)
  return [time, name, phone, call_type, outcome, duration_seconds, called_by, agent, notes, source]
}
