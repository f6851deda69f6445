import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { testApp } from '#test/app.ts'
import { type Answer, addPlayer, ask, people } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'

const app = await testApp()
after(app.close)
const { asha, bela, acme } = await people(app)
const webhook = await webhookOf(app, acme)
const { status, headers, body: description } = await ask(app.url, null, 'GET', '/api/v1/openapi.json')

// biome-ignore lint/suspicious/noExplicitAny: any OpenAPI object
type Any = any

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema(description, 'openapi')

const every = [400, 403, 405, 408, 429, 431, 500, 503]
const withKey = [...every, 401]
const operations: [string, string, string, number[]][] = [
  ['get', '/api/v1/leads', 'listLeads', [200, ...withKey]],
  ['post', '/api/v1/leads', 'createOrMergeLead', [200, 201, 413, 415, ...withKey]],
  ['delete', '/api/v1/leads/{id}', 'deleteLead', [200, 404, ...withKey]],
  ['get', '/api/v1/call-logs', 'listCallLogs', [200, ...withKey]],
  ['post', '/api/v1/call-logs', 'createCallLog', [201, 404, 413, 415, ...withKey]],
  ['delete', '/api/v1/call-logs/{id}', 'deleteCallLog', [200, 404, ...withKey]],
  ['post', '/webhook/{token}', 'sendDelivery', [200, 404, 413, 415, ...every]],
  ['get', '/webhook/{token}', 'sendDeliveryInQuery', [200, 404, ...every]],
]

/** Follows a reference. */
const at = (part: Any): Any =>
  part.$ref
    ? part.$ref
        .slice(2)
        .split('/')
        .reduce((here: Any, step: string) => here?.[step], description)
    : part

test('the description is JSON, of OpenAPI 3.1, and needs no key', () => {
  assert.equal(status, 200)
  assert.match(headers.get('content-type')!, /^application\/json/)
  assert.match(description.openapi, /^3\.1\.\d$/)
  assert.ok(description.info.title && description.info.version)
  assert.equal(description.servers[0].url, app.url)
})

for (const [method, path, name, statuses] of operations) {
  test(`${method.toUpperCase()} ${path} is ${name}, with every status it answers`, () => {
    const operation = description.paths[path]?.[method]
    assert.equal(operation?.operationId, name)
    assert.deepEqual(Object.keys(operation.responses).map(Number), statuses.toSorted())
    assert.ok(operation.summary && operation.description && operation.tags.length === 1)
    assert.deepEqual(operation.security, path.startsWith('/webhook') ? [] : [{ apiKey: [] }])
    for (const [status, answer] of Object.entries<Any>(operation.responses)) {
      const { description: text, headers, content } = at(answer)
      assert.ok(text && text !== 'Default Response', status)
      assert.ok(content['application/json'].schema.$ref, status)
      assert.ok(Object.keys(content['application/json'].examples).length > 0, status)
      assert.ok(headers['X-Request-Id'], status)
      for (const header of Object.values<Any>(headers)) assert.ok(at(header).schema, status)
    }
  })
}

test('schemas are written as generators read them: nulls and enums with a type, and patterns of plain ASCII', () => {
  const schemas = { ...description.components.schemas, paths: description.paths }
  const check = (part: Any) => {
    if (typeof part !== 'object' || part === null) return
    // An enum with a name of its own cannot be null in another way.
    if (part.anyOf)
      assert.deepEqual([part.anyOf.length, Object.keys(part.anyOf[0]), part.anyOf[1]], [2, ['$ref'], { type: 'null' }])
    if (Array.isArray(part.enum)) assert.equal(part.type, 'string')
    if (typeof part.pattern === 'string') assert.match(part.pattern, /^\^\[\^(\\x[0-9A-F]{2}-?)+\]\*\$$/)
    assert.ok(part.format === undefined || ['uuid', 'date', 'date-time', 'email'].includes(part.format), part.format)
    for (const [key, more] of Object.entries(part)) if (key !== 'examples') check(more)
  }
  check(schemas)
  assert.deepEqual(schemas.Lead.properties.city, { type: ['string', 'null'], description: 'City.', examples: ['Pune'] })
  assert.deepEqual(Object.keys(description.components.schemas).sort(), [
    'CallLog',
    'CallLogList',
    'CallLogResponse',
    'CallOutcome',
    'CallType',
    'DeletedResponse',
    'DeliveryStatus',
    'Error',
    'Lead',
    'LeadList',
    'LeadPriority',
    'LeadStatus',
    'NewCallLog',
    'NewLead',
    'Pagination',
    'RecordStatus',
    'SavedLead',
    'SavedLeadResponse',
    'WebhookPayload',
    'WebhookResponse',
  ])
})

test('every property and parameter has a description, and an example unless its values are listed', () => {
  const lacking: string[] = []
  const check = (place: string, { description: text, examples, ...schema }: Any) => {
    const { anyOf, properties, items, enum: values } = at(schema)
    if (!text && !schema.$ref) lacking.push(`${place}: description`)
    const inner = items?.properties ?? properties
    if (inner) for (const [name, part] of Object.entries<Any>(inner)) check(`${place}.${name}`, part)
    else if (!values && !anyOf && !items?.$ref && schema.default === undefined && !examples)
      lacking.push(`${place}: example`)
  }
  for (const [name, { properties = {} }] of Object.entries<Any>(description.components.schemas))
    for (const [property, part] of Object.entries<Any>(properties)) check(`${name}.${property}`, part)
  for (const { operationId, parameters = [] } of Object.values<Any>(description.paths).flatMap<Any>(Object.values))
    for (const { name, description: text, example, schema } of parameters)
      check(`${operationId} ${name}`, { description: text, examples: example ?? undefined, ...schema })
  // A sample key, pasted twice, would answer the first response again.
  assert.deepEqual(
    [...new Set(lacking)],
    ['createOrMergeLead Idempotency-Key: example', 'createCallLog Idempotency-Key: example'],
  )
})

test('a null is described where the service takes it as not given, and rejected elsewhere', async () => {
  const validates = (schema: string) => ajv.getSchema(`openapi#/components/schemas/${schema}`)!
  const lead = { name: 'Asif', phone: '9810012399', email: 'asif@example.com' }
  const { body } = await asha.send('POST', '/api/v1/leads', lead)
  const call = { lead_id: body.data.id, call_type: 'Inbound', duration_seconds: 60 }
  for (const [path, schema, complete] of [
    ['/api/v1/leads', 'NewLead', lead],
    ['/api/v1/call-logs', 'NewCallLog', call],
  ] as const) {
    for (const name of Object.keys(description.components.schemas[schema].properties)) {
      const sent = { ...complete, [name]: null }
      const { status, body } = await asha.send('POST', path, sent)
      assert.equal(validates(schema)(sent), status < 300, `${schema}.${name}: ${status}`)
      if (status >= 300) assert.equal(body.error.field, name)
    }
  }
  assert.equal((await asha.send('DELETE', `/api/v1/leads/${body.data.id}`)).status, 200)
})

test('the description lists the code of every error', () => {
  const {
    description: text,
    examples,
    enum: closed,
  } = description.components.schemas.Error.properties.error.properties.code
  const shown = [...JSON.stringify(description).matchAll(/"code":"([A-Z_]+)"/g)].map(([, code]) => code)
  assert.deepEqual([...new Set(shown)].sort(), [...examples].sort())
  for (const code of examples) assert.match(text, new RegExp(`\\b${code}\\b`))
  // A new code must not break a generated client.
  assert.equal(closed, undefined)
})

test('nothing else is described under /api, and every path parameter, reference, scheme and operation name holds', () => {
  const known = operations.map(([, path]) => path)
  assert.equal(Object.values<Any>(description.paths).flatMap(Object.keys).length, operations.length)
  assert.deepEqual(
    Object.keys(description.paths).filter((path) => !known.includes(path)),
    [],
  )
  const names = new Set<string>()
  for (const [path, methods] of Object.entries<Any>(description.paths)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
    for (const [method, operation] of Object.entries<Any>(methods)) {
      const given = (operation.parameters ?? []).filter((one: Any) => one.in === 'path')
      assert.deepEqual(
        given.map((one: Any) => one.name),
        inPath,
        `${method} ${path}`,
      )
      assert.ok(given.every((one: Any) => one.required === true))
      for (const parameter of operation.parameters ?? []) assert.ok(parameter.schema && parameter.in)
      for (const scheme of operation.security ?? []) {
        for (const name of Object.keys(scheme)) assert.ok(name in description.components.securitySchemes)
      }
      assert.ok(!names.has(operation.operationId))
      names.add(operation.operationId)
    }
  }
  for (const [, reference = ''] of JSON.stringify(description).matchAll(/"\$ref":"([^"]+)"/g)) {
    assert.ok(at({ $ref: reference }), reference)
  }
})

test('every schema in it is JSON Schema of 2020-12', () => {
  const schemas: Any[] = []
  const collect = (at: Any) => {
    if (typeof at !== 'object' || at === null) return
    if (at.schema) schemas.push(at.schema)
    for (const part of Object.values(at)) collect(part)
  }
  collect(description.paths)
  schemas.push(...Object.values(description.components.schemas))
  assert.ok(schemas.length > 40)
  for (const schema of schemas) assert.ok(ajv.validateSchema(schema), JSON.stringify(ajv.errors))
})

test('the description of the request bodies says what the service asks for', () => {
  const body = (path: string) => at(description.paths[path].post.requestBody.content['application/json'].schema)
  assert.deepEqual(body('/api/v1/leads').required, ['name'])
  assert.deepEqual(body('/api/v1/call-logs').required, ['lead_id', 'call_type', 'duration_seconds'])
  const { parameters } = description.paths['/api/v1/leads'].get
  const names = [
    'from_date',
    'to_date',
    'updated_since',
    'cursor',
    'status',
    'source',
    'priority',
    'assigned_to',
    'limit',
    'offset',
  ]
  assert.deepEqual(parameters.map((one: Any) => one.name).sort(), names.sort())
})

const seen = new Map<string, Set<number>>()

/** Holds a real answer against what the description says of it. */
function describes(method: string, path: string, answer: Answer) {
  const described = description.paths[path][method].responses[answer.status]
  assert.ok(described, `${method} ${path} does not describe ${answer.status}`)
  const { headers, content } = at(described)
  for (const name of Object.keys(headers)) {
    if (!['Idempotent-Replayed', 'X-Unknown-Parameters'].includes(name))
      assert.ok(answer.headers.has(name), `${answer.status} without ${name}`)
  }
  const validate = ajv.getSchema(`openapi${content['application/json'].schema.$ref}`)!
  assert.ok(validate(answer.body), `${JSON.stringify(answer.body)} ${JSON.stringify(validate.errors)}`)
  const known = seen.get(`${method} ${path}`) ?? new Set()
  seen.set(`${method} ${path}`, known.add(answer.status))
  return answer
}

test('real answers are as described', async () => {
  const reader = await addPlayer(app.database, app.url, acme, 'Reader', 'Agent', null, [])
  const lead = {
    name: 'Ravi',
    phone: '9810044321',
    email: 'ravi@example.com',
    tags: ['a'],
    deal_value: 1.5,
    notes: 'a\nb',
  }
  const full = describes('post', '/api/v1/leads', await asha.send('POST', '/api/v1/leads', lead))
  const id = full.body.data.id
  describes('post', '/api/v1/leads', await asha.send('POST', '/api/v1/leads', lead))
  describes(
    'post',
    '/api/v1/leads',
    await asha.send('POST', '/api/v1/leads', { name: 'Bare', email: 'bare@example.com' }),
  )
  // A match that Bela may not see: only what was sent comes back.
  describes('post', '/api/v1/leads', await bela.send('POST', '/api/v1/leads', { name: 'R', phone: '9810044321' }))
  const call = { lead_id: id, call_type: 'Inbound', duration_seconds: 60 }
  const logged = describes('post', '/api/v1/call-logs', await asha.send('POST', '/api/v1/call-logs', call))
  describes(
    'post',
    '/api/v1/call-logs',
    await asha.send('POST', '/api/v1/call-logs', { ...call, lead_id: randomUUID() }),
  )
  describes('post', '/webhook/{token}', await webhook.send(lead))
  describes('post', '/webhook/{token}', await webhook.send('x'))
  describes('post', '/webhook/{token}', await webhook.send(`{"a": "${'x'.repeat(4 * 2 ** 20)}"}`))
  describes('post', '/webhook/{token}', await ask(app.url, null, 'POST', '/webhook/unknown', lead))
  describes('post', '/webhook/{token}', await webhook.send(lead, { 'content-encoding': 'zstd' }))
  describes('get', '/webhook/{token}', await ask(app.url, null, 'GET', webhook.path))
  describes('get', '/webhook/{token}', await ask(app.url, null, 'GET', `${webhook.path}?city=Pune`))
  describes('get', '/webhook/{token}', await ask(app.url, null, 'GET', `${webhook.path}?hub.challenge=1`))
  describes('get', '/webhook/{token}', await ask(app.url, null, 'GET', '/webhook/unknown'))
  for (const path of ['/api/v1/leads', '/api/v1/call-logs']) {
    describes('get', path, await asha.send('GET', path))
    describes('get', path, await asha.send('GET', `${path}?limit=0`))
    describes('get', path, await reader.send('GET', path))
    describes('get', path, await ask(app.url, null, 'GET', path))
    describes('post', path, await asha.send('POST', path, '{'))
    describes('post', path, await asha.send('POST', path, ' '.repeat(2 ** 20 + 1)))
    describes('post', path, await asha.send('POST', path, '{}', { 'content-type': 'text/plain' }))
    describes('post', path, await reader.send('POST', path, {}))
    describes('post', path, await ask(app.url, null, 'POST', path, {}))
    describes('delete', `${path}/{id}`, await asha.send('DELETE', `${path}/x`))
    describes('delete', `${path}/{id}`, await asha.send('DELETE', `${path}/${randomUUID()}`))
    describes('delete', `${path}/{id}`, await reader.send('DELETE', `${path}/x`))
    describes('delete', `${path}/{id}`, await ask(app.url, null, 'DELETE', `${path}/x`))
  }
  describes('delete', '/api/v1/call-logs/{id}', await asha.send('DELETE', `/api/v1/call-logs/${logged.body.data.id}`))
  describes('delete', '/api/v1/leads/{id}', await asha.send('DELETE', `/api/v1/leads/${id}`))
  for (const [method, path, , statuses] of operations) {
    const inReach = statuses.filter(
      (one) => ![405, 408, 429, 431, 500, 503].includes(one) && !(path.startsWith('/webhook') && one === 403),
    )
    const answered = [...seen.get(`${method} ${path}`)!].filter((one) => one !== 403 || inReach.includes(403))
    assert.deepEqual(answered.sort(), inReach.sort(), `${method} ${path}`)
  }
})

test('the reference loads nothing from outside, and its policy lets no foreign or inline script run', async () => {
  const page = await ask(app.url, null, 'GET', '/docs/')
  assert.equal(page.status, 200)
  const policy = page.headers.get('content-security-policy')!
  const directives = new Map(policy.split('; ').map((one) => [one.split(' ')[0], one.split(' ').slice(1)]))
  assert.equal(directives.get('default-src')!.join(' '), "'self'")
  const scripts = directives.get('script-src')!
  assert.ok(
    scripts.every((source) => source === "'self'" || source.startsWith("'nonce-")),
    policy,
  )
  assert.doesNotMatch(policy, /https?:|\*|unsafe-eval/)
  const nonce = scripts.find((source) => source.startsWith("'nonce-"))!.slice(7, -1)
  const tags = [...String(page.body).matchAll(/<script\b([^>]*)>/g)].map((match) => match[1]!)
  assert.ok(tags.length > 0)
  for (const tag of tags) assert.ok(tag.includes(`nonce="${nonce}"`), tag)
  const urls = [...String(page.body).matchAll(/\b(?:src|href)="([^"]+)"/g)].map((match) => match[1]!)
  assert.deepEqual(
    urls.filter((url) => /^(https?:)?\/\//.test(url)),
    [],
  )
  for (const url of urls) {
    const { status } = await fetch(new URL(url, `${app.url}/docs/`))
    assert.equal(status, 200, url)
  }
})
