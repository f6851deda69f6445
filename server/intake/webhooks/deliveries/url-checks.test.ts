import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { type Answer, people, signedIn } from '#test/people.ts'
import { auditOf } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'

const app = await testApp()
after(app.close)
const { acme, asha } = await people(app)
const admin = (await signedIn(app, asha))!
const countLeads = async () => Number((await app.owner`select count(*) from leads`)[0]!.count)
const deliveriesOf = (webhookId: string) =>
  app.owner`select outcome, error, lead_id from deliveries where webhook_id = ${webhookId} order by received_at, id`
const change = (id: string, body: object) => admin.send('PATCH', `/web/webhooks/${id}`, body)

const post = async (path: string, token: string, body?: string) => {
  const headers = { 'validation-token': token, 'content-type': 'application/json' }
  const answer = await fetch(app.url + path, { method: 'POST', headers, ...(body !== undefined && { body }) })
  return {
    status: answer.status,
    token: answer.headers.get('validation-token'),
    body: (await answer.json()) as Answer['body'],
  }
}

const token = '9cf1c3a0-6b1e-4f4b-9c55-2f8f6c6c1d0e'

test('a check by a header gets the same header back, and is kept as a test', async () => {
  const webhook = await webhookOf(app, acme)
  const before = await countLeads()
  const answer = { status: 200, token, body: { data: { id: null, status: 'test' } } }
  assert.deepEqual(await post(webhook.path, token), answer)
  assert.deepEqual(await post(webhook.path, token, ''), answer)
  const kept = await deliveriesOf(webhook.id)
  assert.deepEqual(
    kept.map(({ outcome }) => outcome),
    ['test', 'test'],
  )
  assert.match(kept[0]!.error, /Validation-Token was sent back/)
  assert.equal(await countLeads(), before)
})

test('a delivery with such a header is read as usual', async () => {
  const webhook = await webhookOf(app, acme)
  const made = await post(webhook.path, token, JSON.stringify({ name: 'Uma', phone: '9810066601' }))
  assert.deepEqual([made.status, made.body.data.status], [200, 'created'])
  const unusable = await post(webhook.path, 'x'.repeat(1001), JSON.stringify({ name: 'Ila', phone: '9810066602' }))
  assert.deepEqual([unusable.status, unusable.body.data.status, unusable.token], [200, 'created', null])
  const rejected = await post(webhook.path, token, JSON.stringify({ name: 'Ravi' }))
  assert.deepEqual([rejected.status, rejected.token], [400, null])
})

test('a header is not sent back by an unknown or a disabled URL, or if it is long or not printable', async () => {
  const webhook = await webhookOf(app, acme)
  const before = await countLeads()
  for (const unusable of ['x'.repeat(1001), 'caf\u00e9']) {
    const { status, token } = await post(webhook.path, unusable)
    assert.deepEqual([status, token], [400, null])
  }
  const unknown = await post(`/webhook/${'x'.repeat(32)}`, token)
  assert.deepEqual([unknown.status, unknown.token], [404, null])
  await change(webhook.id, { enabled: false })
  const disabled = await post(webhook.path, token)
  assert.deepEqual([disabled.status, disabled.body.error.code, disabled.token], [403, 'WEBHOOK_DISABLED', null])
  const outcomes = (await deliveriesOf(webhook.id)).map(({ outcome }) => outcome)
  assert.deepEqual(outcomes, ['rejected', 'rejected', 'rejected'])
  assert.equal(await countLeads(), before)
})

const secret_token = 'Zk3Nq8vWTpuLr2sYhB5xCg'
const plainToken = 'qgg8vlvZRS6UYooatFL8Aw'
// printf qgg8vlvZRS6UYooatFL8Aw | openssl dgst -sha256 -hmac Zk3Nq8vWTpuLr2sYhB5xCg
const encryptedToken = '0804858d69b46a097ff6b0a58f364d89aacb0b8d7c09ab032ff857c3452c9984'
const validation = (plainToken: unknown) => ({
  event: 'endpoint.url_validation',
  payload: { plainToken },
  event_ts: 1795000000000,
})

test("Zoom's check is signed with the secret token; without it, the delivery says what to do", async () => {
  const webhook = await webhookOf(app, acme)
  const before = await countLeads()
  const unsigned = await webhook.send(validation(plainToken))
  assert.deepEqual([unsigned.status, unsigned.body], [200, { data: { id: null, status: 'ignored' } }])
  assert.match((await deliveriesOf(webhook.id))[0]!.error, /save it under “Connect a source”/)
  const mapping = [{ path: 'event', field: 'notes' }]
  assert.equal((await change(webhook.id, { secret_token, mapping })).status, 200)
  const signed = await webhook.send(validation(plainToken))
  assert.deepEqual([signed.status, signed.body], [200, { plainToken, encryptedToken }])
  assert.match(signed.headers.get('content-type')!, /^application\/json/)
  assert.equal(signed.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(await countLeads(), before)
  assert.deepEqual(
    (await deliveriesOf(webhook.id)).map(({ outcome }) => outcome),
    ['ignored', 'test'],
  )
  await change(webhook.id, { secret_token: null, mapping: [] })
  assert.equal((await webhook.send(validation(plainToken))).body.data.status, 'ignored')
  await change(webhook.id, { secret_token, enabled: false })
  assert.equal((await webhook.send(validation(plainToken))).status, 403)
})

test("what Zoom's own signatures are made of is not signed", async () => {
  const webhook = await webhookOf(app, acme)
  await change(webhook.id, { secret_token })
  for (const text of ['v0:1795000000:{}', 'x'.repeat(201), '', 'a b', 'जी', 17, null]) {
    const { status, body } = await webhook.send(validation(text))
    assert.deepEqual([status, body], [200, { data: { id: null, status: 'ignored' } }], String(text))
  }
})

test('the secret token has a limit, and is shown with the settings of its webhook only', async () => {
  const webhook = await webhookOf(app, acme)
  const saved = async () =>
    (await app.owner`select secret_token from webhooks where id = ${webhook.id}`)[0]!.secret_token
  assert.equal((await change(webhook.id, { secret_token })).body.data.secret_token, secret_token)
  for (const wrong of ['x'.repeat(201), 'a\u0000b', 7]) {
    const { status, body } = await change(webhook.id, { secret_token: wrong })
    assert.deepEqual([status, body.error.field], [400, 'secret_token'], String(wrong))
  }
  const late = await change(webhook.id, { secret_token: 'other', was: { secret_token: null } })
  assert.deepEqual([late.status, late.body.error.field], [400, 'secret_token'])
  assert.equal(await saved(), secret_token)
  await change(webhook.id, { name: 'Zoom' })
  assert.equal(await saved(), secret_token)
  await webhook.send(validation(plainToken))
  const [delivery] = (await admin.send('GET', `/web/webhooks/${webhook.id}/deliveries`)).body.data
  const elsewhere = [
    await auditOf(app.owner, webhook.id),
    (await admin.send('GET', '/web/webhooks')).body,
    (await admin.send('GET', '/web/audit')).body,
    (await admin.send('GET', `/web/deliveries/${delivery.id}`)).body,
    (await admin.send('GET', `/web/deliveries/${delivery.id}/preview`)).body,
  ]
  for (const shown of elsewhere) assert.ok(!JSON.stringify(shown).includes(secret_token))
  assert.match(JSON.stringify(elsewhere[0]), /"secret_token":"changed"/)
})
