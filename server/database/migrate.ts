import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sql } from 'postgres'

const folder = join(import.meta.dirname, 'migrations')

interface Step {
  /** `0003_leads.sql` */
  file: string
  text: string
  hash: string
}

/** Numbered and forward only. */
const migrations: Step[] = readSteps()

/** Brings the schema up to date. `sql` is the owner's, with a single connection; one process at a time does it. */
export async function migrate(sql: Sql): Promise<void> {
  await sql`select pg_advisory_lock(7106152)`
  try {
    for (const role of ['lead_engine_app', 'lead_engine_directory']) await makeRole(sql, role)
    await sql`create table if not exists migrations (file text primary key, hash text not null, applied_at timestamptz not null default now())`
    const applied = new Set((await sql`select file from migrations`).map((row) => row.file as string))
    const newest = migrations.at(-1)!.file
    const unknown = [...applied].filter((file) => !file.includes('/') && file > newest)
    if (unknown.length > 0) {
      throw new Error(
        `The database is newer than this program (it has ${unknown.join(', ')}): start the newer program.`,
      )
    }
    for (const step of migrations.filter((step) => !applied.has(step.file))) {
      await sql.begin(async (tx) => {
        // One statement at a time, which is what a distributed PostgreSQL asks for.
        for (const statement of statementsOf(step.text)) await tx.unsafe(statement)
        await tx`insert into migrations (file, hash) values (${step.file}, ${step.hash})`
      })
    }
  } finally {
    await sql`select pg_advisory_unlock(7106152)`
  }
}

export async function schemaIsCurrent(sql: Sql): Promise<boolean> {
  const applied = new Set((await sql`select file from migrations`).map((row) => row.file))
  return migrations.every((step) => applied.has(step.file))
}

function readSteps(): Step[] {
  return globSync('*.sql', { cwd: folder })
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      return { file, text, hash: createHash('sha256').update(text).digest('hex') }
    })
}

/** Roles belong to the whole server, so other databases' migrations may make the same one at the same moment. */
async function makeRole(sql: Sql, role: string): Promise<void> {
  const there = await sql`select pg_has_role(current_user, oid, 'member') as mine from pg_roles where rolname = ${role}`
  if (there.length === 0) {
    await sql.unsafe(`create role ${role} nologin nosuperuser nobypassrls`).catch((error) => {
      if (!['42710', '23505'].includes(error.code)) throw error
    })
  }
  if (!there[0]?.mine) await sql.unsafe(`grant ${role} to current_user`)
}

/** Splits at semicolons, but not within a function's $$ body, a quoted text or a comment. */
function statementsOf(text: string): string[] {
  const tokens = text.match(/--[^\n]*|\$\$[\s\S]*?\$\$|'(?:[^']|'')*'|;|[^;$'-]+|[\s\S]/g) ?? []
  const statements = ['']
  for (const token of tokens) {
    if (token === ';') statements.push('')
    else if (!token.startsWith('--')) statements[statements.length - 1] += token
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '')
}
