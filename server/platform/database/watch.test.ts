import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '#test/database.ts'
import { account, addPlayer } from '#test/people.ts'
import { serveBehindWire } from '#test/proxy.ts'
import { lockLead, waitingForLock } from '#test/records.ts'
import type { Sql } from './sql.ts'
import { type Outage, watchDatabase } from './watch.ts'

type Answering = () => Promise<unknown>

/** A watch over connections that answer heartbeats as the test says, each in its own way. */
function watching(t: TestContext, answering: Answering[], bytes: () => number = () => 0) {
  let opened = 0
  const heard: (Outage | null)[] = []
  const watch = watchDatabase(() => {
    const answer = answering[Math.min(opened++, answering.length - 1)]!
    const gone = Promise.withResolvers<never>()
    gone.promise.catch(() => {})
    const asked = () => Promise.race([answer(), gone.promise])
    const one = Object.assign(asked, {
      unsafe: asked,
      end: async () => gone.reject(new Error('ended')),
    })
    return one as unknown as Sql
  }, bytes)
  watch.onAway((away) => heard.push(away))
  t.after(watch.close)
  return { watch, heard, opened: () => opened }
}

const answers = async () => 1
const never = () => new Promise(() => {})
const rejects = async () => {
  throw Object.assign(new Error('rejected'), { code: 'ECONNREFUSED' })
}

async function until(holds: () => boolean) {
  while (!holds()) await sleep(10)
}

test('a database that answers is available', async (t) => {
  const { watch, heard } = watching(t, [answers])
  await until(() => watch.listening)
  assert.deepEqual([watch.away, heard], [false, []])
})

test('a database that sends nothing is silent, and is available again when it answers a new connection', async (t) => {
  const { watch, heard } = watching(t, [never, never, never, answers])
  await until(() => heard.length === 2)
  assert.deepEqual([watch.away, watch.listening, heard], [false, true, ['silent', null]])
})

test('a database that rejects connections is unreachable', async (t) => {
  const { watch, heard } = watching(t, [rejects])
  await until(() => heard.length > 0)
  assert.deepEqual([watch.away, watch.listening, heard], [true, false, ['unreachable']])
})

test('a late heartbeat does not matter while other connections are answered', async (t) => {
  let bytes = 0
  const { watch, heard, opened } = watching(t, [never, never], () => bytes++)
  await until(() => opened() === 3)
  assert.deepEqual([watch.away, heard], [false, []])
  // Notifications may be lost meanwhile: nothing is taken from memory.
  assert.equal(watch.listening, false)
})

test('a connection that is lost alone is replaced, and everything is read again', async (t) => {
  let forgotten = 0
  const { watch, heard } = watching(t, [never, answers])
  watch.onChange(() => forgotten++)
  await until(() => watch.listening)
  assert.deepEqual([watch.away, heard, forgotten], [false, [], 1])
})

test('a process that was busy does not take its own delay for silence', async (t) => {
  let delay = 0
  const { watch, heard } = watching(t, [() => sleep(delay)])
  await until(() => watch.listening)
  delay = 100
  for (let round = 0; round < 4; round++) {
    const end = performance.now() + 900
    while (performance.now() < end);
    await sleep(1)
  }
  await sleep(200)
  assert.deepEqual([watch.away, heard], [false, []])
})

test('without new connections, statements on open ones are still answered', async (t) => {
  const store = await testDatabase()
  const { wire, database, served } = await serveBehindWire(t, store.signIns)
  t.after(store.close)
  const asha = await addPlayer(database, served.url, await account(database, randomUUID()), 'Asha', 'Admin', null)
  const lead = { name: 'Ravi', phone: '9820044001' }
  const { id } = (await asha.send('POST', '/api/v1/leads', lead)).body.data
  const release = await lockLead(store.owner, id)
  const merge = asha.send('POST', '/api/v1/leads', { ...lead, city: 'Pune' })
  const waits = async () => (await store.owner.unsafe(waitingForLock)).length > 0
  while (!(await waits())) await sleep(5)
  wire.reject()
  await store.owner`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and (query = 'select 1' or starts_with(query, 'listen lead_engine_directory'))`
  await until(() => database.watch!.away)
  assert.equal((await asha.send('GET', '/api/v1/leads')).status, 503)
  await release()
  assert.equal((await merge).status, 200)
  await wire.open()
  await until(() => !database.watch!.away)
  assert.equal((await asha.send('GET', '/api/v1/leads')).status, 200)
})
