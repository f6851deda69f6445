import { recordAudit } from '../../access/audit/record.ts'
import { type Actor, asActor, readReplicaAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TableColumn } from '../../platform/http/table.ts'
import { type CallFilters, callsOfLeads, hasOwner, matchesFilters, seesReview } from './call-filters.ts'
import type { CallLogRow } from './store.ts'

interface ExportedCall extends Omit<CallLogRow, 'lead_id' | 'created_at'> {
  name: string
  phone: string | null
  source: string
  /** The email of the user who called or answered. */
  called_by: string | null
  /** The email of the lead's owner. */
  assigned_to: string | null
  agent: string | null
  review: string | null
  review_remark: string | null
}

export const callFileColumns: TableColumn<ExportedCall>[] = [
  { header: 'Time (IST)', kind: 'time', cell: ({ called_at }) => called_at },
  { header: 'Lead', kind: 'text', cell: ({ name }) => name },
  { header: 'Phone', kind: 'phone', cell: ({ phone }) => phone },
  { header: 'Type', kind: 'text', cell: ({ call_type }) => call_type },
  { header: 'Outcome', kind: 'text', cell: ({ outcome }) => outcome },
  { header: 'Duration (seconds)', kind: 'number', cell: ({ duration_seconds }) => duration_seconds },
  { header: 'Called by', kind: 'text', cell: ({ called_by }) => called_by },
  { header: 'Agent', kind: 'text', cell: ({ agent }) => agent },
  { header: 'Notes', kind: 'text', cell: ({ notes }) => notes },
  { header: 'Source', kind: 'text', cell: ({ source }) => source },
  { header: 'Owner', kind: 'text', cell: ({ assigned_to }) => assigned_to },
  { header: 'Review', kind: 'text', cell: ({ review }) => review },
  { header: 'Remark', kind: 'text', cell: ({ review_remark }) => review_remark },
]

const callsPerBatch = 1000

/**
 * Returns the calls that match the filters and that the actor may see, newest first, in batches. Each is read in a short transaction of
 * its own, so that a slow client blocks nothing.
 */
export async function* readCallsForFile(database: Database, actor: Actor, filters: CallFilters) {
  let last: ExportedCall | undefined
  do {
    const batch = await readBatch(database, actor, filters, last)
    if (batch.length > 0) yield batch
    last = batch.length === callsPerBatch ? batch.at(-1) : undefined
  } while (last)
}

/** Records in the audit log who exported which calls. */
export async function recordExport(database: Database, actor: Actor, filters: CallFilters): Promise<void> {
  const { window, lead_id, call_type, outcome, source, owners, callers, leads, missed, callback } = filters
  const { minMinutes: min_minutes, review } = filters
  const details = {
    from: window.first_day,
    to: window.last_day,
    ...{ lead_id, call_type, outcome, source, owners, callers, min_minutes, review },
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
        leads.name, leads.phone, leads.source, callers.email as called_by, owners.email as assigned_to,
        case when ${seesReview(tx, filters)} then calls.review end as review,
        case when ${seesReview(tx, filters)} then calls.review_remark end as review_remark
      from (
        select calls.* from ${callsOfLeads(tx, actor, filters)}
        where ${matchesFilters(tx, actor, filters)} and calls.called_at < ${filters.window.until} ${hasOwner(tx, actor, filters)}
          ${last ? tx`and (calls.called_at, calls.id) < (${last.called_at}, ${last.id})` : tx``}
        order by calls.called_at desc, calls.id desc limit ${callsPerBatch}
      ) calls
      join leads on leads.account_id = ${actor.account_id} and leads.id = calls.lead_id
      left join users callers on callers.account_id = ${actor.account_id} and callers.id = calls.called_by
      left join users owners on owners.account_id = ${actor.account_id} and owners.id = calls.assigned_to
      order by calls.called_at desc, calls.id desc`
  })
}
