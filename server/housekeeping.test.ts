import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people } from '#test/people.ts'
import { assertCountsHold } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { cleanUp } from './housekeeping.ts'

const app = await testApp()
after(app.close)
const { acme, asha } = await people(app)

const day = 86_400_000
const later = (days: number) => new Date(Date.now() + days * day)
const count = async (table: string) => Number((await app.owner`select count(*) from ${app.owner(table)}`)[0]!.count)

test('what was kept for its time goes, and what people keep stays', async () => {
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

  await cleanUp(app.database, 30, later(0.9))
  assert.deepEqual(await kept(), [2, 1, 1])
  await cleanUp(app.database, 30, later(1.1))
  assert.deepEqual(await kept(), [2, 1, 0])
  await cleanUp(app.database, 30, later(29))
  assert.deepEqual(await kept(), [2, 1, 0])
  await cleanUp(app.database, 30, later(31))
  assert.deepEqual(await kept(), [0, 0, 0])

  assert.deepEqual([await count('leads'), await count('call_logs')], [2, 1])
  assert.equal((await app.owner`select 1 from leads where id = ${body.data.id}`).length, 1)
  await assertCountsHold(app.owner)
})

test('while another process is at it, this one leaves it alone', async () => {
  const webhook = await webhookOf(app, acme)
  await webhook.send({ nothing: 'of use' })
  await app.owner.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${acme.account_id}, 7106153))`
    await cleanUp(app.database, 30, later(31))
    assert.equal(await count('deliveries'), 1)
  })
  await cleanUp(app.database, 30, later(31))
  assert.equal(await count('deliveries'), 0)
})
