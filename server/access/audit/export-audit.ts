import { type Actor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TableColumn } from '../../platform/http/table.ts'
import { type AuditFilter, type AuditRow, readAudit } from './store.ts'

/** The newest ones. Choose days for older ones. */
export const maxExported = 100_000
const entriesPerBatch = 1000

export const auditFileColumns: TableColumn<AuditRow>[] = [
  { header: 'Time (IST)', kind: 'time', cell: ({ at }) => at },
  { header: 'User', kind: 'text', cell: ({ user_name }) => user_name },
  { header: 'Email', kind: 'text', cell: ({ email }) => email },
  { header: 'By', kind: 'text', cell: ({ via }) => via },
  { header: 'Name of key or webhook', kind: 'text', cell: ({ via_name }) => via_name },
  { header: 'Action', kind: 'text', cell: ({ action }) => action },
  { header: 'Subject', kind: 'text', cell: ({ subject_name }) => subject_name },
  { header: 'Id', kind: 'text', cell: ({ subject_id }) => subject_id },
  { header: 'Details', kind: 'text', cell: ({ details }) => JSON.stringify(details) },
]

/** Returns entries, newest first, in batches. Each is read in a short transaction of its own, so that a slow client blocks nothing. */
export async function* readAuditForFile(database: Database, actor: Actor, filter: AuditFilter) {
  let before: string | undefined
  for (let exported = 0; exported < maxExported; exported += entriesPerBatch) {
    const rows = await readAsActor(database, actor, (tx) =>
      readAudit(tx, actor.account_id, { ...filter, before, limit: entriesPerBatch }),
    )
    yield rows
    before = rows.at(-1)?.id
    if (rows.length < entriesPerBatch) return
  }
}
