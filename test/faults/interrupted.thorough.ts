import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBackup } from '../../operations/backup/create-backup.ts'
import { dropOurObjects } from '../../server/platform/database/our-objects.ts'
import type { Sql } from '../../server/platform/database/sql.ts'
import { freePort } from '../app.ts'
import { databaseUrl, runCommand } from '../command-line.ts'
import { testDatabase } from '../database.ts'
import { account } from '../people.ts'
import { contentOf } from '../records.ts'
import { plainEnv, root, startService } from '../service.ts'

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-interrupted-'))
const store = await testDatabase()
after(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})
await account(store.database, 'Acme')
await store.database.close()
const file = join(folder, 'one.backup')
await createBackup(store.connection, file)

const envOf = ({ connection }: Pick<typeof store, 'connection'>) => ({
  DATABASE_URL: databaseUrl(connection),
  DATA_DIR: join(folder, 'data'),
})

function startCommand(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [join(root, 'operations/main.ts'), ...args], { env: plainEnv(env) })
  const ended = { status: null as number | null, err: '' }
  child.stderr.setEncoding('utf8').on('data', (text) => {
    ended.err += text
  })
  const closed = new Promise<typeof ended>((resolve) =>
    child.on('close', (status) => resolve(Object.assign(ended, { status }))),
  )
  return { child, closed }
}

/** Waits until another session of the database runs such a statement. */
async function untilRunning(owner: Sql, statement: string) {
  for (;;) {
    const rows = await owner`select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state = 'active' and query ilike ${statement}`
    if (rows.length > 0) return
    await sleep(20)
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} during a backup: no file is left, and the command says so`, { timeout: 60_000 }, async () => {
    const place = join(folder, signal)
    mkdirSync(place)
    const path = join(place, 'a.backup')
    const locked = Promise.withResolvers<void>()
    const stopped = Promise.withResolvers<void>()
    const holding = store.owner.begin(async (tx) => {
      await tx`lock table leads in access exclusive mode`
      locked.resolve()
      await stopped.promise
    })
    await locked.promise
    const { child, closed } = startCommand(['backup', path], envOf(store))
    await untilRunning(store.owner, 'lock table %')
    assert.deepEqual(readdirSync(place), ['a.backup.part'])
    child.kill(signal)
    const { status, err } = await closed
    stopped.resolve()
    await holding
    assert.deepEqual([status, err], [1, `Stopped: ${path} was not written.\n`])
    assert.deepEqual(readdirSync(place), [])
  })
}

/** Without what is not of Lead Engine: dropping the schema would drop Citus from a cluster. */
async function emptyDatabase(t: TestContext) {
  const target = await testDatabase()
  t.after(target.close)
  await target.database.close()
  await target.owner.begin(async (tx) => {
    await dropOurObjects(tx)
    await tx`drop table migrations, service_roles`
  })
  return target
}

/** Kills a restore into the database in the middle of its transaction. */
async function killRestore(t: TestContext, { connection }: typeof store, owner: Sql, ...args: string[]) {
  await owner.unsafe(`create function wait() returns event_trigger language plpgsql as $$ begin perform pg_sleep(60); end $$;
    create event trigger wait on ddl_command_start when tag in ('CREATE INDEX') execute function wait()`)
  const { child, closed } = startCommand(['restore', file, ...args], envOf({ connection }))
  t.after(() => child.kill('SIGKILL'))
  await untilRunning(owner, 'create %index %')
  child.kill('SIGKILL')
  await closed
  // PostgreSQL notices it when the statement ends.
  await owner`select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and state = 'active' and query ilike 'create %index %'`
  await owner.unsafe('drop event trigger wait; drop function wait')
}

const start = /^The restore of .*one\.backup that started at 20.*Z was not completed/

test('a killed restore into an empty database: the service does not start before it is restored again', async (t) => {
  const target = await emptyDatabase(t)
  await killRestore(t, target, target.owner)
  const env = envOf(target)
  for (let attempt = 0; attempt < 2; attempt++) {
    const { status, err } = await runCommand(['serve'], { ...env, PORT: String(await freePort()) })
    assert.equal(status, 1)
    assert.match(err, start)
    assert.match(
      err,
      /, and the database is empty: restore it again\. To start with an empty .*, run lead-engine setup\.\n$/,
    )
  }
  const doctor = await runCommand(['doctor'], env)
  assert.match(doctor.out, /✗ schema .*The restore of .*one\.backup that started at .* was not completed/)
  const again = await runCommand(['restore', file], env)
  assert.equal(again.status, 0, again.err)
  assert.deepEqual(await contentOf(target.owner), await contentOf(store.owner))
  const service = await startService(env)
  assert.equal(await service.end(), 0)
  assert.doesNotMatch(service.said(), /interrupted/)
})

test('an empty database can be used after a killed restore, if that is wanted', async (t) => {
  const target = await emptyDatabase(t)
  await killRestore(t, target, target.owner)
  const env = envOf(target)
  const setup = await runCommand(['setup', '--account', 'A', '--email', 'a@x.example', '--name', 'A'], env)
  assert.equal(setup.status, 0, setup.err)
  const service = await startService(env)
  assert.equal(await service.end(), 0)
  assert.doesNotMatch(service.said(), /interrupted/)
})

test('a killed restore that would replace data: the service starts with the data as it was, and says so once', async (t) => {
  const target = await testDatabase()
  t.after(target.close)
  await account(target.database, 'Before')
  await target.database.close()
  const before = await contentOf(target.owner)
  await killRestore(t, target, target.owner, '--yes')
  assert.deepEqual(await contentOf(target.owner), before)
  const env = envOf(target)
  const first = await startService(env)
  assert.equal(await first.end(), 0)
  assert.match(first.said(), start)
  assert.match(first.said(), /was not completed: the data is as it was before\. To have the backup, restore it again\./)
  const second = await startService(env)
  assert.equal(await second.end(), 0)
  assert.doesNotMatch(second.said(), /interrupted/)
})
