import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { ask, people, signedIn } from '#test/people.ts'
import { rejections } from '#test/rejection.ts'
import { webhookOf } from '#test/webhooks.ts'
import { LeadQuery, NewLead } from '../../crm/leads/contract.ts'
import { CallLogQuery, NewCallLog } from '../../telephony/calls/contract.ts'
import { findMeant } from './unknown-fields.ts'

const app = await testApp()
after(app.close)
const { asha, acme } = await people(app)
const webhook = await webhookOf(app, acme)
const id = (await asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone: '9810044321' })).body.data.id
const rejects = await rejections(app.owner)
const leads = async () => (await app.owner`select from leads`).length

const merges = 'To change a lead, POST /api/v1/leads with the same phone or email: it merges.'
const another = 'Call logs cannot be changed: delete it, and POST /api/v1/call-logs logs another.'
for (const [method, path, message] of [
  ['PATCH', '/api/v1/leads', `This URL supports GET, HEAD, POST. ${merges}`],
  ['PUT', '/api/v1/leads', `This URL supports GET, HEAD, POST. ${merges}`],
  ['DELETE', '/api/v1/leads', 'This URL supports GET, HEAD, POST. To delete a lead, send DELETE /api/v1/leads/{id}.'],
  ['PATCH', `/api/v1/leads/${id}`, `This URL supports DELETE. ${merges}`],
  [
    'GET',
    `/api/v1/leads/${id}`,
    'This URL supports DELETE. There is no route for one lead. GET /api/v1/leads lists leads.',
  ],
  ['PATCH', '/api/v1/call-logs', `This URL supports GET, HEAD, POST. ${another}`],
  ['PUT', `/api/v1/call-logs/${id}`, `This URL supports DELETE. ${another}`],
  ['OPTIONS', '/api/v1/leads', 'This URL supports GET, HEAD, POST.'],
] as const) {
  test(`${method} ${path.replace(id, '{id}')} says what to do instead`, async () => {
    const answer = await asha.send(method, path, method === 'GET' ? undefined : { name: 'Changed' })
    await rejects(answer, 405)
    assert.equal(answer.body.error.message, message)
  })
}

for (const [method, path, status, said] of [
  ['GET', '/leads', 404, 'This route does not exist. The API is under /api/v1: use /api/v1/leads.'],
  ['HEAD', '/leads', 404, undefined],
  ['GET', '/', 404, 'This route does not exist. The API is under /api/v1.'],
  ['POST', '/leads', 405, 'This URL supports GET, HEAD. The API is under /api/v1: use /api/v1/leads.'],
  ['DELETE', `/leads/${id}`, 405, 'This URL supports GET, HEAD. The API is under /api/v1: use /api/v1/leads/{id}.'],
  ['GET', '/api/leads?limit=5', 404, 'This route does not exist. The API is under /api/v1: use /api/v1/leads.'],
  ['POST', '/api/v2/call-logs', 404, 'This route does not exist. The API is under /api/v1: use /api/v1/call-logs.'],
  ['GET', '/v1/leads', 404, 'This route does not exist. The API is under /api/v1: use /api/v1/leads.'],
  ['GET', '/API/V1/LEADS', 404, 'This route does not exist. The API is under /api/v1: use /api/v1/leads.'],
  ['GET', '/api', 404, 'This route does not exist. The API is under /api/v1.'],
  ['GET', '/contacts', 404, 'This route does not exist. The API is under /api/v1.'],
  ['GET', '/api/v1/lead', 404, 'This route does not exist. See /docs for the API.'],
] as const) {
  test(`${method} ${path.replace(id, '{id}')} with a key says where the API is`, async () => {
    const headers = { accept: 'text/html', ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) }
    const response = await fetch(app.url + path, {
      method,
      headers: { ...headers, authorization: `Bearer ${asha.key.secret}` },
      ...(method === 'POST' ? { body: '{"name": "Meena", "phone": "9810012345"}' } : {}),
    })
    assert.equal(response.status, status)
    assert.match(response.headers.get('content-type')!, /^application\/json/)
    if (said) assert.equal(((await response.json()) as typeof noProblem).error.message, said)
    assert.equal(await leads(), 1)
  })
}
const noProblem = { error: { message: '' } }

test('a page is a page without a key, also with the token of a proxy', async () => {
  for (const authorization of [undefined, 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.x', 'Basic YTpi']) {
    const answer = await fetch(`${app.url}/leads`, { headers: authorization ? { authorization } : {} })
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type')!, /^text\/html/)
  }
})

for (const [name, body, field, message] of [
  [
    'misspelled',
    { nmae: 'Ravi', phone: '9810044322' },
    'name',
    'name is required. nmae is unknown. Did you mean name?',
  ],
  [
    'in other words',
    { name: 'Ravi', color: 'red', Mobile: '9810044322' },
    'phone',
    'phone or email is required. Mobile is unknown. Did you mean phone?',
  ],
  ['like none', { name: 'Ravi', xyz: 1 }, 'phone', 'phone or email is required.'],
] as const) {
  test(`a rejected body with a field that is ${name}`, async () => {
    const answer = await asha.send('POST', '/api/v1/leads', body)
    assert.deepEqual([answer.status, answer.body], [400, { error: { code: 'INVALID_PARAM', message, field } }])
    assert.equal(await leads(), 1)
  })
}

test('unknown fields and parameters are ignored, and named in a header', async () => {
  const named = async (method: string, path: string, body?: object) => {
    const { status, headers } = await asha.send(method, path, body)
    assert.ok(status < 300)
    return headers.get('x-unknown-parameters')
  }
  const lead = { name: 'Ravi', phone: '9810044321' }
  assert.equal(await named('POST', '/api/v1/leads', lead), null)
  assert.equal(await named('POST', '/api/v1/leads', { ...lead, phne: '1' }), 'phne')
  assert.equal(
    await named('POST', '/api/v1/leads', { ...lead, Tag: ['a'], colour: null, दाम: 1, 'a, b;\r\nX: y': 1 }),
    'Tag; did-you-mean=tags, colour, ???, a? b???X: y',
  )
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`${'x'.repeat(100)}${n}`, n]))
  const long = (await named('POST', '/api/v1/leads', { ...many, ...lead }))!
  assert.deepEqual(long.split(', '), Array(10).fill('x'.repeat(40)))
  assert.equal(await named('GET', '/api/v1/leads?form_date=2026-11-01&limit=5'), 'form_date; did-you-mean=from_date')
  assert.equal(await named('GET', '/api/v1/call-logs?page=2&status='), 'page, status')
  assert.equal(await named('GET', '/api/v1/call-logs?limit=2'), null)
  const [row] = await app.owner`select name, tags from leads where id = ${id}`
  assert.deepEqual({ ...row }, { name: 'Ravi', tags: [] })
})

test('what a name may mean', () => {
  const bodies = { lead: NewLead, call: NewCallLog, leads: LeadQuery, calls: CallLogQuery }
  for (const [body, name, meant] of [
    ['lead', 'phne', 'phone'],
    ['lead', 'phone_number', 'phone'],
    ['lead', 'PhoneNumber', 'phone'],
    ['lead', 'customer mobile', 'phone'],
    ['lead', 'e-mail', 'email'],
    ['lead', 'emial', 'email'],
    ['lead', 'fullName', 'name'],
    ['lead', 'company_name', 'company'],
    ['lead', 'dealValue', 'deal_value'],
    ['lead', 'asigned_to', 'assigned_to'],
    ['lead', 'owner', 'assigned_to'],
    ['lead', 'tag', 'tags'],
    ['lead', 'note', 'notes'],
    ['lead', 'utm_campaign', undefined],
    ['lead', 'pincode', undefined],
    ['lead', 'constructor', undefined],
    ['lead', 'x', undefined],
    ['lead', '', undefined],
    ['call', 'leadId', 'lead_id'],
    ['call', 'duration', 'duration_seconds'],
    ['call', 'direction', 'call_type'],
    ['call', 'owner', undefined],
    ['leads', 'form_date', 'from_date'],
    ['leads', 'todate', 'to_date'],
    ['leads', 'per_page', 'limit'],
    ['calls', 'lead', 'lead_id'],
    ['calls', 'page', undefined],
  ] as const)
    assert.equal(findMeant(name, new Set(Object.keys(bodies[body].properties))), meant, name)
})

test('an empty body says so', async () => {
  const send = (headers: Record<string, string>, body?: string) =>
    fetch(`${app.url}/api/v1/leads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${asha.key.secret}`, ...headers },
      ...(body === undefined ? {} : { body }),
    })
  for (const answer of [await send({}), await send({ 'content-type': 'application/json' }, '')]) {
    assert.equal(answer.status, 400)
    assert.deepEqual(await answer.json(), {
      error: { code: 'INVALID_PARAM', message: 'The body is empty; send a JSON object.' },
    })
  }
  assert.equal(await leads(), 1)
})

test('every error of the API links the reference, and no success and no error of the web app', async () => {
  const link = async (answer: Promise<{ headers: Headers }>) => (await answer).headers.get('link')
  const help = '</docs>; rel="help"'
  assert.equal(await link(ask(app.url, null, 'GET', '/api/v1/leads')), help)
  assert.equal(await link(asha.send('GET', '/api/v1/leads?limit=0')), help)
  assert.equal(await link(asha.send('PATCH', '/api/v1/leads')), help)
  assert.equal(await link(asha.send('DELETE', '/api/v1/leads/%zz')), help)
  assert.equal(await link(ask(app.url, null, 'GET', '/nothing')), help)
  assert.equal(await link(webhook.send('{')), help)
  assert.equal((await ask(app.url, null, 'GET', '/docs')).status, 200)
  assert.equal(await link(asha.send('GET', '/api/v1/leads')), null)
  const { send } = await signedIn(app, asha)
  assert.equal(await link(send('GET', '/web/nothing')), null)
})
