import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Sql } from 'postgres'
import type { SignIns } from './connect.ts'
import { prepareRoles, withRoleNames } from './service-roles.ts'

const folder = join(import.meta.dirname, 'migrations')

interface Step {
  /** `0003_leads.sql` */
  file: string
  text: string
  hash: string
  /** Whether programs of the previous version keep working, according to its first line. */
  compatible: boolean
}

/** Numbered and forward only. */
const migrations: Step[] = readSteps()

/** `current` includes a newer schema that is compatible with this program. `files` are the ones that are not. */
export interface SchemaState {
  is: 'empty' | 'older' | 'current' | 'newer'
  files: string[]
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
  if (applied.size === 0) return { is: 'empty', files: [] }
  const known = new Set(migrations.map(({ file }) => file))
  // Names with a folder were SQL functions of earlier versions.
  const breaking = [...applied.keys()].filter((file) => !known.has(file) && !file.includes('/') && !applied.get(file))
  if (breaking.length > 0) return { is: 'newer', files: breaking }
  const missing = [...known].filter((file) => !applied.has(file))
  return { is: missing.length > 0 ? 'older' : 'current', files: missing }
}

export function newerSchema({ files }: SchemaState): Error {
  return new Error(`The database is newer than this program (it has ${listed(files)}): use the newer program.`)
}

export function olderSchema({ files }: SchemaState): Error {
  return new Error(
    `The database is older than this program (it lacks ${listed(files)}): run lead-engine migrate, or start the newer service.`,
  )
}

const listed = (files: string[]) =>
  files.length > 3 ? `${files.slice(0, 2).join(', ')} and ${files.length - 2} more` : files.join(', ')

/**
 * Brings the schema and the service's roles up to date, in one process at a time. `sql` has the owner's role and a single
 * connection.
 */
export async function migrate(sql: Sql, roles: SignIns | null = null): Promise<void> {
  await sql`select pg_advisory_lock(7106152)`
  try {
    const state = await schemaState(sql)
    if (state.is === 'newer') throw newerSchema(state)
    await sql`create table if not exists migrations (file text primary key, hash text not null, applied_at timestamptz not null default now())`
    const [column] =
      await sql`select from pg_attribute where attrelid = 'migrations'::regclass and attname = 'compatible'`
    if (!column) await sql`alter table migrations add column compatible boolean not null default false`
    const names = await prepareRoles(sql, roles)
    const applied = new Set((await sql`select file from migrations`).map((row) => row.file as string))
    for (const step of migrations.filter((step) => !applied.has(step.file))) {
      await withoutLongWaits(() =>
        sql.begin(async (tx) => {
          await tx`set local lock_timeout = '2s'`
          // One statement at a time, as a distributed PostgreSQL requires.
          for (const statement of statementsOf(step.text)) await tx.unsafe(withRoleNames(statement, names))
          const { file, hash, compatible } = step
          await tx`insert into migrations ${tx({ file, hash, compatible })}`
        }),
      )
    }
  } finally {
    await sql`select pg_advisory_unlock(7106152)`
  }
}

/** A statement that waits for a table lock blocks all others behind it, so it times out and is retried. */
async function withoutLongWaits(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work()
      return
    } catch (error) {
      if ((error as { code?: string }).code !== '55P03' || attempt >= 30) throw error
      await setTimeout(500 + 1000 * Math.random())
    }
  }
}

function readSteps(): Step[] {
  return globSync('*.sql', { cwd: folder })
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      const hash = createHash('sha256').update(text).digest('hex')
      return { file, text, hash, compatible: text.startsWith('-- compatible: yes\n') }
    })
}

/** Splits at semicolons, except in a $$ body, a quoted string or a comment. */
function statementsOf(text: string): string[] {
  const tokens = text.match(/--[^\n]*|\$\$[\s\S]*?\$\$|'(?:[^']|'')*'|;|[^;$'-]+|[\s\S]/g) ?? []
  const statements = ['']
  for (const token of tokens) {
    if (token === ';') statements.push('')
    else if (!token.startsWith('--')) statements[statements.length - 1] += token
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '')
}
