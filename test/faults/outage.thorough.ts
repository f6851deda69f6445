import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '../../operations/embedded/embedded.ts'
import { connect, openAsOwner } from '../../server/platform/database/connect.ts'
import { migrate } from '../../server/platform/database/migrate.ts'
import { listSignIns } from '../../server/platform/database/service-roles.ts'
import { serve } from '../app.ts'
import { testDatabase } from '../database.ts'
import { type Answer, account, addPlayer, ask, people } from '../people.ts'
import { serveBehindWire } from '../proxy.ts'
import { lockLead, waitingForLock } from '../records.ts'
import { webhookOf } from '../webhooks.ts'

const store = await testDatabase()
after(store.close)

/** With an Admin and a webhook of a new account. */
async function behindWire(t: TestContext) {
  const { wire, database, served } = await serveBehindWire(t, store.signIns)
  const acme = await account(database, randomUUID())
  const asha = await addPlayer(database, served.url, acme, 'Asha', 'Admin', null)
  return { wire, served, asha, webhook: await webhookOf(served, acme) }
}

const newLead = () => ({ name: 'Ravi Kumar', email: `${randomUUID()}@example.com` })
const countLeads = async () => Number((await store.owner`select count(*) from leads`)[0]!.count)

function isAway({ status, body, headers }: Answer) {
  assert.deepEqual([status, body.error?.code], [503, 'UNAVAILABLE'])
  assert.match(headers.get('retry-after')!, /^[1-9]\d*$/)
  assert.ok(headers.get('x-request-id'))
}

/**
 * Milliseconds, counted by a timer of this process, in which the service runs too: how late a busy machine lets both of them
 * run is not counted.
 */
let ownTime = 0
setInterval(() => {
  ownTime += 10
}, 10).unref()

async function backWithin(ms: number, works: () => Promise<boolean>) {
  for (const deadline = Date.now() + ms; !(await works()); await sleep(20)) assert.ok(Date.now() < deadline, 'not back')
}

type Behind = Awaited<ReturnType<typeof behindWire>>

/** A second is the promise. Without it, requests would wait for a connection for two seconds or more. */
const aSecond = 1500

async function everyRouteIsUnavailable({ served, asha }: Behind) {
  const id = randomUUID()
  const asked: [string, Promise<Answer>][] = [
    ['list', asha.send('GET', '/api/v1/leads')],
    ['create', asha.send('POST', '/api/v1/leads', newLead())],
    ['delete', asha.send('DELETE', `/api/v1/leads/${id}`)],
    ['calls', asha.send('GET', '/api/v1/call-logs')],
    ['call', asha.send('POST', '/api/v1/call-logs', { lead_id: id, call_type: 'Inbound', duration_seconds: 1 })],
    ['ready', ask(served.url, null, 'GET', '/readyz')],
    [
      'session',
      ask(served.url, null, 'GET', '/auth/get-session', undefined, { cookie: 'lead-engine.session_token=x.y' }),
    ],
  ]
  const start = ownTime
  await Promise.all(
    asked.map(async ([name, answer]) => {
      const { status } = await answer
      const ms = ownTime - start
      assert.ok(ms < aSecond, `${name} took ${ms} ms`)
      if (name === 'session') assert.ok(status === 200 || status === 503, `${name} ${status}`)
      else isAway(await answer)
    }),
  )
  assert.equal((await ask(served.url, null, 'GET', '/healthz')).status, 200)
}

async function everyRouteWorks({ served, asha, webhook }: Behind) {
  const created = await asha.send('POST', '/api/v1/leads', newLead())
  assert.equal(created.status, 201)
  assert.equal((await asha.send('GET', '/api/v1/leads')).status, 200)
  assert.equal((await webhook.send(newLead())).status, 200)
  assert.equal((await ask(served.url, null, 'GET', '/readyz')).status, 200)
  // As many at once as there are connections, and more: none of them may be a broken one.
  const many = await Promise.all(Array.from({ length: 30 }, () => asha.send('GET', '/api/v1/leads')))
  assert.ok(many.every(({ status }) => status === 200))
}

const ready = (behind: Behind) => async () => (await ask(behind.served.url, null, 'GET', '/readyz')).status === 200

test('a database that rejects connections gives 503 within a second, and it is used again when it is back', async (t) => {
  const behind = await behindWire(t)
  await everyRouteWorks(behind)
  const before = await countLeads()
  await behind.wire.cut()
  await everyRouteIsUnavailable(behind)
  assert.equal(await countLeads(), before)
  const deliveries = Array.from({ length: 20 }, () => behind.webhook.send(newLead()))
  await behind.wire.open()
  await backWithin(3000, ready(behind))
  await everyRouteWorks(behind)
  await wereCreated(await Promise.all(deliveries))
})

async function wereCreated(answers: Answer[]) {
  for (const { status, body } of answers) assert.deepEqual([status, body.data?.status], [200, 'created'])
  const ids = answers.map(({ body }) => body.data.id)
  const [row] = await store.owner`select count(*)::int as n, count(distinct id)::int as ids from deliveries
    where outcome = 'created' and lead_id = any (${ids}::uuid[])`
  assert.deepEqual(row, { n: answers.length, ids: answers.length })
}

for (const after of ['answers again', 'comes back without the old connections']) {
  test(`a database that stops answering and ${after}`, async (t) => {
    const behind = await behindWire(t)
    await everyRouteWorks(behind)
    const running = Array.from({ length: 20 }, () => behind.asha.send('GET', '/api/v1/leads'))
    behind.wire.freeze()
    running.push(...Array.from({ length: 20 }, () => behind.asha.send('POST', '/api/v1/leads', newLead())))
    const deliveries = Array.from({ length: 5 }, () => behind.webhook.send(newLead()))
    const start = ownTime
    const answers = await Promise.all(running)
    const ms = ownTime - start
    assert.ok(ms < aSecond, `those under way took ${ms} ms`)
    assert.ok(answers.some(({ status }) => status === 503))
    for (const answer of answers) if (answer.status !== 200) isAway(answer)
    await everyRouteIsUnavailable(behind)
    if (after === 'answers again') behind.wire.thaw()
    else behind.wire.forgetOld()
    await backWithin(4000, ready(behind))
    await everyRouteWorks(behind)
    await wereCreated(await Promise.all(deliveries))
    const logged = behind.served.lines.filter(
      (line) => /"unexpected"|ALREADY_SENT/.test(line) || line.includes(behind.webhook.token),
    )
    assert.deepEqual(logged, [])
  })
}

test('when all connections are ended on the server, the next requests work', async (t) => {
  const behind = await behindWire(t)
  await everyRouteWorks(behind)
  await store.owner`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.catch(() => {})
  await backWithin(2000, ready(behind))
  await everyRouteWorks(behind)
})

for (const [what, end] of [
  ['cancelled', 'pg_cancel_backend'],
  ['cut off', 'pg_terminate_backend'],
] as const) {
  test(`a statement that waits for a lock and is ${what} is answered 503 and changes nothing`, async (t) => {
    const behind = await behindWire(t)
    const lead = newLead()
    const { id } = (await behind.asha.send('POST', '/api/v1/leads', lead)).body.data
    const release = await lockLead(store.owner, id)
    const merged = behind.asha.send('POST', '/api/v1/leads', { ...lead, city: 'Pune' })
    let ended = 0
    await backWithin(2000, async () => {
      const rows = await store.owner.unsafe(`select ${end}(pid) from (${waitingForLock}) waiting`)
      ended += rows.length
      return ended > 0
    })
    isAway(await merged)
    await release()
    const [row] = await store.owner`select city from leads where id = ${id}`
    assert.equal(row!.city, null)
    await backWithin(2000, ready(behind))
    assert.equal((await behind.asha.send('POST', '/api/v1/leads', { ...lead, city: 'Pune' })).status, 200)
  })
}

test('a deadlock is answered 503 with Retry-After', async (t) => {
  const behind = await behindWire(t)
  const error = Object.assign(new Error('deadlock detected'), { code: '40P01' })
  t.mock.method(behind.served.database, 'write', () => Promise.reject(error))
  isAway(await behind.asha.send('DELETE', `/api/v1/leads/${randomUUID()}`))
})

test('an embedded server that is killed while it serves is started again, and nothing acknowledged is lost', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'lead-engine-outage-'))
  const embedded = await startEmbedded(join(folder, 'data'), () => {})
  const owner = openAsOwner(embedded.connection, { max: 1 })
  await migrate(owner)
  const signIns = await listSignIns(owner, embedded.connection)
  await owner.end()
  const database = connect(signIns!)
  const served = await serve(database)
  t.after(async () => {
    await served.close()
    await database.close()
    await embedded.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const { asha } = await people(served)
  const acknowledged: string[] = []
  const create = async () => {
    const { status, body } = await asha.send('POST', '/api/v1/leads', newLead())
    if (status === 201) acknowledged.push(body.data.id)
    else assert.equal(status, 503, JSON.stringify(body))
    return status
  }
  assert.equal(await create(), 201)
  const postmaster = Number(readFileSync(join(folder, 'data/postgres/postmaster.pid'), 'utf8').split('\n')[0])
  process.kill(postmaster, 'SIGKILL')
  const seen = new Set<number>()
  await backWithin(20_000, async () => {
    seen.add(await create())
    return seen.has(503) && seen.has(201) && (await create()) === 201
  })
  assert.equal((await ask(served.url, null, 'GET', '/readyz')).status, 200)
  const rows = (await asha.send('GET', '/api/v1/leads?limit=500')).body.data
  for (const id of acknowledged) assert.ok(rows.some((row: { id: string }) => row.id === id))
})
