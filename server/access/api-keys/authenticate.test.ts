import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve, testApp } from '#test/app.ts'
import { addPlayer, ask, type Player, people } from '#test/people.ts'
import { until } from '#test/until.ts'
import { asActor, changeAsActor } from '../../platform/database/actor.ts'
import { connect } from '../../platform/database/connect.ts'
import { setActive } from '../account/store.ts'
import { newSecret } from './secret.ts'
import { regenerateKey, revokeKey } from './store.ts'

const app = await testApp()
const elsewhere = connect(app.signIns)
const second = await serve(elsewhere)
after(async () => {
  await second.close()
  await elsewhere.close()
  await app.close()
})
const { acme, asha, bela, zoya } = await people(app)
const lead = { name: 'Ravi Kumar', phone: '+91 98100 44321' }
const { id } = (await asha.send('POST', '/api/v1/leads', lead)).body.data

const leads = async () => JSON.stringify(await app.owner`select * from leads order by id`)
const world = await leads()
const addKey = (permissions?: Parameters<typeof addPlayer>[6], whitelist?: string[]) =>
  addPlayer(app.database, app.url, acme, `P${crypto.randomUUID()}`, 'Admin', null, permissions, whitelist)
const onSecond = (player: Player, path = '/api/v1/leads') => ask(second.url, player.key.secret, 'GET', path)

async function answers401(secret: string | null, headers: Record<string, string> = {}, url = app.url) {
  for (const [method, path, body] of [
    ['GET', '/api/v1/leads', undefined],
    ['POST', '/api/v1/leads', { name: 'Intruder', phone: '9810099999' }],
    ['DELETE', `/api/v1/leads/${id}`, undefined],
    ['POST', '/api/v1/call-logs', { lead_id: id, call_type: 'Inbound', duration_seconds: 1 }],
    ['GET', '/api/v1/nothing', undefined],
  ] as const) {
    const { status, headers: answered, body: error } = await ask(url, secret, method, path, body, headers)
    assert.equal(status, 401, `${method} ${path}`)
    assert.equal(error.error.code, 'UNAUTHORIZED')
    assert.equal(answered.get('www-authenticate'), 'Bearer')
    assert.equal(answered.get('x-ratelimit-limit'), null)
    assert.ok(answered.get('x-request-id'))
  }
  assert.equal(await leads(), world)
}

for (const [what, header] of [
  ['no key', undefined],
  ['an empty header', ''],
  ['the word alone', 'Bearer'],
  ['the word and blanks', 'Bearer   '],
  ['a key without the word', asha.key.secret],
  ['Basic', `Basic ${btoa(`${asha.key.secret}:`)}`],
  ['a key never made', `Bearer ${newSecret()}`],
  ['a garbled key', `Bearer ${asha.key.secret.slice(0, -1)}!`],
  ['a key in capitals', `Bearer ${asha.key.secret.toUpperCase()}`],
  ['half a key', `Bearer ${asha.key.secret.slice(0, 20)}`],
  ['two keys', `Bearer ${asha.key.secret} ${asha.key.secret}`],
  ['a key in quotes', `Bearer "${asha.key.secret}"`],
  ['10,000 characters', `Bearer le_live_${'a'.repeat(10_000)}`],
  ['SQL', "Bearer ' or true --"],
] as const) {
  test(`${what} answers 401 and changes nothing`, () =>
    answers401(null, header === undefined ? {} : { authorization: header }))
}

test('a key in the URL or the body is ignored', async () => {
  const { status } = await ask(
    app.url,
    null,
    'GET',
    `/api/v1/leads?key=${asha.key.secret}&Authorization=Bearer ${asha.key.secret}`,
  )
  assert.equal(status, 401)
})

test('Bearer may be written in any case', async () => {
  assert.equal(
    (await ask(app.url, null, 'GET', '/api/v1/leads', undefined, { authorization: `bearer ${asha.key.secret}` }))
      .status,
    200,
  )
})

for (const [what, end] of [
  ['revoked', (player: Player) => changeAsActor(app.database, acme, (tx) => revokeKey(tx, acme, player.key.id))],
  [
    'regenerated',
    (player: Player) => changeAsActor(app.database, acme, (tx) => regenerateKey(tx, acme, player.key.id)),
  ],
  [
    'of a deactivated person',
    (player: Player) => changeAsActor(app.database, acme, (tx) => setActive(tx, acme, player.id, false)),
  ],
] as const) {
  test(`a key that is ${what} answers 401 at once, on another process too`, async () => {
    const player = await addKey()
    // Twice, so that both processes remember it.
    for (let time = 0; time < 2; time++) {
      assert.equal((await player.send('GET', '/api/v1/leads')).status, 200)
      assert.equal((await onSecond(player)).status, 200)
    }
    await end(player)
    await until(async () => (await onSecond(player)).status === 401)
    await answers401(player.key.secret)
    await answers401(player.key.secret, {}, second.url)
  })
}

test('a regenerated key works with its new value, and a reactivated user with the same key', async () => {
  const player = await addKey()
  const secret = await asActor(app.database, acme, (tx) => regenerateKey(tx, acme, player.key.id))
  assert.equal((await ask(app.url, secret, 'GET', '/api/v1/leads')).status, 200)
  await asActor(app.database, acme, (tx) => setActive(tx, acme, player.id, false))
  await until(async () => (await ask(app.url, secret, 'GET', '/api/v1/leads')).status === 401)
  await asActor(app.database, acme, (tx) => setActive(tx, acme, player.id, true))
  assert.equal((await ask(app.url, secret, 'GET', '/api/v1/leads')).status, 200)
})

test('the cache is not used while notifications do not arrive', async () => {
  const player = await addKey()
  assert.equal((await onSecond(player)).status, 200)
  assert.ok(elsewhere.watch!.listening)
  let beats = 0
  // Its listening connection is cut again and again, so that no notification reaches it.
  while (beats++ < 8) {
    await app.owner`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and (query ilike 'listen%' or query = 'select 1')`
    await sleep(5)
    if (!elsewhere.watch!.listening) break
  }
  assert.equal(elsewhere.watch!.listening, false)
  await asActor(app.database, acme, (tx) => revokeKey(tx, acme, player.key.id))
  assert.notEqual((await onSecond(player)).status, 200)
  await until(async () => elsewhere.watch!.listening && !elsewhere.watch!.away)
  assert.equal((await onSecond(player)).status, 401)
})

test('ids of another account answer 404, and their leads stay', async () => {
  for (const [method, path, body] of [
    ['DELETE', `/api/v1/leads/${id}`, undefined],
    ['POST', '/api/v1/call-logs', { lead_id: id, call_type: 'Inbound', duration_seconds: 1 }],
  ] as const) {
    assert.equal((await zoya.send(method, path, body)).status, 404)
    assert.equal((await bela.send(method, path, body)).status, 404)
  }
  assert.equal((await zoya.send('GET', '/api/v1/leads')).body.pagination.total, 0)
  assert.equal((await zoya.send('GET', `/api/v1/call-logs?lead_id=${id}`)).body.pagination.total, 0)
  assert.equal(await leads(), world)
})

const uses = { read: ['GET', 'HEAD'], write: ['POST'], delete: ['DELETE'] } as const
for (const permission of ['read', 'write', 'delete'] as const) {
  test(`without ${permission}, ${uses[permission].join(' and ')} answers 403; other permissions do not matter`, async () => {
    const others = (['read', 'write', 'delete'] as const).filter((one) => one !== permission)
    const [without, only] = [await addKey(others), await addKey([permission])]
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE'] as const) {
      for (const kind of ['leads', 'call-logs']) {
        const path = `/api/v1/${kind}${method === 'DELETE' ? '/not-an-id' : ''}`
        const mine = (uses[permission] as readonly string[]).includes(method)
        const rejected = await (mine ? without : only).send(method, path, method === 'POST' ? {} : undefined)
        assert.equal(rejected.status, 403, `${method} ${path}`)
        if (method !== 'HEAD') assert.equal(rejected.body.error.code, 'PERMISSION_DENIED')
        const allowed = await (mine ? only : without).send(method, path, method === 'POST' ? {} : undefined)
        assert.equal(allowed.status, { GET: 200, HEAD: 200, POST: 400, DELETE: 400 }[method], `${method} ${path}`)
      }
    }
    assert.equal(await leads(), world)
  })
}
