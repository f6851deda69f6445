import { createHash } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { readFromOneSnapshot } from '../../server/platform/database/cluster/settings.ts'
import { type Connection, openAsOwner } from '../../server/platform/database/connect.ts'
import { readCopy } from '../../server/platform/database/copy.ts'
import { schemaProblem, schemaState } from '../../server/platform/database/migrate.ts'
import { identityColumns, ourTables } from '../../server/platform/database/our-objects.ts'
import { quoted, type Sql, type TransactionSql } from '../../server/platform/database/sql.ts'
import { programVersion } from '../../server/platform/program-version.ts'
import { type Archive, createArchive } from './archive.ts'
import { checkBackup, rowsIn } from './check-backup.ts'
import { writeErasedList } from './erased-list.ts'
import { format, type Manifest, manifestName, partName, partSize, type TableInBackup } from './manifest.ts'
import { noSteps, type Steps } from './steps.ts'
import { withoutTimeLimits } from './time-limits.ts'

const compress = promisify(zstdCompress)

/** Sign-ins in progress, which may have ended since and must not come back, and what was backed up when. */
export const leftOut = ['sessions', 'verifications', 'backup_runs', 'continuous_backup']

export interface Backup {
  file: string
  bytes: number
  accounts: number
  leads: number
}

/** What a backup contains. */
export interface Content {
  /** The names of tables, in the order of the file. */
  tables(sql: Sql | TransactionSql): Promise<string[]>
  count(tx: TransactionSql, table: string): Promise<number>
  /** Returns the text of COPY. */
  read(tx: TransactionSql, table: string, columns: string[]): AsyncIterable<Buffer>
  /** If it is one account of several. */
  account?: { id: string; name: string }
}

const wholeDatabase: Content = {
  tables: async (sql) => (await tableNames(sql)).filter((name) => !leftOut.includes(name)),
  async count(tx, table) {
    const [row] = await tx<{ n: string }[]>`select count(*) as n from ${tx(table)}`
    return Number(row!.n)
  },
  read: (tx, table, columns) => readCopy(tx, tx`copy ${tx(table)} (${tx(columns)}) to stdout`),
}

/** Writes a backup of the whole database. */
export const createBackup = (owner: Connection, path: string, steps?: Steps, stopping?: AbortSignal) =>
  writeBackup({ owner, path, content: wholeDatabase, steps, stopping })

interface Wanted {
  owner: Connection
  path: string
  content: Content
  steps?: Steps | undefined
  stopping?: AbortSignal | undefined
}

/**
 * Writes a consistent backup, while others work with the database, and reads it again to check it. If it is stopped, it leaves no file.
 */
export async function writeBackup({
  owner,
  path,
  content,
  steps = noSteps,
  stopping = new AbortController().signal,
}: Wanted): Promise<Backup> {
  const file = resolve(path)
  if (existsSync(file)) throw new Error(`${path} exists already: name a new file.`)
  const unfinished = `${file}.part`
  const list = `${file}.erased`
  const archive = await createArchive(unfinished, new Date()).catch((error) => {
    throw explained(error, file)
  })
  const removeUnfinished = () => {
    for (const one of [unfinished, `${list}.part`]) rmSync(one, { force: true })
  }
  process.once('exit', removeUnfinished)
  const sql = openAsOwner(owner, { max: 1 })
  try {
    await endWhenAborted(sql, owner, stopping)
    const state = await schemaState(sql)
    const wrong = state.is === 'older' ? null : schemaProblem(state)
    if (wrong) throw wrong
    if (state.is === 'empty')
      throw new Error('The database has no Lead Engine tables yet: there is nothing to back up.')
    const { manifest, bytes } = await writeArchive(sql, archive, { content, steps })
    const read = steps.start('Checking the backup', bytes, 'bytes')
    const readOn = (more: number) => {
      stopping.throwIfAborted()
      read(more)
    }
    await checkBackup(unfinished, readOn).catch((error: Error) => {
      throw new Error(`The backup could not be read again, and was removed: ${error.message}`, { cause: error })
    })
    if (!content.account) await writeErasedList(sql, list)
    if (existsSync(file)) throw new Error(`${path} exists already: name a new file.`)
    await rename(unfinished, file)
    await flushFolder(dirname(file))
    return { file, bytes, accounts: manifest.accounts, leads: manifest.leads }
  } catch (error) {
    await archive.abandon()
    removeUnfinished()
    if (stopping.aborted) throw new Error(`Stopped: ${path} was not written.`, { cause: error })
    throw explained(error as NodeJS.ErrnoException, file)
  } finally {
    process.off('exit', removeUnfinished)
    steps.end()
    await sql.end({ timeout: 1 })
  }
}

/** Ends the session in the server: a long statement, or one that waits for a lock, does not notice a closed connection. */
async function endWhenAborted(sql: Sql, owner: Connection, stopping: AbortSignal): Promise<void> {
  const [{ pid }] = (await sql`select pg_backend_pid() as pid`) as unknown as [{ pid: number }]
  const end = async () => {
    const other = openAsOwner(owner, { max: 1 })
    // With its type: extensions add functions of this name with other parameters.
    await other`select pg_terminate_backend(${pid}::int)`.catch(() => {})
    await other.end({ timeout: 1 })
  }
  stopping.addEventListener('abort', end)
  stopping.throwIfAborted()
}

function explained(error: NodeJS.ErrnoException, file: string): Error {
  if (error.code === 'ENOSPC') return new Error(`The disk of ${file} is full: no backup was written.`, { cause: error })
  if (error.code === 'ENOENT') return new Error(`There is no folder ${dirname(file)}.`, { cause: error })
  if (error.code === 'EACCES')
    return new Error(`${dirname(file)} may not be written to by this user.`, { cause: error })
  if (error.code === 'EEXIST') {
    return new Error(
      `${file}.part exists: another backup is being written, or one was interrupted. Remove it if none is.`,
      { cause: error },
    )
  }
  return error
}

async function writeArchive(
  sql: Sql,
  archive: Archive,
  { content, steps }: { content: Content; steps: Steps },
): Promise<{ manifest: Manifest; bytes: number }> {
  await archive.start()
  const manifest = await inSnapshot(sql, content, async (tx, names) => {
    let rows = 0
    for (const name of names) rows += await content.count(tx, name)
    const copied = steps.start('Copying the tables', rows, 'rows')
    const tables: TableInBackup[] = []
    for (const name of names) tables.push(await copyTable(tx, { name, content }, archive.add, copied))
    return {
      ...(await factsOf(tx)),
      format,
      program: programVersion,
      created_at: archive.created.toISOString(),
      ...(content.account ? { account: content.account } : {}),
      tables,
    }
  })
  const whole: Manifest = {
    ...manifest,
    accounts: rowsOf(manifest.tables, 'accounts'),
    leads: rowsOf(manifest.tables, 'leads'),
  }
  await archive.add({ name: manifestName, content: Buffer.from(`${JSON.stringify(whole, null, 1)}\n`) })
  return { manifest: whole, bytes: await archive.finish() }
}

/**
 * Runs `work` in one snapshot of the database. The tables are locked first, because a migration that rewrote one after the
 * snapshot was taken would make it look empty.
 */
async function inSnapshot<T>(
  sql: Sql,
  content: Content,
  work: (tx: TransactionSql, tables: string[]) => Promise<T>,
): Promise<T> {
  const names = await content.tables(sql)
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    await readFromOneSnapshot(tx)
    await tx.unsafe(`lock table ${names.map(quoted).join(', ')} in access share mode`)
    await withoutTimeLimits(tx)
    // An error instead of missing rows, if row-level security was forced on the owner by hand.
    await tx`set local row_security = off`
    if (String(await content.tables(tx)) !== String(names)) {
      throw new Error('The schema was changed when the backup started: run it again.')
    }
    return work(tx, names)
  })
}

async function tableNames(sql: Sql | TransactionSql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname = any (${[...ourTables]}::text[]) order by relname`
  return rows.map(({ name }) => name)
}

async function copyTable(
  tx: TransactionSql,
  { name, content }: { name: string; content: Content },
  add: (entry: { name: string; content: Buffer }) => Promise<void>,
  copied: (rows: number) => void,
): Promise<TableInBackup> {
  const columns = await columnsOf(tx, name)
  const table: TableInBackup = { name, columns, rows: 0, parts: [] }
  let compressing: Promise<Buffer> | null = null

  async function addPart() {
    const content = await compressing!
    await add({ name: partName(name, table.parts.length), content })
    table.parts.push({ bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') })
  }
  // While one part is compressed, the next one is read.
  for await (const text of parts(content.read(tx, name, columns))) {
    const rows = rowsIn(text)
    table.rows += rows
    copied(rows)
    if (compressing) await addPart()
    compressing = compress(text)
    compressing.catch(() => {})
  }
  if (compressing) await addPart()
  return table
}

async function columnsOf(tx: TransactionSql, table: string): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`select attname as name from pg_attribute
    where attrelid = ${quoted(table)}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`
  return rows.map(({ name }) => name)
}

/** Cuts a stream into parts of exactly `partSize`, and a last one. */
async function* parts(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let part = Buffer.allocUnsafe(partSize)
  let used = 0
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; ) {
      const length = chunk.copy(part, used, at)
      at += length
      used += length
      if (used < partSize) continue
      yield part
      part = Buffer.allocUnsafe(partSize)
      used = 0
    }
  }
  if (used > 0) yield part.subarray(0, used)
}

async function factsOf(tx: TransactionSql) {
  // Read as JSON, because older tables do not have the column.
  const applied = await tx<{ file: string; compatible: boolean }[]>`
    select file, coalesce(to_jsonb(migrations) ->> 'compatible' = 'true', false) as compatible from migrations order by file`
  const [{ version }] = (await tx`select current_setting('server_version') as version`) as unknown as [
    { version: string },
  ]
  const values = []
  for (const { table, column, sequence } of await identityColumns(tx)) {
    const [value] = await tx.unsafe(`select last_value::text, is_called from ${sequence}`)
    values.push({ table, column, last_value: value!.last_value as string, is_called: value!.is_called as boolean })
  }
  return {
    migrations: applied.map(({ file }) => file),
    compatible: applied.filter(({ compatible }) => compatible).map(({ file }) => file),
    postgresql: version,
    sequences: values,
  }
}

async function flushFolder(path: string): Promise<void> {
  const folder = await open(path)
  // Some network file systems cannot.
  await folder.sync().catch(() => {})
  await folder.close()
}

const rowsOf = (tables: TableInBackup[], name: string) => tables.find((table) => table.name === name)?.rows ?? 0
