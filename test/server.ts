import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../operations/embedded/embedded.ts'
import { type Connection, openAsOwner } from '../server/platform/database/connect.ts'
import { readDatabaseUrl } from '../server/platform/database/database-url.ts'
import { migrate } from '../server/platform/database/migrate.ts'
import { listSignIns, roleComment } from '../server/platform/database/service-roles.ts'
import type { Sql } from '../server/platform/database/sql.ts'
import { buildWebAppIfNeeded } from '../server/platform/web-app/built.ts'
import { unpackBrowser } from './chromium.ts'
import { onNodes } from './cluster.ts'

/**
 * A PostgreSQL with a migrated template for `testDatabase` to clone: that of DATABASE_URL, or the embedded one, started
 * for this run in a folder of its own, which is deleted afterwards.
 */
export async function withTestServer(work: () => Promise<unknown>, { durable = false } = {}): Promise<void> {
  await unpackBrowser()
  if (!durable) keepFilesInMemory()
  const folder = mkdtempSync(join(tmpdir(), 'lead-engine-test-'))
  // Each test file, command and service of the tests is a process that loads the same modules.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled')
  const built = buildWebAppIfNeeded()
  const { CITUS_URL, DATABASE_URL } = process.env
  const url = CITUS_URL || DATABASE_URL
  const embedded = url
    ? null
    : await startEmbedded(join(folder, 'data'), () => {}, { durable, ...(durable ? {} : { further: unkept }) })
  const server = embedded ? embedded.connection : readDatabaseUrl(url!, CITUS_URL ? 'CITUS_URL' : 'DATABASE_URL')
  const template = `lead_engine_template_${process.pid}`
  try {
    process.env.TEST_SERVER = JSON.stringify(server)
    process.env.TEST_TEMPLATE = template
    if (CITUS_URL) return void (await built.then(work))
    await withOwner(server, (sql) => sql.unsafe(`create database ${template}`))
    const owner = { ...server, database: template }
    const signIns = await withOwner(owner, async (sql) => {
      await migrate(sql)
      return listSignIns(sql, owner)
    })
    process.env.TEST_SIGN_INS = JSON.stringify(signIns)
    await built
    await work()
  } finally {
    if (CITUS_URL) await onNodes(server, (sql) => removeLeft(sql, template))
    else await withOwner(server, (sql) => removeLeft(sql, template))
    await embedded?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Nothing of this server is kept, so it needs no compressed log, and its databases end before a vacuum is worth it. */
const unkept = { wal_compression: 'off', autovacuum: 'off', synchronous_commit: 'off' }

/** Cloning a database creates hundreds of files, which takes a disk twenty times as long. Linux has a folder in memory. */
function keepFilesInMemory(): void {
  const memory = '/dev/shm'
  if (process.env.TMPDIR || !existsSync(memory)) return
  const { bavail, bsize } = statfsSync(memory)
  if (bavail * bsize > 4 * 1024 ** 3) process.env.TMPDIR = memory
}

/** Drops the template, and what a failed start left. */
async function removeLeft(sql: Sql, template: string): Promise<void> {
  const left = await sql`select datname as name from pg_database
    where datname = ${template} or starts_with(datname, ${`${template}_`})`
  for (const { name } of left) await sql.unsafe(`drop database ${name} with (force)`)
  // The clones work with the template's roles; a database that a test migrates itself has its own.
  const roles = await sql`select rolname as name from pg_roles
    where starts_with(shobj_description(oid, 'pg_authid'), ${roleComment(template)})`
  for (const { name } of roles) await sql.unsafe(`drop role ${name}`)
}

async function withOwner<T>(connection: Connection, work: (sql: ReturnType<typeof openAsOwner>) => Promise<T>) {
  const sql = openAsOwner(connection, { max: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}
