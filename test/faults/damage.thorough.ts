import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import type { CheckResult } from '../../operations/doctor/check.ts'
import { startEmbedded } from '../../operations/embedded/embedded.ts'
import { openAsOwner } from '../../server/platform/database/connect.ts'
import type { Sql } from '../../server/platform/database/sql.ts'
import { freePort } from '../app.ts'
import { runCommand } from '../command-line.ts'
import { ask } from '../people.ts'
import { startService } from '../service.ts'
import { until } from '../until.ts'

/** What may happen to the files of an installation: operations/doctor/damage.test.ts has the rest of the list. Each is a copy of this one. */
const base = mkdtempSync(join(tmpdir(), 'lead-engine-damage-'))
const PORT = String(await freePort())
const leads = 200
const key = await prepare()
after(() => {
  if (cannotMount === false) execFileSync('umount', ['--lazy', disk])
  rmSync(base, { recursive: true, force: true })
})

async function prepare(): Promise<string> {
  const env = { DATA_DIR: join(base, 'data'), BACKUP_DIR: join(base, 'backups') }
  mkdirSync(env.BACKUP_DIR)
  const first = await startService(env)
  const [found] = /le_live_\w+/.exec(first.said())!
  for (let n = 0; n < leads; n++) {
    const lead = { name: `Lead ${n}`, phone: String(9810000000 + n), notes: 'x'.repeat(1000) }
    assert.equal((await ask(first.url, found, 'POST', '/api/v1/leads', lead)).status, 201)
  }
  await until(() => readdirSync(env.BACKUP_DIR).some((name) => name.endsWith('.backup')), 'the first backup is made')
  await first.end()
  // The one of the service may be from before the leads.
  for (const name of readdirSync(env.BACKUP_DIR)) rmSync(join(env.BACKUP_DIR, name))
  const file = join(env.BACKUP_DIR, 'lead-engine-2099-01-01T20-30-00Z.backup')
  assert.equal((await runCommand(['backup', file], env)).status, 0)
  return found
}

function copy(t: TestContext, folder = mkdtempSync(join(base, 'copy-'))) {
  const env = { DATA_DIR: join(folder, 'data'), BACKUP_DIR: join(folder, 'backups'), PORT }
  for (const [of, to] of [
    ['data', env.DATA_DIR],
    ['backups', env.BACKUP_DIR],
  ] as const)
    execFileSync('cp', ['-a', join(base, of), to])
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return { env, data: env.DATA_DIR, postgres: join(env.DATA_DIR, 'postgres') }
}

async function doctor(env: Record<string, string>, ...options: string[]): Promise<CheckResult[]> {
  const { out, err } = await runCommand(['doctor', '--json', ...options], env)
  assert.equal(err, '')
  return JSON.parse(out).checks.filter(({ ok, checked }: CheckResult) => checked && !ok)
}

/** Runs what the advice names. */
async function follow(fix: string, env: Record<string, string>) {
  const [, restore] = /: lead-engine (restore \S+\.backup --yes --keep)\./.exec(fix)!
  const { status, err } = await runCommand(restore!.split(' '), env)
  assert.equal(status, 0, err)
}

async function assertWorks(env: Record<string, string>) {
  assert.deepEqual(await doctor(env), [])
  const service = await startService(env)
  const { status, body } = await ask(service.url, key, 'GET', '/api/v1/leads?limit=1')
  await service.end()
  assert.deepEqual([status, body.pagination?.total], [200, leads])
}

async function withDatabase<T>(data: string, work: (sql: Sql, open: () => Sql) => PromiseLike<T>): Promise<T> {
  const { connection, stop } = await startEmbedded(data, () => {}, { create: false })
  const open = () => openAsOwner(connection, { max: 1 })
  const sql = open()
  try {
    return await work(sql, open)
  } finally {
    await sql.end()
    await stop()
  }
}

function damagePage(file: string) {
  const opened = openSync(file, 'r+')
  writeSync(opened, Buffer.alloc(200, 0xee), 0, 200, 8192 + 4000)
  closeSync(opened)
}

test('a lost password of the embedded database is set again, when its server is stopped', async (t) => {
  const { env, data } = copy(t)
  const running = await startService(env)
  rmSync(join(data, 'postgres.password'))
  const rejected = await doctor(env, '--repair')
  assert.match(
    rejected[0]!.message + rejected[0]!.fix,
    /is missing\. The database runs: stop the service first\.Stop the service/,
  )
  await running.end()
  const [found, ...others] = await doctor(env)
  assert.deepEqual([found!.name, others], ['database', []])
  assert.match(found!.message, /postgres\.password with the password of the embedded database is missing\.$/)
  assert.match(
    found!.fix!,
    /^Stop the service.*lead-engine doctor --repair\. That sets another password and loses no data\.$/,
  )
  assert.deepEqual(await doctor(env, '--repair'), [])
  assert.equal(statSync(join(data, 'postgres.password')).mode & 0o777, 0o600)
  await assertWorks(env)
  writeFileSync(join(data, 'postgres.password'), 'another\n')
  const [wrong] = await doctor(env)
  assert.match(wrong!.fix!, /remove that file, and run lead-engine doctor --repair/)
  rmSync(join(data, 'postgres.password'))
  assert.deepEqual(await doctor(env, '--repair'), [])
  await assertWorks(env)
})

test('a damaged page of an index is found, and the index made again', async (t) => {
  const { env, data, postgres } = copy(t)
  const file = await withDatabase(data, async (sql) => {
    const [row] = await sql`select pg_relation_filepath('leads_by_name') as file`
    return row!.file
  })
  damagePage(join(postgres, file))
  const [found, ...others] = await doctor(env)
  assert.deepEqual([found!.name, others], ['indexes', []])
  assert.match(found!.message, /^Damaged indexes: leads_by_name \(invalid page in block 1 of relation/)
  assert.match(found!.fix!, /lead-engine doctor --repair, or .*: reindex index leads_by_name\./)
  assert.deepEqual(await doctor(env, '--repair'), [])
  await assertWorks(env)
})

test('a transaction that blocks others is named, and the statement that ends it helps', async (t) => {
  const { env, data } = copy(t)
  await withDatabase(data, async (sql, open) => {
    const blocking = open()
    const { promise: locked, resolve } = Promise.withResolvers<void>()
    const ended = blocking
      .begin(async (tx) => {
        await tx`lock table migrations in access exclusive mode`
        resolve()
        await tx`select pg_sleep(600)`
      })
      .catch((error) => error)
    await locked
    const [found] = await doctor(env)
    assert.match(`${found!.message} ${found!.fix}`, /Process \d+ of PostgreSQL \(lead-engine\).*migrations/)
    await sql.unsafe(/select pg_terminate_backend\(\d+\)/.exec(found!.fix!)![0])
    assert.equal((await ended).code, '57P01')
    await blocking.end({ timeout: 1 })
  })
  await assertWorks(env)
})

test('a setting that keeps PostgreSQL from starting is named, and no restore is advised', async (t) => {
  const { env, data, postgres } = copy(t)
  await withDatabase(data, (sql) => sql`alter system set shared_preload_libraries = 'pg_stat_statments'`)
  const [found] = await doctor(env)
  assert.equal(found!.name, 'database')
  assert.match(found!.fix!, /no data is damaged.*postgresql\.auto\.conf has: shared_preload_libraries = /)
  writeFileSync(join(postgres, 'postgresql.auto.conf'), '')
  await assertWorks(env)
})

test('a data folder that every user may change is found', async (t) => {
  const { env, data } = copy(t)
  chmodSync(data, 0o777)
  const [found, ...others] = await doctor(env)
  assert.deepEqual([found!.name, found!.fix, others], ['data_folder', `chmod go-w '${data}'`, []])
  execFileSync('sh', ['-c', found!.fix!])
  await assertWorks(env)
})

test('a damaged page of a table is found, and the backup restored', async (t) => {
  const { env, data, postgres } = copy(t)
  const file = await withDatabase(data, async (sql) => {
    const [row] = await sql`select pg_relation_filepath('leads') as file`
    return row!.file
  })
  damagePage(join(postgres, file))
  const [found] = await doctor(env)
  assert.equal(found!.name, 'storage')
  assert.match(found!.message, /^A file of the table leads is damaged: invalid page in block 1 of relation/)
  await follow(found!.fix!, env)
  await assertWorks(env)
})

const lost: Record<string, (postgres: string) => void> = {
  pg_control: (postgres) => rmSync(join(postgres, 'global', 'pg_control')),
  'the content of pg_control': (postgres) => writeFileSync(join(postgres, 'global', 'pg_control'), Buffer.alloc(8192)),
  PG_VERSION: (postgres) => rmSync(join(postgres, 'PG_VERSION')),
  pg_wal: (postgres) => rmSync(join(postgres, 'pg_wal'), { recursive: true }),
  'the files in pg_wal': (postgres) => {
    for (const name of readdirSync(join(postgres, 'pg_wal')))
      if (/^0000/.test(name)) rmSync(join(postgres, 'pg_wal', name))
  },
}
for (const [name, lose] of Object.entries(lost)) {
  test(`an embedded database without ${name} does not start, and the backup is restored`, async (t) => {
    const { env, postgres } = copy(t)
    lose(postgres)
    const start = await runCommand(['serve'], env)
    assert.notEqual(start.status, 0)
    assert.match(start.err, /lead-engine doctor/)
    const [found, ...others] = await doctor(env)
    assert.deepEqual(others, [])
    assert.match(found!.message + found!.fix, /damaged/)
    await follow(found!.fix!, env)
    await assertWorks(env)
  })
}

const disk = join(base, 'disk')
const cannotMount = (() => {
  mkdirSync(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=755', 'tmpfs', disk], { stdio: 'pipe' })
    return false
  } catch (error) {
    return `a small file system cannot be mounted here: ${(error as Error).message.split('\n')[0]}`
  }
})()
test('a full disk is found while the service runs and while it is stopped', { skip: cannotMount }, async (t) => {
  const folder = join(disk, 'installation')
  mkdirSync(folder)
  const { env } = copy(t, folder)
  const service = await startService(env)
  const ballast = join(disk, 'ballast')
  const fill = () => {
    const { bavail, bsize } = statfsSync(disk)
    try {
      appendFileSync(ballast, Buffer.alloc(bavail * bsize))
    } catch (error) {
      // The database took some of it meanwhile: the disk is full too.
      if ((error as { code?: string }).code !== 'ENOSPC') throw error
    }
  }
  fill()
  let status = 201
  for (let n = 0; status === 201; n++) {
    const lead = { name: 'Full', phone: String(9700000000 + n), notes: 'y'.repeat(15_000) }
    status = (await ask(service.url, key, 'POST', '/api/v1/leads', lead)).status
  }
  assert.equal(status, 503)
  const ready = await ask(service.url, null, 'GET', '/readyz')
  assert.deepEqual([ready.status, /its disk is full/.test(ready.body.error.message)], [503, true])
  const running = await doctor(env)
  assert.deepEqual(
    running.map(({ name }) => name).filter((name) => ['disk_space', 'writes'].includes(name)),
    ['disk_space', 'writes'],
  )
  await service.end()
  fill()
  const stopped = (await doctor(env)).find(({ name }) => name === 'database')!
  assert.match(stopped.message, /No space left on device/)
  assert.match(stopped.fix!, /^Free space on the disk of .*Then start the service: no data is lost\.$/)
  rmSync(ballast)
  const again = await startService(env)
  assert.equal((await ask(again.url, null, 'GET', '/readyz')).status, 200)
  await again.end()
})
