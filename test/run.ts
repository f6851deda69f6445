/**
 * Runs the tests: all, or the files named. A PostgreSQL comes from DATABASE_URL, or is the embedded one, started for
 * this run in a folder of its own. Each test file gets a clone of one migrated template.
 */
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { type Connection, connectionOf, openPool } from '../server/database/connect.ts'
import { startEmbedded } from '../server/database/embedded.ts'
import { migrate } from '../server/database/migrate.ts'

const named = process.argv.slice(2)
const files = named.length > 0 ? named : globSync(['server/**/*.test.ts', 'test/**/*.test.ts']).sort()

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-test-'))
const embedded = process.env.DATABASE_URL ? null : await startEmbedded(join(folder, 'data'), () => {})
const server = embedded ? embedded.connection : connectionOf(process.env.DATABASE_URL!)
const template = `lead_engine_template_${process.pid}`

try {
  await withOwner(server, (sql) => sql.unsafe(`create database ${template}`))
  await withOwner({ ...server, database: template }, migrate)
  process.env.TEST_SERVER = JSON.stringify(server)
  process.env.TEST_TEMPLATE = template
  await runTests()
} finally {
  await withOwner(server, async (sql) => {
    // The template, and what a test file that broke at its start has left.
    const left = await sql`select datname as name from pg_database where starts_with(datname, ${template})`
    for (const { name } of left) await sql.unsafe(`drop database ${name} with (force)`)
  })
  await embedded?.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function withOwner(connection: Connection, work: (sql: ReturnType<typeof openPool>) => Promise<unknown>) {
  const sql = openPool(connection, null, { max: 1 })
  try {
    await work(sql)
  } finally {
    await sql.end()
  }
}

function runTests(): Promise<void> {
  return new Promise((resolve) => {
    const events = run({ files, concurrency: 2, timeout: 180_000 })
    events.on('test:summary', ({ counts, file }) => {
      if (file !== undefined) return
      const skipped = counts.skipped + counts.todo
      const failed = counts.tests - counts.passed - skipped
      process.exitCode = failed > 0 || counts.tests === 0 ? 1 : 0
      process.on('exit', () =>
        console.log(`${counts.passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`),
      )
    })
    const report = events.compose(spec)
    report.on('end', resolve)
    report.pipe(process.stdout)
  })
}
