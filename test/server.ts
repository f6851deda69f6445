import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Connection, connectionOf, openPool } from '../server/database/connect.ts'
import { startEmbedded } from '../server/database/embedded.ts'
import { migrate } from '../server/database/migrate.ts'
import { buildWebAppIfNeeded } from '../server/web-app/build.ts'
import { unpackBrowser } from './chromium.ts'

/**
 * A PostgreSQL with a migrated template for `testDatabase` to clone: that of DATABASE_URL, or the embedded one, started
 * for this work in a folder of its own. Afterwards nothing of it is left.
 */
export async function withTestServer(work: () => Promise<unknown>): Promise<void> {
  await buildWebAppIfNeeded()
  await unpackBrowser()
  const folder = mkdtempSync(join(tmpdir(), 'lead-engine-test-'))
  const embedded = process.env.DATABASE_URL ? null : await startEmbedded(join(folder, 'data'), () => {})
  const server = embedded ? embedded.connection : connectionOf(process.env.DATABASE_URL!)
  const template = `lead_engine_template_${process.pid}`
  try {
    await withOwner(server, (sql) => sql.unsafe(`create database ${template}`))
    await withOwner({ ...server, database: template }, migrate)
    process.env.TEST_SERVER = JSON.stringify(server)
    process.env.TEST_TEMPLATE = template
    await work()
  } finally {
    await withOwner(server, async (sql) => {
      // The template, and what broke at its start has left.
      const left = await sql`select datname as name from pg_database
        where datname = ${template} or starts_with(datname, ${`${template}_`})`
      for (const { name } of left) await sql.unsafe(`drop database ${name} with (force)`)
    })
    await embedded?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function withOwner(connection: Connection, work: (sql: ReturnType<typeof openPool>) => Promise<unknown>) {
  const sql = openPool(connection, null, { max: 1 })
  try {
    await work(sql)
  } finally {
    await sql.end()
  }
}
