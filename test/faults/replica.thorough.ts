import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { diagnose } from '../../operations/doctor/diagnose.ts'
import { startEmbedded } from '../../operations/embedded/embedded.ts'
import { type Connection, connect, openAsOwner } from '../../server/platform/database/connect.ts'
import { readDatabaseSettings } from '../../server/platform/database/database-settings.ts'
import { migrate } from '../../server/platform/database/migrate.ts'
import { listSignIns } from '../../server/platform/database/service-roles.ts'
import { freePort, serve } from '../app.ts'
import { databaseUrl } from '../command-line.ts'
import { ask, type Player, people, signedIn } from '../people.ts'
import { startService } from '../service.ts'
import { until } from '../until.ts'

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-replica-'))
const [ofPrimary, ofReplica] = [join(folder, 'primary'), join(folder, 'replica')]
const start = (dataDir: string) => startEmbedded(dataDir, () => {}, { durable: false })

/** A copy of a stopped server that follows it when both run again. */
async function startPair() {
  const first = await start(ofPrimary)
  const owner = openAsOwner(first.connection, { max: 1 })
  await migrate(owner)
  const signIns = (await listSignIns(owner, first.connection))!
  await owner.end()
  await first.stop()
  execFileSync('cp', ['-a', ofPrimary, ofReplica])
  const { host, port, username, password } = first.connection
  const follow = `host=${host} port=${port} user=${username} password=${password}`
  appendFileSync(join(ofReplica, 'postgres/postgresql.auto.conf'), `primary_conninfo = '${follow}'\n`)
  writeFileSync(join(ofReplica, 'postgres/standby.signal'), '')
  return { signIns, primary: await start(ofPrimary), replica: await start(ofReplica) }
}

const pair = await startPair()
const at = ({ host, port }: Connection) => ({ ...pair.signIns.app, host, port })
const ownerOfReplica = openAsOwner(pair.replica.connection, { max: 1 })
const lines: string[] = []
let offset = 0
const database = connect(pair.signIns, {
  replica: at(pair.replica.connection),
  log: (line) => lines.push(line),
  now: () => performance.now() + offset,
})
const served = await serve(database)
after(async () => {
  await served.close()
  await database.close()
  await ownerOfReplica.end()
  await pair.replica.stop()
  await pair.primary.stop()
  rmSync(folder, { recursive: true, force: true })
})
const { asha, meena, bela, chand, zoya } = await people(served)
const place = { directory: database.directory, url: served.url }
const pages = new Map<Player, Awaited<ReturnType<typeof signedIn>>>()
for (const player of [asha, meena, zoya]) pages.set(player, await signedIn(place, player))

async function create(player: Player) {
  const lead = { name: 'Ravi', email: `${crypto.randomUUID()}@x.example` }
  const { status, body } = await player.send('POST', '/api/v1/leads', lead)
  assert.equal(status, 201)
  return body.data.id as string
}

/** How many leads the overview, the export and the list show to a user. */
async function shown(player: Player) {
  const page = pages.get(player)!
  const [overview, file, list] = await Promise.all(
    ['/web/overview', '/web/leads.csv', '/web/leads'].map((path) => page.send('GET', path)),
  )
  for (const { status, body } of [overview!, file!, list!]) assert.equal(status, 200, JSON.stringify(body))
  const people = overview!.body.data.people as { leads: number }[]
  return {
    overview: people.reduce((sum, { leads }) => sum + leads, 0),
    exported: (file!.body as string).trim().split('\n').length - 1,
    listed: list!.body.pagination.total as number,
  }
}

const all = (n: number) => ({ overview: n, exported: n, listed: n })
const shows = async (player: Player, expected: object) =>
  JSON.stringify(await shown(player)) === JSON.stringify(expected)

const pauseReplay = async () => {
  await ownerOfReplica`select pg_wal_replay_pause()`
  await until(async () => {
    const [state] = await ownerOfReplica`select pg_get_wal_replay_pause_state() as is`
    return state!.is === 'paused'
  }, 'the replica pauses')
}
const resumeReplay = () => ownerOfReplica`select pg_wal_replay_resume()`
const used = async () =>
  (await ask(served.url, null, 'GET', '/metrics')).body.match(/^lead_engine_replica_used (\d)$/m)[1]

test('the overview and exports are read from the replica, with the same visibility, and lists from the primary', async () => {
  for (const player of [bela, bela, chand]) await create(player)
  await until(() => database.replica!.isUsed, 'the replica is used')
  await until(() => shows(asha, all(3)), 'the replica has all leads')
  assert.equal(await used(), '1')
  await pauseReplay()
  await create(bela)
  assert.deepEqual(await shown(asha), { overview: 3, exported: 3, listed: 4 })
  assert.deepEqual(await shown(meena), { overview: 2, exported: 2, listed: 3 })
  assert.deepEqual(await shown(zoya), all(0))
  await resumeReplay()
  await until(() => shows(meena, all(3)), 'the replica follows')
})

test('a replica that is too far behind is not used until it has caught up', async () => {
  await until(() => database.replica!.isUsed, 'the replica is used')
  await pauseReplay()
  await create(chand)
  const { overview } = await shown(asha)
  assert.equal(overview, 4)
  offset += 11_000
  assert.deepEqual(await shown(asha), all(5))
  await until(() => lines.at(-1)!.includes('more than 10 seconds behind'), 'the log says it')
  assert.equal(await used(), '0')
  assert.deepEqual(await shown(asha), all(5))
  await resumeReplay()
  await until(() => database.replica!.isUsed, 'the replica is used again')
  assert.match(lines.at(-1)!, /^The replica is used/)
  assert.deepEqual(await shown(asha), all(5))
})

test('doctor says whether the replica follows', async () => {
  const check = async (url: Connection) => {
    const env = { DATABASE_URL: databaseUrl(pair.primary.connection), DATABASE_READ_URL: databaseUrl(url) }
    const checks = await diagnose({ env, repair: 'nothing', onProgress: () => {} })
    return checks.find(({ name }) => name === 'replica')!
  }
  const following = await check(pair.replica.connection)
  assert.deepEqual([following.ok, following.message], [true, 'The replica follows the database.'])
  const primary = await check(pair.primary.connection)
  assert.deepEqual([primary.ok, primary.message], [false, 'DATABASE_READ_URL leads to a server that is no replica.'])
  await pauseReplay()
  await database.directory`update sessions set updated_at = updated_at`
  const behind = await check(pair.replica.connection)
  assert.match(behind.message, /^The replica is more than 10 seconds behind/)
  await resumeReplay()
  const away = await check({ ...pair.replica.connection, port: await freePort() })
  assert.match(away.message, /^DATABASE_READ_URL: /)
})

test('while the replica ends, every request is answered from the primary', async (t) => {
  await until(() => database.replica!.isUsed, 'the replica is used')
  let going = true
  let answered = 0
  let slowest = 0
  const reading = async () => {
    for (; going; answered++) {
      const since = performance.now()
      assert.deepEqual(await shown(asha), all(5))
      slowest = Math.max(slowest, performance.now() - since)
    }
  }
  const readers = [reading(), reading()]
  const grown = async () => {
    const before = answered
    await until(() => answered > before + 5, 'requests are answered')
  }
  const slowestSince = () => {
    const ms = Math.round(slowest)
    slowest = 0
    return ms
  }
  await grown()
  const before = slowestSince()
  await ownerOfReplica.end()
  await pair.replica.stop()
  await grown()
  await until(() => !database.replica!.isUsed, 'the replica is not used')
  await until(() => /^The replica is not used/.test(lines.at(-1)!), 'the log says it')
  await grown()
  t.diagnostic(
    `overview, export and list took at most ${before} ms before, and ${slowestSince()} ms while the replica ended`,
  )
  pair.replica = await start(ofReplica)
  await until(() => database.replica!.isUsed, 'the replica is used again')
  await grown()
  going = false
  await Promise.all(readers)
})

test('a replica that hangs is not used, and no request fails', async () => {
  const owner = openAsOwner(pair.replica.connection, { max: 1 })
  const backends = await owner<{ pid: number }[]>`select pid from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`
  await owner.end()
  const postmaster = Number(readFileSync(join(ofReplica, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  const pids = [postmaster, ...backends.map(({ pid }) => pid)]
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  try {
    assert.deepEqual(await shown(asha), all(5))
    await until(() => !database.replica!.isUsed, 'the replica is not used')
    assert.deepEqual(await shown(asha), all(5))
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
  await until(() => database.replica!.isUsed, 'the replica is used again')
  assert.deepEqual(await shown(asha), all(5))
})

test('a server that is no replica is not used', async () => {
  const said: string[] = []
  const other = connect(pair.signIns, { replica: at(pair.primary.connection), log: (line) => said.push(line) })
  await until(() => said.length > 0, 'the log says it')
  await other.close()
  assert.match(said[0]!, /^The replica is not used \(DATABASE_READ_URL leads to a server that is no replica\)/)
})

test('the service uses the replica of DATABASE_READ_URL in all its processes', async (t) => {
  const service = await startService({
    DATABASE_URL: databaseUrl(pair.primary.connection),
    DATABASE_READ_URL: databaseUrl({ ...pair.replica.connection, username: 'other', password: 'unknown' }),
    WORKERS: '2',
  })
  t.after(() => service.end())
  const metrics = async () => (await ask(service.url, null, 'GET', '/metrics')).body as string
  await until(
    async () => (await metrics()).match(/^lead_engine_replica_used\{worker="\w+"\} 1$/gm)?.length === 3,
    'all processes use it',
  )
})

test('DATABASE_READ_URL needs a database of your own', () => {
  assert.throws(
    () => readDatabaseSettings({ DATABASE_READ_URL: 'postgres://db/leads' }),
    /^Error: DATABASE_READ_URL needs DATABASE_URL: /,
  )
})
