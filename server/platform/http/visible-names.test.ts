import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { world } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'

const app = await testApp()
after(app.close)
const { acme, asha, bela } = await people(app)
const admin = (await signedIn(app, asha))!
const webhook = await webhookOf(app, acme)
const rules = await admin.send('POST', '/web/distribution-rules', {
  name: 'All',
  people: [{ user_id: bela.id, weight: 1 }],
})
const made = await asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone: '98100 12345' })

const named: [method: string, path: string, rest: object][] = [
  ['POST', '/api/v1/leads', { phone: '98100 12346' }],
  ['POST', '/web/leads', { phone: '98100 12346' }],
  ['PATCH', `/web/leads/${made.body.data.id}`, {}],
  ['PATCH', '/web/me', {}],
  ['PATCH', '/web/account', {}],
  ['POST', '/web/users', { email: 'new@x.example', role: 'Agent' }],
  ['PATCH', `/web/users/${bela.id}`, {}],
  ['POST', '/web/api-keys', { user_id: asha.id, permissions: ['read'] }],
  ['PATCH', `/web/api-keys/${asha.key.id}`, {}],
  ['POST', '/web/webhooks', { source_label: 'Site' }],
  ['PATCH', `/web/webhooks/${webhook.id}`, {}],
  ['POST', '/web/distribution-rules', { people: [{ user_id: bela.id, weight: 1 }] }],
  ['PATCH', `/web/distribution-rules/${rules.body.data[0].id}`, {}],
]

for (const [method, path, rest] of named) {
  test(`${method} ${path.replace(/[\da-f-]{36}/, ':id')} rejects a name in which nothing is visible`, async () => {
    const before = await world(app.owner)
    const sender = path.startsWith('/api') ? asha : admin
    for (const name of ['\u200b\u200d', '\u2800', '\u3164', '\u00ad\u0301']) {
      const { status, body } = await sender.send(method, path, { ...rest, name })
      assert.deepEqual([status, body.error?.field], [400, 'name'], JSON.stringify(body))
    }
    assert.deepEqual(await world(app.owner), before)
  })
}

test('a name keeps its joiners, and other fields in which nothing is visible count as not given', async () => {
  const name = 'क्\u200dषमा'
  const lead = { name, phone: '98100 12347', city: '\u200b', tags: ['\u2800', 'a'], notes: '\u3164' }
  const { status, body } = await asha.send('POST', '/api/v1/leads', lead)
  assert.equal(status, 201)
  const { data } = body
  assert.deepEqual([data.name, data.city, data.tags, data.notes], [name, null, ['a'], null])
})

test('a webhook takes a name in which nothing is visible for none, and names the lead by its phone', async () => {
  const { body } = await webhook.send({ name: '\u3164\u200b', phone: '98100 12348' })
  const [lead] = await app.owner`select name from leads where id = ${body.data.id}`
  assert.equal(lead!.name, '98100 12348')
})
