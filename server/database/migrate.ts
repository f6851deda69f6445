import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { byUpgrade, isAt45, isOlderThan45, upgradeText } from './baseline.ts'
import { placeNewTables } from './cluster/place-tables.ts'
import { adaptStatements, undoDistribution } from './cluster/unfinished-distribution.ts'
import type { SignIns } from './connect.ts'
import { isDeadlock, isLockTimeout } from './errors.ts'
import { prepareRoles, type RoleNames, withRoleNames } from './service-roles.ts'
import type { Sql, TransactionSql } from './sql.ts'
import { findUnfinishedRestore, forgetRestore, type UnfinishedRestore } from './unfinished-restore.ts'

const folder = join(import.meta.dirname, 'migrations')

interface Step {
  /** `0047_leads.sql` */
  file: string
  text: string
  hash: string
  /** Whether programs of the previous version keep working, according to its first line. */
  compatible: boolean
}

/** Numbered and forward only. */
const migrations: Step[] = readSteps()

/** The texts of all migrations, by file. */
export const migrationTexts: ReadonlyMap<string, string> = new Map(migrations.map(({ file, text }) => [file, text]))

/**
 * `current` includes a newer schema that is compatible with this program, `outdated` is too old to be migrated. `files` are the
 * migrations that make it older or newer, `unknown` all that this program does not know.
 */
export interface SchemaState {
  is: 'empty' | 'outdated' | 'older' | 'current' | 'newer'
  files: string[]
  unknown: string[]
}

/** Works with any role, the owner's or the service's. */
export async function schemaState(sql: Sql): Promise<SchemaState> {
  const [table] = await sql`select from pg_tables where schemaname = 'public' and tablename = 'migrations'`
  // Read as JSON, because older tables do not have the column.
  const rows = table
    ? await sql<{ file: string; compatible: boolean }[]>`
        select file, coalesce(to_jsonb(migrations) ->> 'compatible' = 'true', false) as compatible from migrations`
    : []
  const applied = new Map(rows.map(({ file, compatible }) => [file, compatible]))
  if (applied.size === 0) return { is: 'empty', files: [], unknown: [] }
  const known = new Set(migrations.map(({ file }) => file))
  if (isAt45([...applied.keys()])) return { is: 'older', files: [...known], unknown: [] }
  if (isOlderThan45([...applied.keys()])) return { is: 'outdated', files: [...known], unknown: [] }
  const unknown = [...applied.keys()].filter((file) => !known.has(file))
  const breaking = unknown.filter((file) => !applied.get(file))
  if (breaking.length > 0) return { is: 'newer', files: breaking, unknown }
  const missing = [...known].filter((file) => !applied.has(file))
  return { is: missing.length > 0 ? 'older' : 'current', files: missing, unknown }
}

/** Why this program cannot use the database as it is. Null if it can, or if it is empty. */
export function schemaProblem({ is, files, unknown }: SchemaState): Error | null {
  if (is === 'outdated')
    return new Error(
      'The database is from a version before 0.2 (it lacks the migrations to 45): start version 0.2 on it, then this one.',
    )
  if (is === 'older')
    return new Error(
      `The database is older than this program (it lacks ${listed(files)}): run lead-engine migrate, or start the newer service.`,
    )
  return is === 'newer' || unknown.length > 0 ? newerSchema(is === 'newer' ? files : unknown) : null
}

const newerSchema = (files: string[]) =>
  new Error(`The database is newer than this program (it has ${listed(files)}): use the newer program.`)

export const listed = (files: string[]) =>
  files.length > 3 ? `${files.slice(0, 2).join(', ')} and ${files.length - 2} more` : files.join(', ')

/** Held while the schema changes, by one process at a time. */
const migrationLock = 7106152

/** Takes the lock of migrations until the end of the session. Throws if another process has it. */
export async function takeMigrationLock(sql: Sql): Promise<void> {
  const [lock] = await sql`select pg_try_advisory_lock(${migrationLock}) as mine`
  if (!lock!.mine) throw new Error('Another process migrates or restores this database: wait until it has ended.')
}

interface Hooks {
  /** Runs before a schema in use is changed. */
  beforeChange?: (() => Promise<void>) | undefined
  /** Runs if a restore was interrupted. If it throws an error, nothing is changed. */
  onUnfinishedRestore?: (restore: UnfinishedRestore, state: SchemaState) => void
}

/**
 * Brings the schema and the service's roles up to date, in one process at a time. `sql` has the owner's role and a single
 * connection.
 */
export async function migrate(
  sql: Sql,
  roles: SignIns | null = null,
  { beforeChange, onUnfinishedRestore }: Hooks = {},
): Promise<void> {
  await sql`select pg_advisory_lock(${migrationLock})`
  try {
    const state = await schemaState(sql)
    if (state.is === 'newer' || state.is === 'outdated') throw schemaProblem(state)
    const restore = await findUnfinishedRestore(sql)
    if (restore) {
      onUnfinishedRestore?.(restore, state)
      await forgetRestore(sql)
    }
    if (state.is === 'older') await beforeChange?.()
    const names = await sql.begin(async (tx) => {
      await makeMigrationsTable(tx)
      return prepareRoles(tx, roles)
    })
    await undoDistribution(sql)
    if (isAt45(await appliedFiles(sql)))
      await attempt('The upgrade from version 0.2', () => sql.begin((tx) => upgradeFrom45(tx, names)))
    const applied = await appliedFiles(sql)
    const missing = migrations.filter((step) => !applied.includes(step.file))
    for (const step of missing) await attempt(`Migration ${step.file}`, () => sql.begin((tx) => apply(tx, step, names)))
    await placeNewTables(sql, names, { wasEmpty: state.is === 'empty', isChanged: missing.length > 0 })
  } finally {
    await sql`select pg_advisory_unlock(${migrationLock})`
  }
}

/** Applies the migrations that `wanted` names and the database lacks. */
export async function migrateWithin(
  tx: TransactionSql,
  names: RoleNames,
  wanted: (file: string) => boolean,
): Promise<void> {
  await makeMigrationsTable(tx)
  const applied = await appliedFiles(tx)
  for (const step of migrations) if (wanted(step.file) && !applied.includes(step.file)) await apply(tx, step, names)
}

async function appliedFiles(sql: Sql | TransactionSql): Promise<string[]> {
  return (await sql<{ file: string }[]>`select file from migrations`).map(({ file }) => file)
}

async function makeMigrationsTable(tx: TransactionSql): Promise<void> {
  await tx`create table if not exists migrations (file text primary key, hash text not null, applied_at timestamptz not null default now())`
  const [column] = await tx`select from pg_attribute where attrelid = 'migrations'::regclass and attname = 'compatible'`
  if (!column) await tx`alter table migrations add column compatible boolean not null default false`
}

async function apply(tx: TransactionSql, step: Step, names: RoleNames): Promise<void> {
  await run(tx, step.text, names)
  await record(tx, step)
}

async function upgradeFrom45(tx: TransactionSql, names: RoleNames): Promise<void> {
  await run(tx, upgradeText, names)
  await tx`delete from migrations`
  for (const step of migrations) if (byUpgrade.includes(step.file)) await record(tx, step)
}

async function run(tx: TransactionSql, text: string, names: RoleNames): Promise<void> {
  await tx`set local lock_timeout = '2s'`
  // One at a time: docs/reference/sql.md.
  for (const statement of await adaptStatements(tx, splitStatements(text)))
    await tx.unsafe(withRoleNames(statement, names))
}

async function record(tx: TransactionSql, { file, hash, compatible }: Step): Promise<void> {
  await tx`insert into migrations ${tx({ file, hash, compatible })}`
}

async function attempt(what: string, work: () => Promise<unknown>): Promise<void> {
  await withoutLongWaits(work).catch((error) => {
    // With its code, by which callers recognise what is wrong.
    const message = `${what} failed, and nothing of it was applied: ${error.message}`
    throw Object.assign(error, { message })
  })
}

/** A statement that waits for a table lock blocks all others behind it, so it times out and is retried. */
export async function withoutLongWaits(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work()
      return
    } catch (error) {
      if (!(isLockTimeout(error) || isDeadlock(error)) || attempt >= 30) throw error
      await setTimeout(500 + 1000 * Math.random())
    }
  }
}

function readSteps(): Step[] {
  return globSync('[0-9]*.sql', { cwd: folder })
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      const hash = createHash('sha256').update(text).digest('hex')
      return { file, text, hash, compatible: text.startsWith('-- compatible: yes\n') }
    })
}

/** Splits at semicolons, except in a $$ body, a quoted string or a comment. */
export function splitStatements(text: string): string[] {
  const tokens = text.match(/--[^\n]*|\$\$[\s\S]*?\$\$|'(?:[^']|'')*'|;|[^;$'-]+|[\s\S]/g) ?? []
  const statements = ['']
  for (const token of tokens) {
    if (token === ';') statements.push('')
    else if (!token.startsWith('--')) statements[statements.length - 1] += token
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '')
}
