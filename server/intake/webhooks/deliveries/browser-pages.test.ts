import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'

const app = await testApp()
after(app.close)
const { asha } = await people(app)
const webhook = await webhookOf(app, asha.actor)
const page = { origin: 'https://landing.example.com' }

test('a page of any site may send a lead as JSON: the preflight allows it, and the answer is readable', async () => {
  const preflight = await fetch(app.url + webhook.path, {
    method: 'OPTIONS',
    headers: { ...page, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
  })
  const headers = (names: string[]) => names.map((name) => preflight.headers.get(`access-control-${name}`))
  assert.equal(preflight.status, 204)
  assert.deepEqual(headers(['allow-origin', 'allow-methods', 'allow-headers', 'allow-credentials']), [
    '*',
    'GET, POST',
    '*',
    null,
  ])
  const answer = await fetch(app.url + webhook.path, {
    method: 'POST',
    headers: { ...page, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ravi', phone: '9820000001' }),
  })
  assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [200, '*'])
})

test('a page can read why its lead was rejected', async () => {
  for (const [path, body, status] of [
    [webhook.path, '{"city": "Pune"}', 400],
    ['/webhook/unknown', '{}', 404],
  ] as const) {
    const answer = await fetch(app.url + path, { method: 'POST', headers: page, body })
    assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [status, '*'])
  }
})

test('no other path allows pages of other sites', async () => {
  for (const path of ['/api/v1/leads', '/web/leads', '/auth/get-session', '/webhooks', '/webhook/', '/healthz', '/']) {
    for (const method of ['OPTIONS', 'GET', 'POST']) {
      const { headers } = await fetch(app.url + path, { method, headers: page })
      assert.equal(headers.get('access-control-allow-origin'), null, `${method} ${path}`)
    }
  }
})
