import { createHash } from 'node:crypto'
import { recordAudit } from '../../access/audit/record.ts'
import { asActor, forWholeAccount } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import type { ImportPlan } from './import-plan.ts'
import type { LeadFile } from './lead-file.ts'

/** How far an import came. It is written in the transaction of each batch, so that no row is imported twice. */
export interface ProgressRecord {
  key: Buffer
  rows_done: number
  created: number
  merged: number
  calls: number
  /** The file was imported before, to its end. */
  repeated: boolean
  /** The rows that the database rejected. */
  rejections: RowRejection[]
}

interface RowRejection {
  /** The row's position in the file: 0 is the first row. */
  at: number
  reason: string
}

/** Returns the key of an import: the same file, read alike by the same user. */
export function recordKey(plan: ImportPlan, { hash, layout }: LeadFile): Buffer {
  const { columns, chosen, assignment, source, tags, account, actor } = plan
  const fields = columns.map(({ name, field }) => [name, field])
  const where = [...(layout.isUsual ? [] : [layout.sheet, layout.header]), ...(chosen.size === 0 ? [] : [[...chosen]])]
  const parts = [hash, fields, assignment, source, tags, account.country, actor.user_id, ...where]
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}

/** Returns the reasons by the rows' positions. */
export const rejectionReasons = (record: ProgressRecord | null): Map<number, string> =>
  new Map(record?.rejections.map(({ at, reason }) => [at, reason]))

const columnsRead = 'rows_done::int, created::int, merged::int, calls::int, repeated, rejections'

/** Returns the record of an import that was interrupted. */
export async function findRecord(tx: TransactionSql, accountId: string, key: Buffer): Promise<ProgressRecord | null> {
  const [row] = await tx<Omit<ProgressRecord, 'key'>[]>`select ${tx.unsafe(columnsRead)} from lead_imports
    where account_id = ${accountId} and key = ${key} and state = 'running'`
  return row ? { key, ...row } : null
}

/** Starts or continues an import. Returns its record, at its beginning unless the import was interrupted. */
export async function openRecord(database: Database, plan: ImportPlan, file: LeadFile): Promise<ProgressRecord> {
  const { actor, now } = plan
  const { account_id } = actor
  const key = recordKey(plan, file)
  return asActor(database, forWholeAccount(actor), async (tx) => {
    await recordAudit(tx, actor, { action: 'leads.imported', details: { rows: file.rows } })
    await tx`insert into lead_imports (account_id, key, state, started_at, written_at)
      values (${account_id}, ${key}, 'running', ${now}, ${now}) on conflict (account_id, key) do nothing`
    await tx`update lead_imports set state = 'running', rows_done = 0, created = 0, merged = 0, calls = 0, repeated = true,
        rejections = '[]', started_at = ${now}, written_at = ${now}
      where account_id = ${account_id} and key = ${key} and state = 'done'`
    return (await findRecord(tx, account_id, key))!
  })
}

/** Throws an error if another process wrote a batch of the same import. */
export async function writeRecord(
  tx: TransactionSql,
  accountId: string,
  before: ProgressRecord,
  after: ProgressRecord & { state: 'running' | 'done'; now: Date },
): Promise<void> {
  const { rows_done, created, merged, calls, state, now } = after
  const rejections = tx.json(after.rejections.slice(before.rejections.length) as never)
  const written = await tx`update lead_imports set rows_done = ${rows_done}, created = ${created}, merged = ${merged},
      calls = ${calls}, rejections = rejections || ${rejections}, state = ${state}, written_at = ${now}
    where account_id = ${accountId} and key = ${before.key} and rows_done = ${before.rows_done} and state = 'running'
    returning 1`
  if (written.length === 0) throw new Error('The same file is being imported by another process.')
}

/** Then the import is no longer continued. */
export const keptDays = 30
