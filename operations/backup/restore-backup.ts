import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { earlierVersion, makesTablesOf, versionBefore } from '../../server/platform/database/baseline.ts'
import { type Connection, openAsOwner, type SignIns } from '../../server/platform/database/connect.ts'
import { writeCopy } from '../../server/platform/database/copy.ts'
import {
  listed,
  migrateWithin,
  migrationTexts,
  schemaProblem,
  schemaState,
  takeMigrationLock,
} from '../../server/platform/database/migrate.ts'
import { dropEverything, dropOurObjects } from '../../server/platform/database/our-objects.ts'
import { applyTexts } from '../../server/platform/database/schema-texts.ts'
import { checkUnused, prepareRoles } from '../../server/platform/database/service-roles.ts'
import type { Sql, TransactionSql } from '../../server/platform/database/sql.ts'
import { forgetRestore, recordRestore } from '../../server/platform/database/unfinished-restore.ts'
import { programVersion } from '../../server/platform/program-version.ts'
import { deleteAgain } from '../accounts/deleted-accounts.ts'
import { DamagedBackup, readArchive } from './archive.ts'
import { checkBackup, textOfTable } from './check-backup.ts'
import { eraseAgain } from './erase-again.ts'
import { completeErasedList, erasedListName, findErasedLists } from './erased-list.ts'
import type { Manifest, TableInBackup } from './manifest.ts'
import { dropKeys } from './postponed-keys.ts'
import { makeKeys, type SetAside, writeSetAside } from './set-aside.ts'
import { noSteps, type Steps } from './steps.ts'
import { withoutTimeLimits } from './time-limits.ts'

/** A file that was read completely and can be restored by this program. */
export interface CheckedBackup {
  file: string
  manifest: Manifest
  /** Migrations of a newer version, without whose tables and columns this one works. They are left out. */
  unknown: string[]
  /** The lists of leads to delete again. */
  lists: string[]
}

export interface Restored {
  accounts: number
  leads: number
  erased_again: number
  /** Rows that break a key; null if none does. */
  set_aside: SetAside | null
  /** The names of accounts that were deleted since, and so again. */
  accounts_erased_again?: string[]
}

/** Checks the whole file before anything is touched. `folders` may contain the list of deleted leads. */
export async function openBackup(path: string, folders: string[], steps: Steps = noSteps): Promise<CheckedBackup> {
  const file = resolve(path)
  const size = (await stat(file).catch(() => null))?.size ?? 0
  const manifest = await checkBackup(file, steps.start('Checking the backup', size, 'bytes'))
    .catch(explain)
    .finally(steps.end)
  const through = versionBefore(manifest.migrations)
  if (through)
    throw new Error(
      `The backup is of version ${manifest.program}, before ${through.version}: restore it with version ${through.version}, and back that database up.`,
    )
  const unknown = earlierVersion(manifest.migrations)
    ? []
    : manifest.migrations.filter((name) => !migrationTexts.has(name))
  const breaking = unknown.filter((name) => !manifest.compatible?.includes(name))
  if (breaking.length > 0) {
    throw new Error(
      `The backup is newer than this program, version ${programVersion} (it has ${listed(breaking)}, written by version ${manifest.program}): use version ${manifest.program}.`,
    )
  }
  return { file, manifest, unknown, lists: await findErasedLists(file, folders) }
}

interface Target {
  owner: Connection
  /** The service's roles, if DATABASE_APP_URL and DATABASE_DIRECTORY_URL name them. */
  given: SignIns | null
  dataDir: string
  isEmbedded: boolean
  /** Whether existing data may be replaced. */
  replace: boolean
  /** Leaves the schema and the data as they are in the backup, for the version that wrote it. */
  asSaved?: boolean
}

/**
 * Replaces the content of the database, in one transaction: a failure or an interruption changes nothing. If the process is
 * killed, the next start of the service says so.
 */
export async function restoreBackup(backup: CheckedBackup, target: Target, steps: Steps = noSteps): Promise<Restored> {
  if (backup.manifest.account)
    throw new Error(
      `${backup.file} has one account, "${backup.manifest.account.name}". Nothing was changed: create that account with lead-engine account import ${backup.file}, or replace it with lead-engine account restore.`,
    )
  const sql = openAsOwner(target.owner, { max: 1 })
  try {
    await takeMigrationLock(sql)
    await checkTarget(sql, target)
    await recordRestore(sql, backup.file)
    const restored = await sql
      .begin((tx) => replaceAll(tx, backup, target, steps))
      .catch(async (error) => {
        // In an empty database it stays: the service must not begin with that.
        if (await hasAccounts(sql).catch(() => false)) await forgetRestore(sql).catch(() => {})
        return explain(error)
      })
    const list = join(target.dataDir, erasedListName)
    await completeErasedList(sql, list).catch((error: Error) => {
      throw new Error(`The backup is restored, but ${list} could not be written (${error.message}).`, { cause: error })
    })
    return restored
  } finally {
    steps.end()
    await sql.end({ timeout: 5 })
  }
}

async function checkTarget(sql: Sql, { isEmbedded, replace }: Target): Promise<void> {
  const state = await schemaState(sql)
  // What a newer version made is not known here. In the embedded database it can only be ours.
  if (state.unknown.length > 0 && !isEmbedded) throw schemaProblem(state)
  await checkUnused(sql)
  if (!replace && state.is !== 'empty' && (state.unknown.length > 0 || (await hasAccounts(sql)))) {
    throw new Error('The database has data already: with --yes, the backup replaces all of it. Nothing was changed.')
  }
}

async function hasAccounts(sql: Sql): Promise<boolean> {
  const [table] = await sql`select from pg_tables where schemaname = 'public' and tablename = 'accounts'`
  return table !== undefined && (await sql`select from accounts limit 1`).length > 0
}

async function replaceAll(
  tx: TransactionSql,
  { file, manifest, lists }: CheckedBackup,
  { given, dataDir, isEmbedded, asSaved = false }: Target,
  steps: Steps,
): Promise<Restored> {
  await withoutTimeLimits(tx)
  await tx`set local maintenance_work_mem = '128MB'`
  await (isEmbedded ? dropEverything(tx) : dropOurObjects(tx))
  const names = await prepareRoles(tx, given)
  await migrateWithin(tx, names, makesTablesOf(manifest.migrations))
  const keys = await dropKeys(tx)
  await copyTables(tx, file, manifest, steps)
  await makeKeys(tx, keys, steps.start('Building the indexes', keys.length, 'indexes'))
  for (const { table, column, last_value, is_called } of manifest.sequences) {
    if (!(await existingColumns(tx, table))?.includes(column)) continue
    await tx`select setval(pg_get_serial_sequence(quote_ident(${table}), ${column}), ${last_value}, ${is_called})`
  }
  for (const { name } of manifest.tables) if (await existingColumns(tx, name)) await tx`analyze ${tx(name)}`
  if (!asSaved) {
    await migrateWithin(tx, names, () => true)
    await applyTexts(tx, names)
  }
  // With an earlier schema this version cannot delete accounts and leads.
  const deleted = asSaved ? [] : await deleteAgain(tx, lists, new Date(manifest.created_at))
  const erased_again = asSaved ? 0 : await eraseAgain(tx, lists)
  await forgetRestore(tx)
  const counts = await countRows(tx)
  if (counts.accounts + deleted.length === 0 && manifest.accounts > 0)
    throw new DamagedBackup(`No account of ${file} can be restored.`)
  return {
    ...counts,
    erased_again,
    set_aside: await writeSetAside(tx, dataDir),
    ...(deleted.length > 0 ? { accounts_erased_again: deleted } : {}),
  }
}

export async function countRows(sql: Sql | TransactionSql): Promise<{ accounts: number; leads: number }> {
  const [counts] = await sql<{ accounts: number; leads: number }[]>`
    select (select count(*)::int from accounts) as accounts, (select count(*)::int from leads) as leads`
  return counts!
}

async function copyTables(tx: TransactionSql, file: string, { tables }: Manifest, steps: Steps): Promise<void> {
  const copied = steps.start(
    'Copying the tables',
    tables.reduce((sum, { rows }) => sum + rows, 0),
    'rows',
  )
  const entries = readArchive(file)
  try {
    for (const table of tables) await copyTable(tx, table, textOfTable(file, table, entries, copied))
  } finally {
    await entries.return(undefined)
  }
}

/** Tables and columns that this version no longer has are left out. */
async function copyTable(
  tx: TransactionSql,
  { name, columns, rows }: TableInBackup,
  text: AsyncGenerator<Buffer>,
): Promise<void> {
  const existing = await existingColumns(tx, name)
  if (!existing) {
    for await (const _ of text);
    return
  }
  const former = columns.filter((column) => !existing.includes(column))
  for (const column of former) await tx`alter table ${tx(name)} add column ${tx(column)} text`
  // Frozen: the tables were made in this transaction, and need no vacuum after it.
  if (rows > 0) await writeCopy(tx, tx`copy ${tx(name)} (${tx(columns)}) from stdin with (freeze)`, text)
  for (const column of former) await tx`alter table ${tx(name)} drop column ${tx(column)}`
  const [found] = await tx<{ n: number }[]>`select count(*)::int as n from ${tx(name)}`
  if (found!.n !== rows) throw new Error(`${name} has ${found!.n} rows instead of ${rows}.`)
}

/** Null if there is no such table. */
async function existingColumns(tx: TransactionSql, table: string): Promise<string[] | null> {
  const rows = await tx<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = to_regclass(quote_ident(${table})) and attnum > 0 and not attisdropped`
  return rows.length === 0 ? null : rows.map(({ name }) => name)
}

function explain(error: Error & { code?: string; detail?: string }): never {
  if (error instanceof DamagedBackup) {
    throw new Error(`${error.message} Nothing was changed: use another backup.`, { cause: error })
  }
  if (error.code === '2BP01') {
    throw new Error(
      `Something else depends on the tables of Lead Engine (${error.detail?.replaceAll('\n', ', ')}): remove it first. Nothing was changed.`,
      { cause: error },
    )
  }
  if (/^2[23]/.test(error.code ?? '')) {
    const why = `PostgreSQL does not accept a row of the backup: ${error.message}`
    throw new Error(`${why}. Nothing was changed: use another backup.`, { cause: error })
  }
  if (error.code === '53100') {
    throw new Error(`The disk of the database is full (${error.message}): nothing was changed.`, { cause: error })
  }
  throw error
}
