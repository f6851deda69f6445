import { type Actor, asActor, forWholeAccount, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { storable } from '../../platform/database/storable.ts'
import { byteOrderMark } from '../../platform/http/csv.ts'
import { linesWithReason, type RowWithReason } from './lines-with-reason.ts'
import type { Import } from './progress-record.ts'

/** In bytes, of one import and of all imports of an account: an erasure reads all. */
export const maxKept = { ofImport: 256 * 1024, ofAccount: 2 * 1024 * 1024 }

interface RejectedRow extends RowWithReason {
  line: number
}

/** Keeps the first rejected rows of an import, as many as there is room for, until deliveries of that time are deleted. */
export function rejectedRowsOf(database: Database, { plan, file: { names }, record }: Import) {
  const { actor, now } = plan
  const { account_id } = actor
  const { header, lineOf } = linesWithReason(names, 'rejected')
  let room: number | undefined
  return {
    async add(rows: RejectedRow[]): Promise<void> {
      if (rows.length === 0 || room === 0) return
      const first = room === undefined ? [{ line: 0, content: byteOrderMark + header }] : []
      const lines = rows.map((row) => ({ line: row.line, content: lineOf(row) }))
      room = await asActor(database, { ...forWholeAccount(actor), silent: true }, async (tx) => {
        let left = room ?? (await roomFor(tx))
        const kept = storable([...first, ...lines]).filter(({ content }) => {
          left = Math.max(0, left - Buffer.byteLength(content))
          return left > 0
        })
        await tx`insert into lead_import_rejections (account_id, import_id, line, content, rejected_at)
          select ${account_id}::uuid, ${record.id}::uuid, line, content, ${now}::timestamptz
          from jsonb_to_recordset(${tx.json(kept as never)}) as kept (line bigint, content text)
          on conflict do nothing returning 1`
        return left
      })
    },
  }

  async function roomFor(tx: TransactionSql): Promise<number> {
    const [held] = await tx<{ own: number; all: number }[]>`
      select coalesce(sum(octet_length(content)) filter (where import_id = ${record.id}), 0)::int as own,
        coalesce(sum(octet_length(content)), 0)::int as all
      from lead_import_rejections where account_id = ${account_id}`
    return Math.max(0, Math.min(maxKept.ofImport - held!.own, maxKept.ofAccount - held!.all))
  }
}

/** Returns the rejected rows of an import as a file; empty if none are kept. */
export async function readRejectedFile(database: Database, actor: Actor, importId: string): Promise<string> {
  const rows = await readAsActor(
    database,
    forWholeAccount(actor),
    (tx) => tx<{ content: string }[]>`select content from lead_import_rejections
      where account_id = ${actor.account_id} and import_id = ${importId} order by line`,
  )
  return rows.map(({ content }) => content).join('')
}
