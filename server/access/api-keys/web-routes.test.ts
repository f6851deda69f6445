import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serve, testApp } from '#test/app.ts'
import { ask, people, signedIn } from '#test/people.ts'
import { auditOf } from '#test/records.ts'
import { until } from '#test/until.ts'

const app = await testApp()
after(app.close)
const { owner, url } = app
const { acme, asha, bela, zoya } = await people(app)
const [admin, stranger] = await Promise.all([asha, zoya].map((one) => signedIn(app, one)))

const keys = async () => JSON.stringify(await owner`select to_jsonb(k) as row from api_keys k order by row`)
const list = (secret: string) => ask(url, secret, 'GET', '/api/v1/leads')
const create = async (more: object = {}) => {
  const key = { name: 'Website', user_id: bela.id, permissions: ['read', 'write'], ...more }
  return (await admin!.send('POST', '/web/api-keys', key)).body.data as { id: string; key: string }
}
const listed = async (id: string) =>
  (await admin!.send('GET', '/web/api-keys')).body.data.find((key: { id: string }) => key.id === id)

test('a new key is answered once, acts as its user at once, and is in no list', async () => {
  const { id, key } = await create()
  assert.equal((await list(key)).status, 200)
  const answer = await admin!.send('GET', '/web/api-keys')
  const shown = answer.body.data.find((one: { id: string }) => one.id === id)
  assert.deepEqual(
    [shown.name, shown.user.email, shown.permissions, shown.ip_whitelist, shown.last_four],
    ['Website', bela.email, ['read', 'write'], [], key.slice(-4)],
  )
  const text = JSON.stringify(answer.body)
  const [{ hash }] =
    (await owner`select encode(secret_hash, 'hex') as hash from api_keys where id = ${id}`) as unknown as [
      { hash: string },
    ]
  assert.equal(text.includes(key) || text.includes(hash) || text.includes('secret'), false)
})

test('a regenerated value replaces the old one, on another process too, and names what stopped', async () => {
  const { id, key } = await create()
  const second = await serve(app.database)
  try {
    assert.equal((await ask(second.url, key, 'GET', '/api/v1/leads')).status, 200)
    const { body } = await admin!.send('POST', `/web/api-keys/${id}/regeneration`)
    assert.equal((await list(key)).status, 401)
    assert.equal((await ask(second.url, key, 'GET', '/api/v1/leads')).status, 401)
    assert.equal((await list(body.data.key)).status, 200)
    assert.deepEqual([body.data.stopped.name, body.data.stopped.last_four], ['Website', key.slice(-4)])
  } finally {
    await second.close()
  }
})

test('a revoked key answers 401 at once and permanently', async () => {
  const { id, key } = await create()
  assert.equal((await list(key)).status, 200)
  const { body } = await admin!.send('POST', `/web/api-keys/${id}/revocation`)
  assert.deepEqual([body.data.revoked, body.data.stopped.last_four], [true, key.slice(-4)])
  assert.equal((await list(key)).status, 401)
  const before = await keys()
  for (const path of ['revocation', 'regeneration']) {
    assert.equal((await admin!.send('POST', `/web/api-keys/${id}/${path}`)).status, 404)
  }
  assert.equal((await admin!.send('PATCH', `/web/api-keys/${id}`, { name: 'Back' })).status, 404)
  assert.equal(await keys(), before)
  assert.ok((await listed(id)).revoked_at)
  assert.deepEqual(
    (await auditOf(owner, id)).map(({ action }) => action),
    ['api_key.created', 'api_key.revoked'],
  )
})

test('of revoked keys, the newest 200 are listed', async () => {
  const { id } = await create()
  const { account_id } = acme
  await owner`insert into api_keys (account_id, id, user_id, name, secret_hash, last_four, can_read, can_write, can_delete,
      ip_whitelist, created_at, revoked_at)
    select ${account_id}, gen_random_uuid(), ${bela.id}, 'Revoked ' || n, decode(md5('revoked' || n), 'hex'), 'last',
      false, false, false, '{}', now(), '2020-01-01'::timestamptz + n * interval '1 day' from generate_series(1, 300) n`
  const { data } = (await admin!.send('GET', '/web/api-keys')).body
  const revoked = data.filter((one: { revoked_at: string | null }) => one.revoked_at)
  const names = revoked.map(({ name }: { name: string }) => name)
  assert.deepEqual([names.length, names.includes('Revoked 300'), names.includes('Revoked 1')], [200, true, false])
  assert.ok(await listed(id))
  await owner`delete from api_keys where name like 'Revoked %'`
})

test('name, permissions and whitelist change at once; other settings stay', async () => {
  const { id, key } = await create()
  const lead = { name: 'L', phone: '9811111111' }
  const { body } = await admin!.send('PATCH', `/web/api-keys/${id}`, { permissions: ['read'] })
  assert.deepEqual([body.data.permissions, body.data.name], [['read'], 'Website'])
  assert.equal((await ask(url, key, 'POST', '/api/v1/leads', lead)).status, 403)
  await admin!.send('PATCH', `/web/api-keys/${id}`, { name: 'Site', ip_whitelist: ['10.0.0.0/8', '2001:db8::/32'] })
  assert.equal((await list(key)).body.error.code, 'IP_NOT_ALLOWED')
  await admin!.send('PATCH', `/web/api-keys/${id}`, { ip_whitelist: [] })
  assert.equal((await list(key)).status, 200)
  assert.equal((await listed(id)).name, 'Site')
})

test('a change of a setting that somebody else changed meanwhile answers 409', async () => {
  const { id } = await create()
  const shown = (await listed(id)).permissions
  await admin!.send('PATCH', `/web/api-keys/${id}`, { permissions: ['read'], was: { permissions: shown } })
  const before = await keys()
  const late = await admin!.send('PATCH', `/web/api-keys/${id}`, {
    permissions: ['read', 'write', 'delete'],
    was: { permissions: shown },
  })
  assert.deepEqual([late.status, late.body.error.field], [400, 'permissions'])
  assert.match(late.body.error.message, /changed by someone else/)
  assert.equal(await keys(), before)
})

test('an invalid value answers 400 and names its field', async () => {
  const { id } = await create()
  const before = await keys()
  for (const [more, field] of [
    [{ ip_whitelist: ['300.1.1.1'] }, 'ip_whitelist'],
    [{ permissions: ['admin'] }, 'permissions'],
    [{ name: '' }, 'name'],
    [{ user_id: zoya.id }, 'user_id'],
    [{ user_id: 'me' }, 'user_id'],
  ] as const) {
    const key = { name: 'K', user_id: bela.id, permissions: ['read'], ...more }
    const refused = await admin!.send('POST', '/web/api-keys', key)
    assert.deepEqual([refused.status, refused.body.error.field], [400, field])
  }
  assert.equal((await admin!.send('PATCH', `/web/api-keys/${id}`, { ip_whitelist: ['x'] })).status, 400)
  assert.equal(await keys(), before)
})

test('another account’s keys are not listed', async () => {
  assert.equal((await stranger!.send('GET', '/web/api-keys')).body.data.length, 1)
})

const untilListed = (id: string) => until(async () => (await listed(id)).last_use !== null, 'the use is listed')

test('the last use of a key is listed within seconds; a request from a disallowed IP is not a use', async () => {
  const { id, key } = await create()
  assert.equal((await listed(id)).last_use, null)
  await Promise.all(Array.from({ length: 50 }, () => list(key)))
  await untilListed(id)
  const { last_use } = await listed(id)
  assert.equal(last_use.address, '127.0.0.1')
  const [rejected, later] = [await create({ ip_whitelist: ['10.0.0.1'] }), await create()]
  assert.equal((await list(rejected.key)).status, 403)
  assert.equal((await list(later.key)).status, 200)
  await untilListed(later.id)
  assert.equal((await listed(rejected.id)).last_use, null)
})

test('a use that cannot be saved fails no request and is saved later, at the latest when the service stops', async () => {
  const { id, key } = await create()
  await owner`alter table api_key_uses rename to away`
  assert.equal((await list(key)).status, 200)
  await until(
    () => app.lines.some((line) => line.includes('the last use of keys was not written')),
    'the failure is logged',
  )
  assert.equal((await list(key)).status, 200)
  await owner`alter table away rename to api_key_uses`
  await untilListed(id)
  const last = await create()
  const second = await serve(app.database)
  await ask(second.url, last.key, 'GET', '/api/v1/leads')
  await second.close()
  assert.ok((await listed(last.id)).last_use)
})
