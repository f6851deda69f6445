import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people } from '#test/people.ts'
import { assertCountsHold, countAllRows } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { cleanUp } from './cleanup.ts'

const app = await testApp()
after(app.close)
const { acme, other, asha } = await people(app)

const day = 86_400_000
const later = (days: number) => new Date(Date.now() + days * day)
const count = async (table: string) => Number((await app.owner`select count(*) from ${app.owner(table)}`)[0]!.count)

/** Cleans up as of `now`. Returns the failures, as `step of account`. */
async function clean(now: Date): Promise<string[]> {
  const failures: string[] = []
  const failed = (_error: unknown, { account_id, step }: { account_id: string | null; step: string }) =>
    void failures.push(`${step} of ${account_id}`)
  const signal = new AbortController().signal
  await cleanUp(app.database, 30, now, { failed, removed: () => {}, progress: () => {}, signal })
  return failures
}

test('cleanup deletes what has expired, and nothing else', async () => {
  const webhook = await webhookOf(app, acme)
  const { body } = await webhook.send({ lead_id: 'L-1', name: 'Uma', phone: '9820077001' })
  await webhook.send({ nothing: 'of use' })
  const made = await asha.send(
    'POST',
    '/api/v1/leads',
    { name: 'Ila', phone: '9820077002' },
    { 'idempotency-key': 'k-1' },
  )
  await asha.send('POST', '/api/v1/call-logs', {
    lead_id: made.body.data.id,
    call_type: 'Inbound',
    duration_seconds: 5,
  })
  const kept = async () => [
    await count('deliveries'),
    await count('delivery_receipts'),
    await count('idempotency_keys'),
  ]
  assert.deepEqual(await kept(), [2, 1, 1])

  await clean(later(0.9))
  assert.deepEqual(await kept(), [2, 1, 1])
  await clean(later(1.1))
  assert.deepEqual(await kept(), [2, 1, 0])
  await clean(later(29))
  assert.deepEqual(await kept(), [2, 1, 0])
  await clean(later(31))
  assert.deepEqual(await kept(), [0, 0, 0])

  assert.deepEqual([await count('leads'), await count('call_logs')], [2, 1])
  assert.equal((await app.owner`select 1 from leads where id = ${body.data.id}`).length, 1)
  await assertCountsHold(app.owner)
})

test('while another process cleans up, this one does nothing', async () => {
  const webhook = await webhookOf(app, acme)
  await webhook.send({ nothing: 'of use' })
  await app.owner.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${acme.account_id}, 7106153))`
    await clean(later(31))
    assert.equal(await count('deliveries'), 1)
  })
  await clean(later(31))
  assert.equal(await count('deliveries'), 0)
})

test('a failure of one account is reported, and the others are cleaned up', async () => {
  const webhook = await webhookOf(app, acme)
  const others = await webhookOf(app, other)
  await webhook.send({ nothing: 'of use' })
  await others.send({ nothing: 'of use' })
  await app.owner.unsafe('create table in_the_way (account_id uuid, delivery_id uuid)')
  if (app.signIns.app.isCluster)
    await app.owner`select create_distributed_table('in_the_way', 'account_id', colocate_with => 'deliveries')`
  await app.owner.unsafe(
    'alter table in_the_way add foreign key (account_id, delivery_id) references deliveries (account_id, id)',
  )
  await app.owner`insert into in_the_way select account_id, id from deliveries where webhook_id = ${webhook.id}`
  await asha.send('POST', '/api/v1/leads', { name: 'Ila', phone: '9820077002' }, { 'idempotency-key': 'k-2' })
  const failures = await clean(later(31))
  assert.deepEqual(failures, [`deliveries of ${acme.account_id}`])
  const left = await app.owner`select webhook_id from deliveries`
  assert.deepEqual([left.map(({ webhook_id }) => webhook_id), await count('idempotency_keys')], [[webhook.id], 0])
  await app.owner`drop table in_the_way`
  assert.deepEqual(await clean(later(31)), [])
  assert.equal(await count('deliveries'), 0)
})

test('many rows are deleted in batches of their own, and locked rows stay', async () => {
  const webhook = await webhookOf(app, acme)
  await app.owner`insert into deliveries (account_id, id, webhook_id, received_at, address, outcome, picks, warnings)
    select ${acme.account_id}, gen_random_uuid(), ${webhook.id}, now() - interval '1 day' * (n % 7), '::1', 'rejected', '[]', '[]'
    from generate_series(1, 1300) n`
  await countAllRows(app.owner)
  const [held] = await app.owner`select account_id, id from deliveries limit 1`
  await app.owner.begin(async (tx) => {
    await tx`select from deliveries where account_id = ${held!.account_id} and id = ${held!.id} for update`
    assert.deepEqual(await clean(later(31)), [])
    assert.equal(await count('deliveries'), 1)
  })
  await assertCountsHold(app.owner)
  assert.deepEqual(await clean(later(31)), [])
  assert.equal(await count('deliveries'), 0)
  await assertCountsHold(app.owner)
})

test('expired sessions, codes and one-time links are deleted, and valid ones stay', async () => {
  const [person] = await app.owner`select id, account_id from users limit 1`
  const soon = new Date(Date.now() + 3_600_000)
  for (const expires_at of [new Date(0), soon]) {
    const times = { created_at: new Date(0), updated_at: new Date(0), expires_at }
    await app.owner`insert into sessions ${app.owner({ id: randomUUID(), user_id: person!.id, token: randomUUID(), ...times })}`
    await app.owner`insert into verifications ${app.owner({ id: randomUUID(), identifier: 'x', value: 'y', ...times })}`
  }
  await app.owner`insert into password_links (account_id, user_id, token_hash, kind, created_at, expires_at)
    values (${person!.account_id}, ${person!.id}, 'x', 'reset', now(), ${new Date(0)})`
  await clean(new Date())
  assert.deepEqual([await count('sessions'), await count('verifications'), await count('password_links')], [1, 1, 0])
})
