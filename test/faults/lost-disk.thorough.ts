import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '../../operations/embedded/embedded.ts'
import { openAsOwner } from '../../server/platform/database/connect.ts'
import { runCommand } from '../command-line.ts'
import { acknowledgedIn, compareLedger, newLedger, type Target, writeUntil } from '../ledger.ts'
import { ask } from '../people.ts'
import { assertCountsHold } from '../records.ts'
import { startS3Server } from '../s3-server.ts'
import { startService } from '../service.ts'
import { until } from '../until.ts'

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-lost-disk-'))
const s3 = await startS3Server()
after(() => {
  s3.close()
  rmSync(folder, { recursive: true, force: true })
})
const keyFile = join(folder, 'key')
writeFileSync(keyFile, 'a key of more than thirty-two characters')
const env = {
  ...s3.env,
  CONTINUOUS_BACKUP_KEY_FILE: keyFile,
  DATA_DIR: join(folder, 'data'),
  METRICS_FROM: '127.0.0.1',
}

type Service = Awaited<ReturnType<typeof startService>>

async function metric({ url }: Service, name: string): Promise<number> {
  const { body } = await ask(url, null, 'GET', '/metrics')
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1])
}

/** Kills service, continuous backup and database at once, as a power failure does, and deletes all files. */
async function loseMachine(service: Service): Promise<void> {
  const [server] = readFileSync(join(env.DATA_DIR, 'postgres/postmaster.pid'), 'utf8').split('\n')
  const children = readFileSync(`/proc/${service.child.pid}/task/${service.child.pid}/children`, 'utf8')
    .trim()
    .split(' ')
  for (const pid of [service.child.pid!, ...children.map(Number), Number(server)]) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // Gone already.
    }
  }
  await service.end('SIGKILL')
  rmSync(env.DATA_DIR, { recursive: true, force: true })
}

async function withRestored<T>(work: (owner: ReturnType<typeof openAsOwner>) => Promise<T>): Promise<T> {
  const embedded = await startEmbedded(env.DATA_DIR, () => {}, { create: false })
  const owner = openAsOwner(embedded.connection, { max: 1 })
  try {
    return await work(owner)
  } finally {
    await owner.end()
    await embedded.stop()
  }
}

let target: Target

test('a machine lost under load costs less than 5 seconds of acknowledged writes, three times', {
  timeout: 280_000,
}, async (t) => {
  const ledger = newLedger()
  let service = await startService(env)
  t.after(() => service.end('SIGKILL'))
  await until(() => service.said().includes('le_live_'))
  const key = /le_live_\w+/.exec(service.said())![0]
  const created = await runCommand(
    ['webhook', 'create', '--account', 'My company', '--name', 'Site', '--source', 'Site', '--json'],
    env,
  )
  target = { url: service.url, key, webhook: new URL(JSON.parse(created.out).url).pathname }
  for (let loss = 1; loss <= 3; loss++) {
    await until(async () => (await metric(service, 'lead_engine_continuous_backup_last_base_seconds')) > 0)
    const stop = new AbortController()
    const before = acknowledgedIn(ledger)
    const writing = writeUntil(stop.signal, target, ledger)
    await until(() => acknowledgedIn(ledger) > before + 1000)
    await sleep(Math.random() * 2000)
    const lostAt = Date.now()
    await loseMachine(service)
    stop.abort()
    await writing

    const restored = await runCommand(['restore', '--latest', '--json'], env)
    assert.equal(restored.status, 0, restored.err)
    const { restored_to } = JSON.parse(restored.out)
    service = await startService({ ...env, PORT: service.port })
    const { lost, doubled } = await withRestored(async (owner) => {
      // The service finishes what it had recorded before a 503.
      await until(async () => (await owner`select from deliveries where outcome = 'waiting'`).length === 0)
      await assertCountsHold(owner)
      return compareLedger(owner, ledger)
    })
    assert.deepEqual(doubled, [])
    const oldest = Math.min(lostAt, ...lost.map(({ at }) => at))
    const [first] = lost
    t.diagnostic(
      `loss ${loss}: ${acknowledgedIn(ledger)} acknowledged, ${lost.length} lost, all within ${lostAt - oldest} ms before it` +
        `${first ? `, such as ${first.what}` : ''}; restored to ${lostAt - Date.parse(restored_to)} ms before it`,
    )
    assert.ok(lostAt - oldest <= 5000, `writes of ${lostAt - oldest} ms before the loss are lost`)
    // What it says is true: all that was acknowledged before that time is there.
    assert.ok(lost.every(({ at }) => at >= Date.parse(restored_to)))
    // They are lost, and must not count against the next time.
    for (const { what } of lost) ledger.sent.delete(what.split(' ')[1]!)
    for (const [mark, { acknowledged }] of ledger.sent) if (!acknowledged) ledger.sent.delete(mark)
  }
  t.diagnostic(
    `${s3.objects.size} objects, ${(s3.control.bytes / 1e6).toFixed(0)} MB sent in ${s3.control.requests} requests`,
  )
  assert.equal(await service.end(), 0)
  assert.doesNotMatch(service.said(), /"level":50/)
})

test('a bucket that fails is reported, costs no write, and is caught up with', { timeout: 200_000 }, async (t) => {
  const service = await startService({ ...env, PORT: new URL(target.url).port })
  t.after(() => service.end('SIGKILL'))
  const lag = () => metric(service, 'lead_engine_continuous_backup_lag_seconds')
  const backups = async () => (await runCommand(['doctor', '--json'], env)).out
  const faults = [
    [503, 'SlowDown', 'answered 503 SlowDown'],
    [403, 'AccessDenied', 'Allow this key to list the bucket'],
    [507, 'XMinioStorageFull', 'give it more disk'],
  ] as const
  await until(async () => (await lag()) === 0)
  for (const [status, code, said] of faults) {
    s3.control.fault = [status, code]
    const created = await ask(service.url, target.key, 'POST', '/api/v1/leads', {
      name: code,
      email: `${code}@x.example`,
    })
    assert.equal(created.status, 201)
    await until(async () => (await lag()) > 3 && service.said().includes(said))
    assert.match(await backups(), new RegExp(said))
    s3.control.fault = null
    await until(async () => (await lag()) === 0)
  }
  assert.match(
    (await runCommand(['backup', '--continuous'], env)).out,
    /^s3:\/\/backups\/lead-engine is up to date\.\n/,
  )
  assert.equal(await service.end(), 0)
})

test('the drill fails if the backup is damaged or incomplete, and Admins and metrics say so', {
  timeout: 200_000,
}, async (t) => {
  const service = await startService({ ...env, PORT: new URL(target.url).port })
  t.after(() => service.end('SIGKILL'))
  const failed = () => metric(service, 'lead_engine_restore_drill_failed')
  const drill = () => runCommand(['restore', '--drill'], env)
  await until(async () => (await metric(service, 'lead_engine_restore_drill_last_run_seconds')) > 0)
  assert.match((await drill()).out, /^The continuous backup can be restored: 1 account and /)
  const newest = (part: string) =>
    [...s3.objects.keys()]
      .filter((key) => key.includes(part))
      .sort()
      .at(-1)!

  for (const part of ['/base/', '/log/']) {
    const key = part === '/base/' ? newest(part).replace('manifest', '00001') : newest(part)
    const { content, at } = s3.objects.get(key)!
    const damaged = Buffer.from(content)
    damaged[damaged.length >> 1]! ^= 1
    s3.objects.set(key, { content: damaged, at })
    const ended = await drill()
    assert.deepEqual([ended.status, /in the continuous backup is damaged/.test(ended.err)], [1, true], ended.err)
    await until(async () => (await failed()) === 1)
    assert.match((await runCommand(['doctor'], env)).out, /The last restore drill failed: .* is damaged/)
    s3.objects.set(key, { content, at })
    assert.equal((await drill()).status, 0)
    await until(async () => (await failed()) === 0)
  }
  const missing = newest('/base/').replace('manifest', '00002')
  const { content, at } = s3.objects.get(missing)!
  s3.objects.delete(missing)
  assert.match((await drill()).err, /00002 in the continuous backup is missing/)
  s3.objects.set(missing, { content, at })
  assert.equal(await service.end(), 0)
})

test('with the bucket away, the log takes at most 2 GB; after that a new history begins', {
  timeout: 280_000,
}, async (t) => {
  const service = await startService({ ...env, PORT: new URL(target.url).port })
  t.after(() => service.end('SIGKILL'))
  const histories = () => [...s3.objects.keys()].filter((key) => key.includes('/histories/')).length
  await until(async () => (await metric(service, 'lead_engine_continuous_backup_lag_seconds')) === 0)
  const before = histories()
  s3.control.fault = [503, 'SlowDown']
  await withRestored(async (owner) => {
    const lost = async () => (await owner`select from pg_replication_slots where wal_status = 'lost'`).length === 1
    let maxBytes = 0
    // Each adds a file of 16 MB.
    for (let files = 0; !(await lost()); files++) {
      assert.ok(files < 400, 'the log was never removed')
      await owner`select pg_logical_emit_message(true, 'test', 'test')`
      await owner`select pg_switch_wal()`
      const [{ bytes }] = (await owner`select sum(size)::float8 as bytes from pg_ls_waldir()`) as unknown as [
        { bytes: number },
      ]
      maxBytes = Math.max(maxBytes, bytes)
      // Would wait for ever if the session could not be ended.
      if (files % 10 === 9) await owner`checkpoint`
    }
    t.diagnostic(`the log took ${(maxBytes / 1e9).toFixed(2)} GB at most`)
    assert.ok(maxBytes < 3e9)
  })
  s3.control.fault = null
  await until(() => histories() === before + 1)
  await until(async () => (await metric(service, 'lead_engine_continuous_backup_lag_seconds')) === 0)
  assert.match(service.said(), /because PostgreSQL no longer has all of its log/)
  assert.match((await runCommand(['restore', '--drill'], env)).out, /^The continuous backup can be restored/)
  assert.equal(await service.end(), 0)
})
