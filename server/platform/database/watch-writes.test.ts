import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { ask, people } from '#test/people.ts'
import { until } from '#test/until.ts'
import { webhookOf } from '#test/webhooks.ts'

const app = await testApp()
const { database, owner, url, connection } = app
after(() => app.close())
const { acme, asha } = await people(app)

const ready = () => ask(url, null, 'GET', '/readyz')
const isReady = async () => (await ready()).status === 200
const writable = async () => {
  const { body } = await ask(url, null, 'GET', '/metrics')
  return Number(/^lead_engine_database_writable (\d)$/m.exec(body as string)![1])
}
const notRecorded = async () => {
  const { body } = await ask(url, null, 'GET', '/metrics')
  return Number(/^lead_engine_deliveries_not_recorded_total (\d+)$/m.exec(body as string)![1])
}
const save = (phone: string) => asha.send('POST', '/api/v1/leads', { name: 'Meera', phone })
const leads = async () => (await owner`select from leads`).length

/** As a restart or a failover: the service opens new sessions. */
const endSessions = () =>
  owner`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'lead-engine' and datname = ${connection.database} and pid <> pg_backend_pid()`

test('a database whose transactions are read-only is not ready, serves reads, says why, and recovers by itself', async () => {
  const webhook = await webhookOf(app, acme)
  assert.equal((await save('9820011001')).status, 201)
  assert.deepEqual([await isReady(), await writable(), await notRecorded()], [true, 1, 0])
  await owner.unsafe(`alter database ${connection.database} set default_transaction_read_only = on`)
  await endSessions()
  await until(async () => database.writes!.unwritable === 'read_only', 'it is noticed')

  const message = 'The database does not accept writes just now: it is set to read-only. Try again later.'
  for (const { status, body, headers } of [await ready(), await save('9820011002')]) {
    assert.deepEqual([status, body.error], [503, { code: 'UNAVAILABLE', message }])
    assert.deepEqual([headers.get('x-not-writable'), Number(headers.get('retry-after')) >= 5], ['read_only', true])
  }
  assert.equal(await writable(), 0)
  assert.equal((await asha.send('GET', '/api/v1/leads')).status, 200)
  const rejected = await webhook.send({ name: 'Uma', phone: '9820011003' })
  assert.deepEqual([rejected.status, rejected.body.error.message], [503, message])
  assert.deepEqual([await leads(), await notRecorded()], [1, 1])

  const waiting = webhook.send({ name: 'Ravi', phone: '9820011004' })
  await owner.unsafe(`alter database ${connection.database} reset default_transaction_read_only`)
  assert.equal((await waiting).status, 200)
  await until(isReady, 'it is ready again')
  assert.equal(await writable(), 1)
  // All connections accept writes, not only those that were opened since.
  const saved = await Promise.all(Array.from({ length: 30 }, (_, n) => save(`98200120${10 + n}`)))
  assert.deepEqual(new Set(saved.map(({ status }) => status)), new Set([201]))
  assert.equal(await leads(), 32)
})

test('a full disk is named, and the service is ready again when there is space', async () => {
  await owner.unsafe(`create function full_disk() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
    create trigger full_disk before insert on leads for each row execute function full_disk()`)
  const { status, body } = await save('9820013001')
  assert.deepEqual([status, body.error.message.split(':')[1]], [503, ' its disk is full. Try again later.'])
  assert.equal((await ready()).status, 503)
  await owner`drop function full_disk cascade`
  await until(isReady, 'it is ready again')
  assert.equal((await save('9820013001')).status, 201)
})
