import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { copyInto, copyLine } from '../../server/platform/database/copy.ts'
import type { Sql, Statement, TransactionSql } from '../../server/platform/database/sql.ts'

/** The list that grows with each deleted lead, in DATA_DIR and in BACKUP_DIR. */
export const erasedListName = 'erased-leads.log'

/** A deleted lead. Ids only, no personal data. */
export interface ErasedLead {
  account_id: string
  lead_id: string
  at: string
}

/** `2026-11-22T08:00:00.000Z <account id> <lead id>` */
export const erasedLine = ({ at, account_id, lead_id }: ErasedLead) => `${at} ${account_id} ${lead_id}\n`

const line = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([0-9a-f-]{36}) ([0-9a-f-]{36})$/

/** Returns null for a line that was not completely written. */
export function readErasedLine(text: string): ErasedLead | null {
  const [, at, account_id, lead_id] = line.exec(text) ?? []
  return at ? { at, account_id: account_id!, lead_id: lead_id! } : null
}

/** Writes the list as it is in the database now. */
export async function writeErasedList(sql: Sql, path: string): Promise<void> {
  const unfinished = `${path}.part`
  await rm(unfinished, { force: true })
  const file = await open(unfinished, 'wx', 0o600)
  try {
    const [table] = await sql`select from pg_tables where schemaname = 'public' and tablename = 'erased_leads'`
    if (table)
      await sql.begin(async (tx) => {
        for await (const some of inBatches(tx, tx`${erasedLeads(tx)} order by at`))
          await file.appendFile(some.map(erasedLine).join(''))
      })
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, path)
}

/** Appends the deleted leads of the database that the list lacks. */
export const completeErasedList = (sql: Sql, path: string): Promise<void> =>
  withMissing(sql, path, async (tx, missing) => {
    for await (const batch of inBatches(tx, tx`${missing} order by erased_leads.at`)) await appendToList(path, batch)
  })

/** Counts the deleted leads of the database that the list lacks. The newest may not be written yet. */
export const countMissing = (sql: Sql, path: string): Promise<number> =>
  withMissing(sql, path, async (tx, missing) => {
    const [row] = await tx<
      { n: number }[]
    >`select count(*)::int as n from (${missing}) missing where at::timestamptz < now() - interval '1 minute'`
    return row!.n
  })

type WithMissing<T> = (tx: TransactionSql, missing: Statement) => Promise<T>

async function withMissing<T>(sql: Sql, path: string, work: WithMissing<T>): Promise<T> {
  return sql.begin(async (tx) => {
    await tx`create temporary table in_list (lead_id uuid) on commit drop`
    if (await isFile(path)) {
      for await (const batch of readErasedList(path)) {
        await copyInto(
          tx,
          'in_list',
          ['lead_id'],
          batch.map(({ lead_id }) => copyLine([lead_id])),
        )
      }
    }
    return work(
      tx,
      tx`${erasedLeads(tx)} where not exists (select from in_list where in_list.lead_id = erased_leads.lead_id)`,
    )
  })
}

async function* inBatches(tx: TransactionSql, statement: Statement): AsyncGenerator<ErasedLead[]> {
  await tx`declare batches cursor for ${statement}`
  for (;;) {
    const batch = await tx.unsafe<ErasedLead[]>('fetch 5000 from batches')
    if (batch.length === 0) return
    yield batch
  }
}

/** Appends, and waits for the disk. */
export async function appendToList(path: string, leads: ErasedLead[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const file = await open(path, 'a+', 0o600)
  try {
    const { size } = await file.stat()
    const last = Buffer.alloc(1)
    if (size > 0) await file.read(last, 0, 1, size - 1)
    // An interrupted process may have left half a line.
    const start = size > 0 && last.toString() !== '\n' ? '\n' : ''
    await file.appendFile(start + leads.map(erasedLine).join(''))
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The columns of an ErasedLead, with the time as it is in the list. */
export const erasedLeads = (sql: Sql | TransactionSql) =>
  sql`select account_id, lead_id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at from erased_leads`

/** Reads a list in batches. */
export async function* readErasedList(path: string, batchSize = 5000): AsyncGenerator<ErasedLead[]> {
  let batch: ErasedLead[] = []
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const erased = readErasedLine(text)
    if (erased) batch.push(erased)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/**
 * Returns the lists that may name leads deleted after the backup was made: those in the given folders, and every list
 * beside the backup, where those of newer backups may be.
 */
export async function findErasedLists(backup: string, folders: string[]): Promise<string[]> {
  const beside = dirname(backup)
  const names = await readdir(beside)
  const lists = names.filter((name) => name.endsWith('.erased')).map((name) => join(beside, name))
  const logs = [...new Set([...folders, beside])].map((folder) => join(folder, erasedListName))
  const found: string[] = []
  for (const path of [...logs, ...lists]) if (await isFile(path)) found.push(path)
  return found
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  )
}
