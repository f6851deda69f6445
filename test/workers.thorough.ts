import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { startEmbedded } from '../operations/embedded/embedded.ts'
import { isAlive } from '../operations/embedded/server.ts'
import { openAsOwner } from '../server/platform/database/connect.ts'
import { databaseUrl, runCommand } from './command-line.ts'
import { testDatabase } from './database.ts'
import { acknowledgedIn, assertLedgerHolds, newLedger, writeUntil } from './ledger.ts'
import { ask } from './people.ts'
import { startService } from './service.ts'
import { until } from './until.ts'

const store = await testDatabase()
after(store.close)
const env = { DATABASE_URL: databaseUrl(store.connection), WORKERS: '2' }
const account = await runCommand(['setup', '--account', 'A', '--email', 'a@x.example', '--name', 'A', '--json'], env)
const key: string = JSON.parse(account.out).api_key

type Service = Awaited<ReturnType<typeof startService>>

/** The service with two workers that listen. */
async function startWorkers(t: TestContext, given: Record<string, string>): Promise<Service> {
  const service = await startService(given)
  t.after(async () => {
    if (!t.passed) t.diagnostic(service.said().slice(-3000))
    await service.end('SIGKILL')
  })
  await until(() => listening(service).length === 2, 'two workers listen')
  return service
}

/** The processes that log that they listen, and live. */
const listening = ({ said }: Service) =>
  [...said().matchAll(/"pid":(\d+),.*"msg":"Server listening/g)].map(([, pid]) => Number(pid)).filter(isAlive)

/** A request on a connection of its own, which any worker may accept. */
const alone = ({ url }: Service, method: string, path: string, body?: unknown, secret = key) =>
  ask(url, secret, method, path, body, { connection: 'close' })

async function samples(service: Service): Promise<Map<string, number>> {
  const { status, body } = await alone(service, 'GET', '/metrics')
  assert.equal(status, 200)
  const lines = (body as string).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

const creates = (worker: number, status: number) =>
  `lead_engine_request_seconds_count{method="POST",route="/api/v1/leads",status="${status}",worker="${worker}"}`

test('two workers share the port, and count requests together', { timeout: 120_000 }, async (t) => {
  const service = await startWorkers(t, { ...env, RATE_LIMIT_PER_MINUTE: '40' })
  const create = () =>
    alone(service, 'POST', '/api/v1/leads', { name: 'Ravi', email: `${crypto.randomUUID()}@x.example` })
  const start = performance.now()
  const answers = await Promise.all(Array.from({ length: 60 }, create))
  const allowed = answers.filter(({ status }) => status === 201)
  const remaining = allowed.map(({ headers }) => Number(headers.get('x-ratelimit-remaining'))).sort((a, b) => a - b)
  assert.deepEqual(
    remaining,
    Array.from({ length: 40 }, (_, n) => n),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201, 429]))
  assert.equal((await store.owner`select from leads`).length, 40)

  // Both answered, and each scrape shows both, whichever worker it reaches.
  await until(async () => {
    await create()
    const found = await samples(service)
    return [1, 2].every((worker) => found.get(creates(worker, 429))! > 0)
  }, 'both workers answer')
  const found = await samples(service)
  assert.equal((found.get(creates(1, 201)) ?? 0) + (found.get(creates(2, 201)) ?? 0), 40)
  for (const worker of ['1', '2', 'primary']) assert.equal(found.get(`lead_engine_live_streams{worker="${worker}"}`), 0)

  // The counts do not end with a worker.
  const [first] = listening(service)
  process.kill(first!, 'SIGKILL')
  await until(() => listening(service).length === 2 && !listening(service).includes(first!), 'a third worker listens')
  const rejected = []
  for (let n = 0; n < 10; n++) rejected.push((await create()).status)
  // A busy machine may take longer than the minute that is counted.
  if (performance.now() - start < 59_000) {
    assert.deepEqual(new Set(rejected), new Set([429]))
    assert.equal((await store.owner`select from leads`).length, 40)
  }
  assert.equal((await samples(service)).get('lead_engine_worker_restarts_total{worker="primary"}'), 1)
  assert.match(
    service.said(),
    new RegExp(`"worker":${first},"reason":"SIGKILL".*"msg":"a worker ended and is started again"`),
  )

  // Each hears of a revoked key.
  const [{ id }] = JSON.parse((await runCommand(['key', 'list', '--json'], env)).out)
  assert.equal((await runCommand(['key', 'revoke', id], env)).status, 0)
  await until(async () => (await create()).status === 401, 'the key is rejected')
  for (let n = 0; n < 10; n++) assert.equal((await create()).status, 401)
})

test('while the primary process hangs, each worker counts by itself', { timeout: 120_000 }, async (t) => {
  const created = await runCommand(
    ['key', 'create', '--user', 'a@x.example', '--name', 'K', '--permissions', 'read', '--json'],
    env,
  )
  const secret: string = JSON.parse(created.out).key
  const service = await startWorkers(t, { ...env, RATE_LIMIT_PER_MINUTE: '10' })
  const list = () => alone(service, 'GET', '/api/v1/leads', undefined, secret)
  assert.equal((await list()).headers.get('x-ratelimit-remaining'), '9')
  service.child.kill('SIGSTOP')
  t.after(() => service.child.kill('SIGCONT'))
  const statuses = []
  for (let n = 0; n < 22; n++) statuses.push((await list()).status)
  // Each worker allows its own ten.
  assert.ok(statuses.filter((status) => status === 200).length <= 20)
  assert.deepEqual(new Set(statuses), new Set([200, 429]))
  assert.match(service.said(), /Each worker counts requests by itself/)
  service.child.kill('SIGCONT')
  await until(async () => {
    await list()
    return /the workers count requests together/.test(service.said())
  }, 'they count together again')
})

test('workers end with their primary process, also when it is killed', { timeout: 120_000 }, async (t) => {
  const service = await startWorkers(t, env)
  const workers = listening(service)
  assert.equal(await service.end('SIGKILL'), null)
  await until(() => !workers.some(isAlive), 'the workers end')
})

test('a port in use stops the start, and is said once', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const service = await runCommand(['serve'], { ...env, PORT: String((other.address() as AddressInfo).port) })
  assert.equal(service.status, 1)
  assert.equal(service.err.match(/Port \d+ on 127\.0\.0\.1 is in use\. Set PORT to another one\./g)?.length, 1)
})

test('kill -9 of workers loses nothing that is acknowledged; SIGTERM ends all processes, then the database', {
  timeout: 170_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'lead-engine-workers-'))
  const own = { DATA_DIR: join(folder, 'data'), WORKERS: '2' }
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const service = await startWorkers(t, own)
  const made = await runCommand(
    ['webhook', 'create', '--account', 'My company', '--name', 'Site', '--source', 'Site', '--json'],
    own,
  )
  const webhook = new URL(JSON.parse(made.out).url).pathname
  const target = { url: service.url, key: /le_live_\w+/.exec(service.said())![0], webhook }
  const ledger = newLedger()
  const stop = new AbortController()
  t.after(() => stop.abort())
  const writing = writeUntil(stop.signal, target, ledger)
  const acknowledged = () => acknowledgedIn(ledger)
  const grow = async () => {
    const before = acknowledged()
    await until(() => acknowledged() > before + 20, 'writes are acknowledged')
  }
  for (let kill = 0; kill < 3; kill++) {
    await grow()
    const before = listening(service)
    process.kill(before[kill % 2]!, 'SIGKILL')
    await grow()
    await until(() => listening(service).filter((pid) => !before.includes(pid)).length === 1, 'another worker listens')
  }
  await grow()
  stop.abort()
  await writing

  const processes = [...listening(service), postmasterOf(own.DATA_DIR)]
  assert.equal(processes.length, 3)
  assert.equal(await service.end(), 0)
  assert.deepEqual(processes.filter(isAlive), [])
  const embedded = await startEmbedded(own.DATA_DIR, () => {}, { create: false })
  const owner = openAsOwner(embedded.connection, { max: 1 })
  t.diagnostic(
    await assertLedgerHolds(owner, ledger).finally(async () => {
      await owner.end()
      await embedded.stop()
    }),
  )
})

const postmasterOf = (dataDir: string) =>
  Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
