import { isDistributed } from '../../server/platform/database/cluster/placement.ts'
import { isCanceled } from '../../server/platform/database/errors.ts'
import { quoted, type Sql, type TransactionSql } from '../../server/platform/database/sql.ts'
import { type Check, errorMessage, type Finding, fine, named, problem, repairOrRun } from './check.ts'
import type { Installation } from './installation.ts'
import { restoring } from './storage.ts'
import { notRead } from './whole-tables.ts'

/** In seconds: how long the pages of indexes are read, and then their rows looked up in the tables. */
const maxPageSeconds = 20
const maxRowSeconds = 20

/**
 * Reads indexes, which PostgreSQL does with amcheck: the order of their entries, then whether each row has one. A damaged index
 * hides leads, or lets one person become two.
 */
export const indexes = (installation: Installation): Check => ({
  name: 'indexes',
  seconds: maxPageSeconds + maxRowSeconds + 20,
  async run() {
    installation.isSchemaCurrent.get()
    installation.isWritable.get()
    const sql = installation.sql.get()
    if (await isDistributed(sql)) return fine('Not checked: the tables are on the machines of a cluster.')
    const collation = await outdatedCollation(sql)
    if (collation) return collation
    const invalid = await invalidIndexes(sql, installation.repair === 'everything')
    if (invalid) return invalid
    const extension = await findExtension(sql)
    if (extension === 'missing') {
      return (
        (await earlierDamage(installation, sql)) ??
        fine(
          'Not checked: PostgreSQL has no extension amcheck here.',
          'As a superuser in this database, run: create extension amcheck; grant execute on all functions in schema public to the owner.',
        )
      )
    }
    const read = await readIndexes(sql, extension)
    if (read.damaged.length === 0) return (await earlierDamage(installation, sql)) ?? fine(textOf(read))
    const names = read.damaged.map(({ name }) => name)
    const all = named(read.damaged.map(({ name, reason }) => `${name} (${reason})`))
    if (installation.repair === 'everything') {
      for (const name of names) await sql.unsafe(`reindex index ${name}`)
      // Otherwise the damaged pages that were just read would be reported from now on.
      await sql`select pg_stat_reset() from pg_roles where rolname = current_user and rolsuper`
      return fine(`Damaged indexes were made again: ${all}. Check the disk.`)
    }
    return problem(
      `Damaged indexes: ${all}.`,
      `${repairOrRun(names.map((name) => `reindex index ${name}`))} Check the disk.`,
    )
  },
})

/** PostgreSQL counts damaged pages until its statistics are reset. They may be in an index that was not read. */
async function earlierDamage(installation: Installation, sql: Sql): Promise<Finding | null> {
  const [row] = await sql<{ failures: number | null; last: string | null }[]>`
    select checksum_failures::int as failures, to_char(checksum_last_failure, 'YYYY-MM-DD') as last
    from pg_stat_database where datname = current_database()`
  const { failures, last } = row!
  if (!failures) return null
  return problem(
    `PostgreSQL has read ${failures} damaged pages, the last on ${last}, and none now: an index may be damaged.`,
    'As the owner of the database, run: reindex database; select pg_stat_reset(). If it happens again, replace the disk. ' +
      (await restoring(installation)),
  )
}

/** Another version of the operating system sorts texts in another order than the indexes have. */
async function outdatedCollation(sql: Sql): Promise<Finding | null> {
  const [row] = await sql<{ name: string; had: string; has: string }[]>`
    select datname as name, datcollversion as had, pg_database_collation_actual_version(oid) as has from pg_database
    where datname = current_database() and datcollversion <> pg_database_collation_actual_version(oid)`
  if (!row) return null
  return problem(
    `The order of texts has changed with the operating system (version ${row.has} instead of ${row.had}): indexes may miss rows.`,
    `While the service is stopped, run as the owner of the database: reindex database ${quoted(row.name)}; alter database ${quoted(row.name)} refresh collation version.`,
  )
}

/** What an interrupted REINDEX or CREATE INDEX leaves costs each write, and no statement uses it. */
async function invalidIndexes(sql: Sql, repair: boolean): Promise<Finding | null> {
  const invalid = await sql<{ name: string; isLeftOver: boolean }[]>`
    select indexrelid::regclass::text as name, relname ~ '_cc(new|old)[0-9]*$' as "isLeftOver"
    from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = 'public'::regnamespace and not (indisvalid and indisready)`
  if (invalid.length === 0) return null
  const wrong = `No statement uses these invalid indexes: ${named(
    invalid.map(({ name }) => name),
    { separator: ', ' },
  )}.`
  const fixes = invalid.map(({ name, isLeftOver }) => (isLeftOver ? `drop index ${name}` : `reindex index ${name}`))
  if (!repair) return problem(wrong, repairOrRun(fixes))
  for (const fix of fixes) await sql.unsafe(fix)
  return fine(`${wrong} Repaired: ${named(fixes)}.`)
}

type Extension = 'there' | 'creatable' | 'missing'

async function findExtension(sql: Sql): Promise<Extension> {
  const [row] = await sql`
    select exists (select from pg_extension where extname = 'amcheck') as there,
      exists (select from pg_available_extensions where name = 'amcheck') as available,
      (select rolsuper from pg_roles where rolname = current_user) as super`
  if (row!.there) return 'there'
  return row!.available && row!.super ? 'creatable' : 'missing'
}

interface Read {
  damaged: { name: string; reason: string }[]
  /** Indexes whose pages, and whose rows, were not read for lack of time. */
  unread: string[]
  rowsUnread: string[]
}

interface Index {
  name: string
  kind: 'btree' | 'gin'
  /** Few enough pages to be read by one statement with the other small ones. */
  isSmall: boolean
}

/** Those that keep one person one lead come first. */
const listIndexes = (tx: TransactionSql) => tx<Index[]>`
  select indexrelid::regclass::text as name, amname as kind, amname = 'btree' and relpages < 300 as "isSmall" from pg_index
  join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam
  where relnamespace in ('public'::regnamespace, 'pg_catalog'::regnamespace) and indisvalid and indisready
    and (amname = 'btree' or amname = 'gin' and to_regproc('gin_index_check') is not null)
  order by not indisunique, relpages`

/** What it creates is rolled back. */
async function readIndexes(sql: Sql, extension: Extension): Promise<Read> {
  const read: Read = { damaged: [], unread: [], rowsUnread: [] }
  const rollback = new Error()
  await sql
    .begin(async (tx) => {
      await tx`set local maintenance_work_mem = '256MB'`
      if (extension === 'creatable') await tx`create extension amcheck`
      const all = await listIndexes(tx)
      await readAll(tx, all, { seconds: maxPageSeconds, withRows: false, read, unread: read.unread })
      const trees = all.filter(({ kind }) => kind === 'btree')
      await readAll(tx, trees, { seconds: maxRowSeconds, withRows: true, read, unread: read.rowsUnread })
      throw rollback
    })
    .catch((error) => {
      if (error !== rollback) throw error
    })
  return read
}

async function readAll(
  tx: TransactionSql,
  all: Index[],
  { seconds, withRows, read, unread }: { seconds: number; withRows: boolean; read: Read; unread: string[] },
) {
  const end = performance.now() + seconds * 1000
  const left = () => Math.round(end - performance.now())
  const small = all.filter(({ isSmall }) => isSmall).map(({ name }) => name)
  const smallAreFine = (await attempt(tx, left(), (part) => checkTrees(part, small, withRows))) === null
  for (const { name, kind, isSmall } of all) {
    if ((isSmall && smallAreFine) || read.damaged.some((one) => one.name === name)) continue
    const reason = await attempt(tx, left(), (part) =>
      kind === 'gin' ? part`select gin_index_check(${name}::regclass)` : checkTrees(part, [name], withRows),
    )
    if (reason === undefined) unread.push(name)
    else if (reason !== null) read.damaged.push({ name, reason })
  }
}

const checkTrees = (tx: TransactionSql, names: string[], withRows: boolean) =>
  tx`select count(bt_index_check(name::regclass, ${withRows})) from unnest(${names}::text[]) as name`

/** Returns what is wrong, null if nothing is, undefined if it took too long. */
async function attempt(tx: TransactionSql, ms: number, work: (part: TransactionSql) => PromiseLike<unknown>) {
  if (ms <= 0) return undefined
  try {
    await tx.savepoint(async (part) => {
      await part`select set_config('statement_timeout', ${String(ms)}, true)`
      await work(part)
    })
    return null
  } catch (error) {
    if (isCanceled(error)) return undefined
    // XX is damage that PostgreSQL notices, 58 that of the system.
    if (/^(XX|58)/.test(String((error as { code?: string }).code))) return errorMessage(error)
    throw error
  }
}

function textOf({ unread, rowsUnread }: Read): string {
  const rows =
    rowsUnread.length === 0
      ? 'Each row of a table is in them.'
      : `Rows were not looked up in ${rowsUnread.length} large ones, for lack of time.`
  return `No index is damaged.${notRead(unread)} ${rows}`
}
