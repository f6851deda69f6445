import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { serve, testApp } from '#test/app.ts'
import { type Answer, addPlayer, ask, people } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'
import { setSuspended } from '../../access/account/suspension.ts'
import { setEnabled } from '../../intake/webhooks/store.ts'
import { asActor } from '../database/actor.ts'

let now = new Date('2026-11-21T05:00:00Z')
const app = await testApp({}, () => now)
const limited = await serve(app.database, { RATE_LIMIT_PER_MINUTE: '1', WEBHOOK_LIMIT_PER_MINUTE: '1' })
after(async () => {
  await limited.close()
  await app.close()
})
const { asha, acme, zoya, other } = await people(app)
const reader = await addPlayer(app.database, app.url, acme, 'Reader', 'Agent', null, ['read'])
const elsewhere = await addPlayer(app.database, app.url, acme, 'Elsewhere', 'Agent', null, ['read'], ['203.0.113.7'])
const webhook = await webhookOf(app, acme)
const disabled = await webhookOf(app, acme)
await asActor(app.database, acme, (tx) => setEnabled(tx, acme, disabled.id, false))
const description = await descriptionOf(app.url)
const ofLimited = await descriptionOf(limited.url)

// biome-ignore lint/suspicious/noExplicitAny: parts of an OpenAPI object
type Any = any

async function descriptionOf(url: string) {
  const { body } = await ask(url, null, 'GET', '/api/v1/openapi.json')
  const answers = new Map<string, Any>()
  const operations: Any[] = Object.values<Any>(body.paths).flatMap(Object.values)
  for (const { operationId, responses } of operations) {
    for (const [status, { $ref, ...own }] of Object.entries<Any>(responses)) {
      const shared = $ref?.split('/').at(-1)
      const { content } = shared ? body.components.responses[shared] : own
      for (const { examples } of Object.values<Any>(content)) {
        for (const [name, { value }] of Object.entries<Any>(examples))
          answers.set(`${shared ?? `${operationId} ${status}`}: ${name}`, value)
      }
    }
  }
  const bodies = (name: string) => operations.find(({ operationId }) => operationId === name).requestBody.content
  return { body, answers, request: (name: string, type = 'application/json') => bodies(name)[type].examples }
}

const covered = new Set<string>()

/** Ids by the order in which they appear, emails without the account of the test, and waiting times. */
function alike(body: unknown): unknown {
  const ids = new Map<string, string>()
  const text = JSON.stringify(body)
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, (id) => ids.get(id) ?? ids.set(id, `id ${ids.size}`).get(id)!)
    .replace(/@[\da-f]{8}\.example\.com/g, '@example.com')
    .replace(/in \d+ s/, 'in 42 s')
  return JSON.parse(text)
}

/** Checks that the service answers what the example shows. */
function shows(name: string, { body }: Answer, { answers } = description) {
  assert.ok(answers.has(name), name)
  assert.deepEqual(alike(body), alike(answers.get(name)), name)
  covered.add(name)
}

test('the examples of leads and call logs are one story that the service answers so', async () => {
  const { request } = description
  const leads = '/api/v1/leads'
  const calls = '/api/v1/call-logs'
  const again = request('createOrMergeLead')
  shows('listLeads 200: no lead', await asha.send('GET', leads))
  const created = await asha.send('POST', leads, again['new lead'].value)
  shows('createOrMergeLead 201: created', created)
  const lead_id = created.body.data.id
  now = new Date('2026-11-21T05:12:30Z')
  shows('createOrMergeLead 200: merged', await asha.send('POST', leads, again['same person again'].value))
  shows('listLeads 200: one lead', await asha.send('GET', leads))

  const { 'answered call': answered, 'missed call': missed } = request('createCallLog')
  const call = await asha.send('POST', calls, { ...answered.value, lead_id })
  shows('createCallLog 201: logged', call)
  shows('listCallLogs 200: one call', await asha.send('GET', calls))
  assert.equal((await asha.send('POST', calls, { ...missed.value, lead_id })).status, 201)
  assert.equal((await asha.send('POST', leads, again['only an email'].value)).status, 201)

  shows('deleteCallLog 200: deleted', await asha.send('DELETE', `${calls}/${call.body.data.id}`))
  shows('deleteLead 200: deleted', await asha.send('DELETE', `${leads}/${lead_id}`))
})

const lead = { name: 'Asif', phone: '9810012399' }
const call = { lead_id: randomUUID(), call_type: 'Inbound', duration_seconds: 1 }
const noLead = `/api/v1/leads/${randomUUID()}`
const noCall = `/api/v1/call-logs/${randomUUID()}`
const get = (path: string) => () => asha.send('GET', path)
const post = (path: string, body: unknown, headers = {}) => asha.send('POST', `/api/v1/${path}`, body, headers)
const remove = (path: string) => () => asha.send('DELETE', path)
const toUrl = (path: string, method = 'GET') => ask(app.url, null, method, path)

const errors: [string, () => Promise<Answer>][] = [
  ['listLeads 400: page too large', get('/api/v1/leads?limit=501')],
  ['listLeads 400: no such day', get('/api/v1/leads?from_date=2026-02-30')],
  ['listLeads 400: unknown status', get('/api/v1/leads?status=Open')],
  ['listLeads 400: time without an offset', get('/api/v1/leads?updated_since=2026-11-21T10:30')],
  ['createOrMergeLead 400: no contact', () => post('leads', { name: 'Ravi' })],
  ['createOrMergeLead 400: no name', () => post('leads', { phone: '9810044321' })],
  ['createOrMergeLead 400: invalid email', () => post('leads', { name: 'Ravi', email: 'ravi@' })],
  ['createOrMergeLead 400: unknown owner', () => post('leads', { ...lead, assigned_to: 'x@example.com' })],
  [
    'createOrMergeLead 400: another body under the same key',
    async () => {
      const headers = { 'idempotency-key': randomUUID() }
      await post('leads', lead, headers)
      return post('leads', { ...lead, name: 'Asif Khan' }, headers)
    },
  ],
  ['createOrMergeLead 400: misspelled field', () => post('leads', { name: 'Ravi', mobile: '9810044321' })],
  ['createOrMergeLead 400: no body', () => post('leads', undefined)],
  ['createOrMergeLead 400: broken JSON', () => post('leads', '{')],
  ['deleteLead 400: not a UUID', remove('/api/v1/leads/1')],
  ['deleteLead 404: not found', remove(noLead)],
  ['listCallLogs 400: days reversed', get('/api/v1/call-logs?from_date=2026-11-21&to_date=2026-11-20')],
  ['listCallLogs 400: not a UUID', get('/api/v1/call-logs?lead_id=1')],
  ['listCallLogs 400: time without an offset', get('/api/v1/call-logs?updated_since=2026-11-21T10:30')],
  ['createCallLog 400: no duration', () => post('call-logs', { ...call, duration_seconds: undefined })],
  ['createCallLog 400: time without an offset', () => post('call-logs', { ...call, called_at: '2026-11-21T10:30' })],
  ['createCallLog 404: no such lead', () => post('call-logs', call)],
  ['deleteCallLog 400: not a UUID', remove('/api/v1/call-logs/1')],
  ['deleteCallLog 404: not found', remove(noCall)],
  ['Unauthorized: no key', () => toUrl('/api/v1/leads')],
  ['Unauthorized: not valid', () => ask(app.url, 'le_live_x', 'GET', '/api/v1/leads')],
  ['Forbidden: permission', () => reader.send('DELETE', noLead)],
  ['Forbidden: IP address', () => elsewhere.send('GET', '/api/v1/leads')],
  ['MethodNotAllowed: change of a lead', () => asha.send('PATCH', '/api/v1/leads')],
  ['PayloadTooLarge: too large', () => post('leads', ' '.repeat(2 ** 20 + 1))],
  ['UnsupportedMediaType: not JSON', () => post('leads', 'x', { 'content-type': 'text/plain' })],
  ['sendDelivery 400: no contact', () => webhook.send({ city: 'Pune' })],
  ['sendDelivery 400: broken JSON', () => webhook.send('{')],
  ['sendDelivery 400: no body', () => webhook.send('')],
  ['sendDelivery 403: disabled', () => disabled.send(lead)],
  ['sendDelivery 404: unknown URL', () => toUrl('/webhook/unknown', 'POST')],
  ['sendDelivery 413: too large', () => webhook.send(' '.repeat(4 * 2 ** 20))],
  ['sendDelivery 415: unknown compression', () => webhook.send(lead, { 'content-encoding': 'zstd' })],
  ['sendDeliveryInQuery 400: no contact', () => toUrl(`${webhook.path}?city=Pune`)],
  ['sendDeliveryInQuery 400: invalid challenge', () => verified(`hub.challenge=${'x'.repeat(1001)}`)],
  ['sendDeliveryInQuery 403: disabled', () => toUrl(disabled.path)],
  ['sendDeliveryInQuery 403: wrong verify token', () => toUrl(`${webhook.path}?hub.challenge=1`)],
  ['sendDeliveryInQuery 404: unknown URL', () => toUrl('/webhook/unknown')],
]

async function verified(query: string) {
  const [row] = await app.owner`select verify_token from webhooks where id = ${webhook.id}`
  return toUrl(`${webhook.path}?hub.verify_token=${row!.verify_token}&${query}`)
}

for (const [name, send] of errors) {
  test(`the service answers as the example shows: ${name}`, async () => shows(name, await send()))
}

test('the examples of webhooks are what the service answers', async () => {
  const { value: several } = description.request('sendDelivery')['several people']
  shows('sendDelivery 200: several people', await webhook.send(several))
  const { 'plain fields': plain, 'names of a form': form } = description.request('sendDelivery')
  assert.equal((await webhook.send(form.value)).body.data.status, 'created')
  shows('sendDelivery 200: created', await webhook.send({ ...plain.value, lead_id: 'a1' }))
  shows('sendDelivery 200: duplicate', await webhook.send({ ...plain.value, lead_id: 'a1' }))
  for (const [type, body] of [
    ['application/x-www-form-urlencoded', (fields: Any) => new URLSearchParams(fields)],
    ['multipart/form-data', formOf],
  ] as const) {
    const { value } = description.request('sendDelivery', type).form
    const answer = await fetch(app.url + webhook.path, { method: 'POST', body: body(value) })
    shows('sendDelivery 200: merged', { body: await answer.json() } as Answer)
  }
  shows('sendDelivery 200: ignored', await webhook.send({ event: 'payment.captured' }))
  shows('sendDelivery 200: test', await webhook.send({ ...lead, is_test: true }))
  shows('sendDelivery 200: challenge', await webhook.send({ type: 'url_verification', challenge: '1158201444' }))

  const query = (given: Record<string, string>) => toUrl(`${webhook.path}?${new URLSearchParams(given)}`)
  shows('sendDeliveryInQuery 200: created', await query({ caller: '9800011122', call_id: 'b1' }))
  shows('sendDeliveryInQuery 200: duplicate', await query({ caller: '9800011122', call_id: 'b1' }))
  shows('sendDeliveryInQuery 200: merged', await query({ caller: '9800011122', city: 'Pune' }))
  shows('sendDeliveryInQuery 200: ignored', await query({ event: 'ping' }))
  shows('sendDeliveryInQuery 200: test', await query({ ...lead, is_test: 'true' }))
  shows('sendDeliveryInQuery 200: ready', await toUrl(webhook.path))
  shows('sendDeliveryInQuery 200: challenge', await verified('hub.challenge=1158201444'))
})

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

test('the examples of rate limits name the configured limits', async () => {
  const list = () => ask(limited.url, asha.key.secret, 'GET', '/api/v1/leads')
  await list()
  shows('RateLimited: too many', await list(), ofLimited)
  const send = () => ask(limited.url, null, 'POST', webhook.path, lead)
  await send()
  shows('sendDelivery 429: too many', await send(), ofLimited)
  shows('sendDeliveryInQuery 429: too many', await ask(limited.url, null, 'GET', `${webhook.path}?a=b`), ofLimited)
  assert.match(ofLimited.body.info.description, / 1 requests a minute/)
})

test('the example of a suspended account is what its keys get', async () => {
  await setSuspended(app.database, other.account_id, true)
  shows('Forbidden: suspended', await zoya.send('GET', '/api/v1/leads'))
})

test('every example was compared, except errors that the service builds by the same function', () => {
  const notCaused = /^(RequestTimeout|HeadersTooLarge|InternalError|Unavailable): /
  assert.deepEqual(
    [...description.answers.keys()].filter((name) => !covered.has(name) && !notCaused.test(name)),
    [],
  )
})

test('every example has the form of its schema', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(description.body, 'openapi')
  let compared = 0
  const check = (part: Any) => {
    if (typeof part !== 'object' || part === null) return
    if (part.schema && part.examples) {
      const validate = ajv.compile(part.schema.$ref ? { $ref: `openapi${part.schema.$ref}` } : part.schema)
      for (const [name, { value }] of Object.entries<Any>(part.examples)) {
        assert.ok(validate(value), `${name}: ${JSON.stringify(validate.errors)}`)
        compared++
      }
    }
    for (const more of Object.values(part)) check(more)
  }
  check(description.body.paths)
  check(description.body.components.responses)
  assert.ok(compared > 60)
})
