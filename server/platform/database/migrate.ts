import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { programVersion } from '../program-version.ts'
import { earlierVersion, versionBefore } from './baseline.ts'
import { placeNewTables } from './cluster/place-tables.ts'
import { undoDistribution } from './cluster/unfinished-distribution.ts'
import type { SignIns } from './connect.ts'
import { isDeadlock, isLockTimeout } from './errors.ts'
import { applyText, applyTexts, differingTexts } from './schema-texts.ts'
import { prepareRoles, type RoleNames } from './service-roles.ts'
import type { Sql, TransactionSql } from './sql.ts'
import { runStatements } from './statements.ts'
import { findUnfinishedRestore, forgetRestore, type UnfinishedRestore } from './unfinished-restore.ts'

const folder = join(import.meta.dirname, 'migrations')

interface Step {
  /** `0047_leads.sql` */
  file: string
  text: string
  hash: string
  /** Whether programs of the previous version keep working, according to its first line. */
  compatible: boolean
  /** The functions that its indexes and generated columns call, according to its second line. */
  functions: string[]
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
  /** The version that applied the newest unknown migration. */
  migratedBy: string | null
  /** The snapshot from before the first migration that this program cannot use. */
  snapshot: string | null
  /** The version that an outdated schema goes through. */
  startFirst: string | null
  /** The functions and policies that another version applied, by file. None if a migration is unknown: then they are not this program's. */
  texts: string[]
}

interface Applied {
  file: string
  compatible: boolean
  program: string | null
  snapshot: string | null
}

/** Works with any role, the owner's or the service's. */
export async function schemaState(sql: Sql): Promise<SchemaState> {
  const [table] = await sql`select from pg_tables where schemaname = 'public' and tablename = 'migrations'`
  // Read as JSON, because older tables do not have all columns.
  const applied = table
    ? await sql<Applied[]>`
        select file, coalesce(row ->> 'compatible' = 'true', false) as compatible, row ->> 'program' as program,
          row ->> 'snapshot' as snapshot
        from (select file, to_jsonb(migrations) as row from migrations order by file) as applied`
    : []
  const state = judgeSchema(applied)
  return { ...state, texts: state.unknown.length > 0 ? [] : await differingTexts(sql) }
}

function judgeSchema(applied: Applied[]): Omit<SchemaState, 'texts'> {
  const files = applied.map(({ file }) => file)
  const nothing = { unknown: [], migratedBy: null, snapshot: null, startFirst: null }
  if (files.length === 0) return { is: 'empty', files: [], ...nothing }
  const known = migrations.map(({ file }) => file)
  if (earlierVersion(files)) return { is: 'older', files: known, ...nothing }
  const through = versionBefore(files)
  if (through) return { is: 'outdated', files: [through.migration], ...nothing, startFirst: through.version }
  const newer = applied.filter(({ file }) => !known.includes(file))
  const breaking = newer.filter(({ compatible }) => !compatible)
  const missing = known.filter((file) => !files.includes(file))
  return {
    is: breaking.length > 0 ? 'newer' : missing.length > 0 ? 'older' : 'current',
    files: breaking.length > 0 ? breaking.map(({ file }) => file) : missing,
    unknown: newer.map(({ file }) => file),
    migratedBy: newer.at(-1)?.program ?? null,
    snapshot: breaking[0]?.snapshot ?? null,
    startFirst: null,
  }
}

/** Why this program cannot use the database as it is. Null if it can, or if it is empty. */
export function schemaProblem(state: SchemaState): Error | null {
  const { is, files, unknown, startFirst } = state
  if (is === 'outdated')
    return new Error(
      `The database is from a version before ${startFirst} (it lacks ${listed(files)}): start version ${startFirst} on it, then this one.`,
    )
  if (is === 'older')
    return new Error(
      `The database is older than this program (it lacks ${listed(files)}): run lead-engine migrate, or start the newer service.`,
    )
  return is === 'newer' || unknown.length > 0 ? newerSchema(state) : null
}

function newerSchema({ is, files, unknown, migratedBy, snapshot }: SchemaState): Error {
  const newer = migratedBy ? `version ${migratedBy}` : 'the newer program'
  const made = migratedBy ? `, of version ${migratedBy}` : ''
  return new Error(
    `The database is newer than this program, version ${programVersion} (it has ${listed(is === 'newer' ? files : unknown)}${made}): ` +
      `use ${newer}.${snapshot ? wayBack(snapshot) : ''}`,
  )
}

const wayBack = (snapshot: string) =>
  existsSync(snapshot)
    ? ` To go back to the data before the migration instead, run with this version: ${restoreCommand(snapshot)}`
    : ` The snapshot from before the migration, ${snapshot}, is gone: to go back, restore a backup that this version can read.`

/** The command that leads back, with the program of the earlier version. */
export const restoreCommand = (snapshot: string) => `lead-engine restore "${snapshot}" --yes`

export const listed = (files: string[]) =>
  files.length > 3 ? `${files.slice(0, 2).join(', ')} and ${files.length - 2} more` : files.join(', ')

/** Held while the schema changes, by one process at a time. */
const migrationLock = 7106152

/** Takes the lock of migrations until the end of the session. Throws if another process has it. */
export async function takeMigrationLock(sql: Sql): Promise<void> {
  const [lock] = await sql`select pg_try_advisory_lock(${migrationLock}) as mine`
  if (!lock!.mine) throw new Error('Another process migrates or restores this database: wait until it has ended.')
}

/** Waits until no other process migrates or restores. PostgreSQL may run a statement of a killed one to its end. */
export async function untilNotMigrating(sql: Sql): Promise<void> {
  await sql`select pg_advisory_lock(${migrationLock})`
  await sql`select pg_advisory_unlock(${migrationLock})`
}

interface Hooks {
  /** Runs before a schema in use is changed. Returns the snapshot that leads back, if it saved one. */
  beforeChange?: (() => Promise<string | null>) | undefined
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
    const snapshot = (state.is === 'older' && (await beforeChange?.())) || null
    const names = await sql.begin(async (tx) => {
      await makeMigrationsTable(tx)
      return prepareRoles(tx, roles)
    })
    await undoDistribution(sql)
    const earlier = earlierVersion(await appliedFiles(sql))
    if (earlier)
      await attempt(`The upgrade from version ${earlier.version}`, () =>
        sql.begin(async (tx) => {
          await runStatements(tx, earlier.upgrade, names)
          await tx`delete from migrations`
          for (const step of migrations) if (earlier.makes(step.file)) await record(tx, step, snapshot)
        }),
      )
    const applied = await appliedFiles(sql)
    const missing = migrations.filter((step) => !applied.includes(step.file))
    const last = missing.pop()
    for (const step of missing)
      await attempt(`Migration ${step.file}`, () => sql.begin((tx) => apply(tx, step, names, snapshot)))
    let isChanged = last !== undefined
    // With the last migration: until then, running processes have functions for the tables before.
    await attempt(last ? `Migration ${last.file}` : 'The change of functions and policies', () =>
      sql.begin(async (tx) => {
        if (last) await apply(tx, last, names, snapshot)
        // Programs that know the newer migrations may be running, and need their functions.
        if (state.unknown.length === 0 && (await applyTexts(tx, names))) isChanged = true
      }),
    )
    await placeNewTables(sql, names, { wasEmpty: state.is === 'empty', isChanged })
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
  await addColumn(tx, 'compatible', 'boolean not null default false')
  await addColumn(tx, 'program', 'text')
  await addColumn(tx, 'snapshot', 'text')
  await tx`create table if not exists schema_texts (file text primary key, hash text not null)`
}

/** Looks first, because it would lock the table. */
async function addColumn(tx: TransactionSql, name: string, type: string): Promise<void> {
  const [column] = await tx`select from pg_attribute where attrelid = 'migrations'::regclass and attname = ${name}`
  if (!column) await tx.unsafe(`alter table migrations add column ${name} ${type}`)
}

async function apply(tx: TransactionSql, step: Step, names: RoleNames, snapshot: string | null = null): Promise<void> {
  for (const name of step.functions) await applyText(tx, `functions/${name}.sql`, names)
  await runStatements(tx, step.text, names)
  await record(tx, step, snapshot)
}

/** Records migrations that were applied, after their rows were lost. */
export async function recordMigrations(sql: Sql, files: string[]): Promise<void> {
  await sql.begin(async (tx) => {
    for (const step of migrations) if (files.includes(step.file)) await record(tx, step, null)
  })
}

async function record(tx: TransactionSql, { file, hash, compatible }: Step, snapshot: string | null): Promise<void> {
  await tx`insert into migrations ${tx({ file, hash, compatible, program: programVersion, snapshot })}`
}

async function attempt(what: string, work: () => Promise<unknown>): Promise<void> {
  await withoutLongWaits(work).catch((error) => {
    // Objects of this migration are there, without its row.
    const fix = /^42(P07|701|710|723)$/.test(error.code) ? '. Run lead-engine doctor, which says what to do' : ''
    // With its code, by which callers recognise what is wrong.
    const message = `${what} failed, and nothing of it was applied: ${error.message}${fix}`
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
      const functions = /^-- functions: (.*)$/m.exec(text)?.[1]?.split(', ') ?? []
      return { file, text, hash, compatible: text.startsWith('-- compatible: yes\n'), functions }
    })
}
