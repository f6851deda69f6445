import { msg } from '@lingui/core/runtime-macro'
import { recordAudit } from '../../access/audit/record.ts'
import { type Actor, asActor, readReplicaAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { batchesOf, maxOrdered, readIds } from '../../platform/database/ordered-ids.ts'
import type { Statement, TransactionSql } from '../../platform/database/sql.ts'
import { invalid } from '../../platform/http/problem.ts'
import type { TableColumn } from '../../platform/http/table.ts'
import { type CallFilters, callsOfLeads, hasOwner, matchesFilters, seesReview } from './call-filters.ts'
import type { CallSort } from './contract.ts'
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

export interface CallsInFile {
  filters: CallFilters
  sort: CallSort
}

/**
 * Returns the calls that match the filters and that the actor may see, in batches. Each is read in a short transaction of its own, so
 * that a slow client blocks nothing. A call can change its place among the longest, so this order is read first.
 */
export async function readCallsForFile(
  database: Database,
  actor: Actor,
  { filters, sort }: CallsInFile,
): Promise<AsyncIterable<ExportedCall[]>> {
  if (sort !== 'longest') return byTime(database, actor, filters, sort)
  return inOrder(database, actor, filters, await readOrder(database, actor, filters))
}

async function* byTime(database: Database, actor: Actor, filters: CallFilters, sort: 'newest' | 'oldest') {
  let last: ExportedCall | undefined
  do {
    const batch = await readReplicaAsActor(database, actor, async (tx) => {
      await tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
      const [beyond, order] =
        sort === 'oldest' ? [tx`>`, tx`calls.called_at, calls.id`] : [tx`<`, tx`calls.called_at desc, calls.id desc`]
      const page = tx`select calls.* from ${matching(tx, actor, filters)}
        ${last ? tx`and (calls.called_at, calls.id) ${beyond} (${last.called_at}, ${last.id})` : tx``}
        order by ${order} limit ${callsPerBatch}`
      return tx<ExportedCall[]>`${exported(tx, actor, filters, page)} order by ${order}`
    })
    if (batch.length > 0) yield batch
    last = batch.length === callsPerBatch ? batch.at(-1) : undefined
  } while (last)
}

function readOrder(database: Database, actor: Actor, filters: CallFilters): Promise<Buffer> {
  return readReplicaAsActor(database, actor, async (tx) => {
    await tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
    const ids = await readIds(
      tx,
      tx`select calls.id from ${matching(tx, actor, filters)}
        order by calls.duration_seconds desc, calls.called_at desc, calls.id desc`,
    )
    if (!ids)
      throw invalid(
        msg`Files in this order have at most ${{ max: maxOrdered }} calls. Choose fewer by a filter, or sort by time.`,
        'sort',
      )
    return ids
  })
}

async function* inOrder(database: Database, actor: Actor, filters: CallFilters, order: Buffer) {
  for (const ids of batchesOf(order, callsPerBatch))
    yield await readReplicaAsActor(database, actor, (tx) => {
      const page = tx`select calls.*, place from unnest(${ids}::uuid[]) with ordinality as wanted (wanted_id, place)
        join call_logs calls on calls.account_id = ${actor.account_id} and calls.id = wanted_id`
      return tx<ExportedCall[]>`${exported(tx, actor, filters, page)} order by place`
    })
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

/** The matching calls as items of FROM with their conditions. */
const matching = (tx: TransactionSql, actor: Actor, filters: CallFilters): Statement =>
  tx`${callsOfLeads(tx, actor, filters)} where ${matchesFilters(tx, actor, filters)}
    and calls.called_at < ${filters.window.until} ${hasOwner(tx, actor, filters)}`

/** Selects the calls of `page` with what their columns need. */
function exported(tx: TransactionSql, { account_id }: Actor, filters: CallFilters, page: Statement): Statement {
  return tx`
    select calls.id, calls.call_type, calls.outcome, calls.duration_seconds, calls.notes, calls.called_at, calls.agent,
      leads.name, leads.phone, leads.source, callers.email as called_by, owners.email as assigned_to,
      case when ${seesReview(tx, filters)} then calls.review end as review,
      case when ${seesReview(tx, filters)} then calls.review_remark end as review_remark
    from (${page}) calls
    join leads on leads.account_id = ${account_id} and leads.id = calls.lead_id
    left join users callers on callers.account_id = ${account_id} and callers.id = calls.called_by
    left join users owners on owners.account_id = ${account_id} and owners.id = calls.assigned_to`
}
