import { type Actor, asActor, forWholeAccount, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { storable } from '../../platform/database/storable.ts'
import type { Import } from './progress-record.ts'
import { type RejectedCells, rejectedHeader, rejectedLine } from './rejected-lines.ts'

/** In bytes of JSON, of one import and of all imports of an account. */
export const maxKept = { ofImport: 1024 * 1024, ofAccount: 8 * 1024 * 1024 }

interface RejectedRow extends RejectedCells {
  line: number
}

/** Keeps the first rejected rows of an import, as many as there is room for, until deliveries of that time are deleted. */
export function rejectedRowsOf(database: Database, { plan, file, record }: Import) {
  const { actor, now } = plan
  const { account_id } = actor
  let room: number | undefined
  return {
    async add(rows: RejectedRow[]): Promise<void> {
      if (rows.length === 0 || room === 0) return
      const header = { line: 0, reason: '', cells: file.names }
      const offered: RejectedRow[] = storable(room === undefined ? [header, ...rows] : rows)
      room = await asActor(database, { ...forWholeAccount(actor), silent: true }, async (tx) => {
        let left = room ?? (await roomFor())
        const kept = offered.filter((row) => {
          left = Math.max(0, left - Buffer.byteLength(JSON.stringify(row)))
          return left > 0
        })
        await tx`insert into lead_import_rejections (account_id, import_id, line, reason, cells, rejected_at)
          select ${account_id}::uuid, ${record.id}::uuid, line, reason, cells, ${now}::timestamptz
          from jsonb_to_recordset(${tx.json(kept as never)}) as kept (line bigint, reason text, cells text[])
          on conflict do nothing returning 1`
        return left

        async function roomFor(): Promise<number> {
          const [held] = await tx<{ own: number; all: number }[]>`
            select coalesce(sum(bytes) filter (where import_id = ${record.id}), 0)::int as own, coalesce(sum(bytes), 0)::int as all
            from (select import_id, octet_length(reason) + octet_length(cells::text) as bytes from lead_import_rejections
              where account_id = ${account_id}) kept`
          return Math.max(0, Math.min(maxKept.ofImport - held!.own, maxKept.ofAccount - held!.all))
        }
      })
    },
  }
}

/** Returns the rejected rows of an import as a file; null if none are kept. */
export async function readRejectedFile(database: Database, actor: Actor, importId: string): Promise<string | null> {
  const [header, ...rows] = await readAsActor(
    database,
    forWholeAccount(actor),
    (tx) => tx<RejectedRow[]>`select line::int, reason, cells from lead_import_rejections
      where account_id = ${actor.account_id} and import_id = ${importId} order by lead_import_rejections.line`,
  )
  if (!header) return null
  // The names of the columns are removed if they were a row with a person who was erased.
  const isHeader = header.line === 0
  const width = Math.max(...[header, ...rows].map(({ cells }) => cells.length))
  const names = isHeader ? header.cells : Array.from({ length: width }, (_, index) => `Column ${index + 1}`)
  const lines = (isHeader ? rows : [header, ...rows]).map((row) => rejectedLine(names, row))
  return rejectedHeader(names) + lines.join('')
}
