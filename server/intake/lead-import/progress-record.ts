import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { recordAudit } from '../../access/audit/record.ts'
import { asActor, forWholeAccount } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import type { ImportPlan } from './import-plan.ts'
import type { LeadFile } from './lead-file.ts'

/** How far an import came. It is written in the transaction of each batch, so that no row is imported twice. */
export interface ProgressRecord {
  key: Buffer
  id: string
  rows_done: number
  created: number
  merged: number
  rejected: number
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

/** The key of an import that is over: the next one of the same file is another. */
export const noKey = () => randomBytes(32)

/** Returns the reasons by the rows' positions. */
export const rejectionReasons = (record: ProgressRecord | null): Map<number, string> =>
  new Map(record?.rejections.map(({ at, reason }) => [at, reason]))

const columnsRead = 'id, rows_done::int, created::int, merged::int, rejected::int, calls::int, repeated, rejections'

/** Returns the record of an import that was interrupted. */
export async function findRecord(tx: TransactionSql, accountId: string, key: Buffer): Promise<ProgressRecord | null> {
  const [row] = await tx<Omit<ProgressRecord, 'key'>[]>`select ${tx.unsafe(columnsRead)} from lead_imports
    where account_id = ${accountId} and key = ${key} and state = 'running'`
  return row ? { key, ...row } : null
}

/** An import that began, or goes on where it was interrupted. */
export interface Import {
  /** Its actor names the import. */
  plan: ImportPlan
  file: LeadFile
  record: ProgressRecord
}

/** Starts or continues an import of a file with this name. */
export async function openImport(database: Database, given: ImportPlan, file: LeadFile, name: string): Promise<Import> {
  const { actor, now } = given
  const { account_id } = actor
  const key = recordKey(given, file)
  return asActor(database, forWholeAccount(actor), async (tx) => {
    const before = await tx`update lead_imports set key = ${noKey()}
      where account_id = ${account_id} and key = ${key} and state = 'done' returning 1`
    await tx`insert into lead_imports (account_id, key, state, repeated, started_at, written_at)
      values (${account_id}, ${key}, 'running', ${before.length > 0}, ${now}, ${now}) on conflict (account_id, key) do nothing`
    await tx`update lead_imports set id = ${randomUUID()} where account_id = ${account_id} and key = ${key} and id is null`
    await tx`update lead_imports set user_id = ${actor.user_id}, file = ${name}, total = ${file.rows}, written_at = ${now}, ended_at = null
      where account_id = ${account_id} and key = ${key}`
    const record = (await findRecord(tx, account_id, key))!
    const plan = { ...given, actor: { ...actor, via_id: record.id } }
    await recordAudit(tx, plan.actor, { action: 'leads.imported', details: { rows: file.rows } })
    return { plan, file, record }
  })
}

/** Throws an error if another process wrote a batch of the same import, or it is being undone. */
export async function writeRecord(
  tx: TransactionSql,
  accountId: string,
  before: ProgressRecord,
  after: ProgressRecord & { now: Date },
): Promise<void> {
  const { rows_done, created, merged, rejected, calls, now } = after
  const rejections = tx.json(after.rejections.slice(before.rejections.length) as never)
  const written = await tx`update lead_imports set rows_done = ${rows_done}, created = ${created}, merged = ${merged},
      rejected = ${rejected}, calls = ${calls}, rejections = rejections || ${rejections}, written_at = ${now}
    where account_id = ${accountId} and key = ${before.key} and rows_done = ${before.rows_done} and state = 'running'
    returning 1`
  if (written.length === 0)
    throw new Error('The same file is being imported by another process, or its import is undone.')
}

/** Writes the end of an import, or of this part of it. */
export async function endRecord(
  tx: TransactionSql,
  accountId: string,
  { key, rows_done, rejected }: ProgressRecord,
  { isDone, now }: { isDone: boolean; now: Date },
): Promise<void> {
  await tx`update lead_imports set rejected = ${rejected}, ended_at = ${now}
      ${isDone ? tx`, state = 'done', rows_done = total, rejections = '[]'` : tx``}
    where account_id = ${accountId} and key = ${key} and rows_done = ${rows_done} and state = 'running'`
}

/** Then an interrupted import is no longer continued. */
export const keptDays = 30

/** Gives up imports that were interrupted long ago, and returns how many. Their leads stay. */
export async function giveUpImports(tx: TransactionSql, accountId: string, now: Date, limit: number): Promise<number> {
  const before = new Date(now.getTime() - keptDays * 86_400_000)
  const { count } = await tx`update lead_imports set state = 'done', rejections = '[]'
    where account_id = ${accountId} and key in (
      select key from lead_imports where account_id = ${accountId} and state = 'running' and written_at < ${before}
      order by written_at limit ${limit} for update skip locked)`
  return count
}
