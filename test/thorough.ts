/**
 * `npm run test:thorough`, before a release: all tests with the larger budgets and what takes long, then the usual ones on
 * another PostgreSQL and on a cluster, where there is one (DATABASE_URL, CITUS_URL).
 */
import { spawnSync } from 'node:child_process'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { openAsOwner } from '../server/platform/database/connect.ts'
import { readDatabaseUrl } from '../server/platform/database/database-url.ts'

const { DATABASE_URL, CITUS_URL, ...env } = process.env
const postgres = DATABASE_URL ?? (await findPostgres())

run('the packages of the generated clients', 'npm', ['ci', '--prefix', 'clients/all', '--no-audit', '--no-fund'], env)
runTests('all tests, in full', ['--thorough'], env)
if (postgres) runTests('the tests on another PostgreSQL', [], { ...env, DATABASE_URL: postgres })
else console.log('== skipped, because DATABASE_URL names none: the tests on another PostgreSQL')
if (CITUS_URL) runTests('the tests on a cluster', [], { ...env, CITUS_URL })
else console.log('== skipped, because CITUS_URL names none: the tests on a cluster')

function runTests(title: string, options: string[], given: NodeJS.ProcessEnv): void {
  run(title, process.execPath, [join(import.meta.dirname, 'run.ts'), '--times', ...options], given)
}

function run(title: string, program: string, args: string[], given: NodeJS.ProcessEnv): void {
  console.log(`== ${title}`)
  if (spawnSync(program, args, { env: given, stdio: 'inherit' }).status !== 0) process.exitCode = 1
}

/** Returns the URL of a PostgreSQL of this machine in which databases may be created. */
async function findPostgres(): Promise<string | undefined> {
  const places = ['127.0.0.1:5432/postgres', 'localhost/postgres?host=/var/run/postgresql']
  const candidates = [userInfo().username, 'postgres'].flatMap((name) =>
    places.map((place) => `postgres://${name}@${place}`),
  )
  for (const url of candidates) {
    const sql = openAsOwner(readDatabaseUrl(url, 'DATABASE_URL'), { max: 1 })
    try {
      const [role] =
        await sql`select rolcreatedb and rolcreaterole or rolsuper as may from pg_roles where rolname = current_user`
      if (role?.may) return url
    } catch {
      // Not this one.
    } finally {
      await sql.end({ timeout: 1 })
    }
  }
  return undefined
}
