import { setImmediate } from 'node:timers/promises'
import { type Actor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { byteOrderMark, csvLines, spreadsheetTime } from '../../platform/http/csv.ts'
import { type AuditFilter, readAudit } from './store.ts'

/** The newest ones. Choose days for older ones. */
export const maxExported = 100_000
const entriesPerBatch = 1000

const header = ['Time (IST)', 'User', 'Email', 'By', 'Name of key or webhook', 'Action', 'Subject', 'Id', 'Details']

/** Exports entries, newest first. Each batch is read in a short transaction of its own, so that a slow client blocks nothing. */
export async function* exportAudit(database: Database, actor: Actor, filter: AuditFilter): AsyncGenerator<string> {
  yield byteOrderMark + csvLines([header])
  let before: string | undefined
  for (let exported = 0; exported < maxExported; exported += entriesPerBatch) {
    const rows = await readAsActor(database, actor, (tx) =>
      readAudit(tx, actor.account_id, { ...filter, before, limit: entriesPerBatch }),
    )
    yield csvLines(
      rows.map(({ at, user_name, email, via, via_name, action, subject_name, subject_id, details }) => [
        ...[spreadsheetTime(at), user_name, email, via, via_name, action, subject_name, subject_id],
        JSON.stringify(details),
      ]),
    )
    before = rows.at(-1)?.id
    if (rows.length < entriesPerBatch) return
    await setImmediate()
  }
}
