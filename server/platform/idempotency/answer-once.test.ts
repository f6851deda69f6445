import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { addPlayer, ask, type Player, people } from '#test/people.ts'
import { assertCountsHold, timelineOf, world } from '#test/records.ts'
import { createKey } from '../../access/api-keys/store.ts'
import { cleanUp } from '../../cleanup.ts'
import { asActor } from '../database/actor.ts'

const app = await testApp()
after(app.close)
const { acme, asha, bela } = await people(app)
const { owner, database } = app

const clean = () =>
  cleanUp(database, 30, new Date(), {
    failed: assert.ifError,
    removed: () => {},
    progress: () => {},
    signal: new AbortController().signal,
  })
let made = 0
const newPhone = () => `98${70_000_000 + ++made}`
const key = (value: string) => ({ 'idempotency-key': value })
const save = (player: Player, lead: object, value: string) => player.send('POST', '/api/v1/leads', lead, key(value))
const call = (player: Player, body: object, value: string) => player.send('POST', '/api/v1/call-logs', body, key(value))
const count = async (table: string) => Number((await owner`select count(*) from ${owner(table)}`)[0]!.count)

async function newCall(player: Player) {
  const { body } = await player.send('POST', '/api/v1/leads', { name: 'Called', phone: newPhone() })
  return { lead_id: body.data.id as string, call_type: 'Inbound', duration_seconds: 60 }
}

test('a lead sent again with the same key repeats the first answer and changes nothing', async () => {
  const lead = { name: 'Once', phone: newPhone(), tags: ['a'] }
  const first = await save(bela, lead, 'lead')
  assert.deepEqual([first.status, first.headers.get('idempotent-replayed')], [201, null])
  const after = await world(owner)
  for (let time = 0; time < 3; time++) {
    const again = await save(bela, lead, 'lead')
    assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, 'true'])
    assert.equal(again.headers.get('content-type'), first.headers.get('content-type'))
    assert.deepEqual(again.body, first.body)
  }
  assert.deepEqual(await world(owner), after)
})

test('an answer with a key has the same fields as one without', async () => {
  const phone = newPhone()
  const created = await save(asha, { name: 'Same', phone, deal_value: 1.5 }, 'created')
  const merged = await save(asha, { name: 'Same', phone }, 'merged')
  const plain = await asha.send('POST', '/api/v1/leads', { name: 'Same', phone })
  assert.deepEqual([created.status, merged.status, plain.status], [201, 200, 200])
  for (const { body } of [created, merged]) {
    assert.deepEqual({ ...body.data, updated_at: 0 }, { ...plain.body.data, updated_at: 0 })
  }
  const hidden = await save(bela, { name: 'Mine', phone }, 'hidden')
  const plainHidden = await bela.send('POST', '/api/v1/leads', { name: 'Mine', phone })
  assert.deepEqual(hidden.body, plainHidden.body)
  const again = await save(bela, { name: 'Mine', phone }, 'hidden')
  assert.deepEqual([again.status, again.body], [200, hidden.body])
})

test('a call sent again with the same key is logged once', async () => {
  const body = await newCall(bela)
  const first = await call(bela, body, 'call')
  const again = await call(bela, body, 'call')
  assert.deepEqual([first.status, again.status, again.headers.get('idempotent-replayed')], [201, 201, 'true'])
  assert.deepEqual(again.body, first.body)
  assert.equal((await owner`select 1 from call_logs where lead_id = ${body.lead_id}`).length, 1)
  assert.equal((await timelineOf(owner, body.lead_id)).length, 2)
  await assertCountsHold(owner)
})

test('without a key a call sent twice is logged twice', async () => {
  const body = await newCall(bela)
  const sent = [await bela.send('POST', '/api/v1/call-logs', body), await bela.send('POST', '/api/v1/call-logs', body)]
  assert.notEqual(sent[0]!.body.data.id, sent[1]!.body.data.id)
})

test('another body or operation with a used key answers 400, and nothing changes', async () => {
  const lead = { name: 'Once', phone: newPhone() }
  await save(bela, lead, 'used')
  const body = await newCall(bela)
  const before = await world(owner)
  for (const answer of [
    await save(bela, { ...lead, city: 'Pune' }, 'used'),
    await save(bela, { ...lead, name: 'Twice' }, 'used'),
    await call(bela, body, 'used'),
  ]) {
    assert.deepEqual([answer.status, answer.body.error.code], [400, 'INVALID_PARAM'])
    assert.equal(answer.body.error.field, 'Idempotency-Key')
    assert.match(answer.body.error.message, /another body/)
  }
  assert.deepEqual(await world(owner), before)
})

test('the same body with other formatting is the same body', async () => {
  const phone = newPhone()
  const first = await save(bela, { name: 'Spelled', phone }, 'spelled')
  const again = await bela.send('POST', '/api/v1/leads', `{ "phone": " ${phone}", "city": null, "name": "Spelled" }`, {
    ...key('spelled'),
    'content-type': 'application/json',
  })
  assert.deepEqual([again.status, again.body], [201, first.body])
})

test('of simultaneous requests with one key one does the work, and all get its answer', async () => {
  const lead = { name: 'Crowd', phone: newPhone() }
  const body = await newCall(bela)
  for (const send of [() => save(bela, lead, 'crowd'), () => call(bela, body, 'crowded-call')]) {
    const answers = await Promise.all(Array.from({ length: 25 }, send))
    assert.deepEqual(new Set(answers.map(({ status, body }) => `${status} ${body.data.id}`)).size, 1)
    assert.equal(answers[0]!.status, 201)
    assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length, 24)
  }
  assert.equal((await owner`select 1 from call_logs where lead_id = ${body.lead_id}`).length, 1)
  await assertCountsHold(owner)
})

test('simultaneous requests with different keys do not deadlock, with or without cache', async () => {
  for (let round = 0; round < 3; round++) {
    database.cache.invalidate(null)
    const leads = Array.from({ length: 40 }, (_, index) =>
      save(asha, { name: 'Cold', phone: newPhone() }, `${round}-${index}`),
    )
    for (const { status } of await Promise.all(leads)) assert.equal(status, 201)
  }
})

test('a key belongs to its API key: another API key of the same user starts afresh', async () => {
  const lead = { name: 'Per key', email: 'per.key@x.in' }
  assert.equal((await save(bela, lead, 'mine')).status, 201)
  const { secret } = await asActor(database, acme, (tx) =>
    createKey(tx, acme, { user_id: bela.id, name: 'Second', permissions: ['write'], ip_whitelist: [] }),
  )
  const other = await ask(app.url, secret, 'POST', '/api/v1/leads', lead, key('mine'))
  assert.deepEqual([other.status, other.headers.get('idempotent-replayed')], [200, null])
  assert.equal((await save(asha, { ...lead, city: 'Pune' }, 'mine')).status, 200)
})

test('a key expires after exactly 24 hours', async () => {
  const body = await newCall(bela)
  const { body: first } = await call(bela, body, 'aged')
  const age = (interval: string) =>
    owner`update idempotency_keys set created_at = now() - ${interval}::interval where key = 'aged'`
  await age('23:59:55')
  await clean()
  assert.equal((await call(bela, body, 'aged')).body.data.id, first.data.id)
  await age('24:00:01')
  const later = await call(bela, { ...body, duration_seconds: 61 }, 'aged')
  assert.deepEqual([later.status, later.headers.get('idempotent-replayed')], [201, null])
  await age('24:00:01')
  const before = await count('idempotency_keys')
  await clean()
  assert.equal(await count('idempotency_keys'), before - 1)
})

test('a rejected request leaves its key unused', async () => {
  const lead = { name: 'Given away', phone: newPhone() }
  const { data } = (await asha.send('POST', '/api/v1/leads', lead)).body
  const body = { lead_id: data.id, call_type: 'Inbound', duration_seconds: 60 }
  const before = await count('idempotency_keys')
  assert.equal((await call(bela, body, 'later')).status, 404)
  assert.equal((await call(bela, { ...body, duration_seconds: -1 }, 'later')).status, 400)
  assert.equal((await save(bela, { name: 'No contact' }, 'later')).status, 400)
  assert.equal(await count('idempotency_keys'), before)
  assert.equal((await asha.send('POST', '/api/v1/leads', { ...lead, assigned_to: bela.email })).status, 200)
  const taken = await call(bela, body, 'later')
  assert.deepEqual([taken.status, taken.headers.get('idempotent-replayed')], [201, null])
})

test('an answer is repeated after its assignee was deactivated', async () => {
  const leaver = await addPlayer(database, app.url, acme, 'Dinesh', 'Agent', null)
  const lead = { name: 'Given', phone: newPhone(), assigned_to: leaver.email }
  const first = await save(asha, lead, 'given')
  assert.equal(first.status, 201)
  const call = await newCallOf(first.body.data.id)
  await owner`update users set deactivated_at = now() where id = ${leaver.id}`
  database.cache.invalidate(acme.account_id)
  const after = await world(owner)
  const again = await save(asha, lead, 'given')
  assert.deepEqual([again.status, again.body], [201, first.body])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const callAgain = await asha.send('POST', '/api/v1/call-logs', call.sent, key('call-of-given'))
  assert.deepEqual([callAgain.status, callAgain.body], [201, call.body])
  assert.equal((await save(asha, { ...lead, city: 'Pune' }, 'given')).body.error.field, 'Idempotency-Key')
  assert.equal((await save(asha, lead, 'another-key')).body.error.field, 'assigned_to')
  assert.deepEqual(await world(owner), after)
})

async function newCallOf(lead_id: string) {
  const sent = { lead_id, call_type: 'Inbound', duration_seconds: 60 }
  const { body } = await asha.send('POST', '/api/v1/call-logs', sent, key('call-of-given'))
  return { sent, body }
}

test('an invalid key answers 400 and names the header', async () => {
  const body = await newCall(bela)
  const before = await world(owner)
  for (const value of ['', ' ', 'two words', 'k'.repeat(256), 'schlüssel']) {
    const answer = await call(bela, body, value)
    assert.deepEqual([answer.status, answer.body.error.field], [400, 'Idempotency-Key'])
  }
  assert.deepEqual(await world(owner), before)
  assert.equal((await call(bela, body, 'k'.repeat(255))).status, 201)
})

test('deleting a lead while its answer is repeated causes no error', async () => {
  for (let round = 0; round < 10; round++) {
    const lead = { name: 'Deleted', phone: newPhone() }
    const { body } = await save(asha, lead, `deleted-${round}`)
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => save(asha, lead, `deleted-${round}`)),
      asha.send('DELETE', `/api/v1/leads/${body.data.id}`),
      ...Array.from({ length: 5 }, () => save(asha, lead, `deleted-${round}`)),
    ])
    for (const { status } of answers) assert.ok([200, 201].includes(status), `${status}`)
  }
  await assertCountsHold(owner)
})
