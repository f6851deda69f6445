import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { rejections } from '#test/rejection.ts'

const app = await testApp()
after(app.close)
const { asha } = await people(app)
const leadId = (await asha.send('POST', '/api/v1/leads', { name: 'Ravi Kumar', phone: '+91 98100 44321' })).body.data.id

const session = signedIn(app, asha)
const rejects = await rejections(app.owner)

const posts = { '/api/v1/leads': 'name', '/api/v1/call-logs': 'lead_id' } as const
const lead = { name: 'Meena', phone: '9810012345' }
const call = { lead_id: leadId, call_type: 'Inbound', duration_seconds: 60 }
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))

for (const [path, firstField] of Object.entries(posts)) {
  const name = path.split('/').at(-1)
  for (const [what, body, status, field] of [
    ['nothing', '', 400],
    ['blanks', '  \n ', 400],
    ['half an object', '{"name": "Ra', 400],
    ['single quotes', "{'name': 'Ravi'}", 400],
    ['a comma too many', '{"name": "Ravi",}', 400],
    ['two objects', '{}{}', 400],
    ['NaN', '{"duration_seconds": NaN}', 400],
    ['a form', 'name=Ravi&phone=9810012345', 400],
    ['XML', '<lead/>', 400],
    ['a raw NUL', '{"name": "a\0b"}', 400],
    ['a raw newline in a text', '{"name": "a\nb"}', 400],
    ['null', 'null', 400],
    ['a list', '[]', 400],
    ['a list with a lead in it', JSON.stringify([lead]), 400],
    ['a text', '"Ravi"', 400],
    ['a number', '12', 400],
    ['true', 'true', 400],
    ['an empty object', '{}', 400, firstField],
    ['20,000 lists in each other', nested(20_000), 400],
    ['20,000 objects in each other', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, 400],
    [
      '20,000 lists in a field',
      `{${JSON.stringify({ ...lead, ...call }).slice(1, -1)}, "${firstField}": ${nested(20_000)}}`,
      400,
    ],
    ['broken UTF-8', bytes('{"name": "', [0xff, 0xfe], '"}'), 400],
    ['half a UTF-8 character', bytes('{"name": "', [0xe0, 0xa4], '"}'), 400],
    ['a surrogate written as UTF-8', bytes('{"name": "', [0xed, 0xa0, 0x80], '"}'), 400],
    ['UTF-16', Buffer.from('{"name": "Ravi"}', 'utf16le'), 400],
    ['a gzip', bytes([0x1f, 0x8b, 8, 0]), 400],
    ['3 MiB', `{"name": "${'a'.repeat(3_000_000)}"}`, 413],
    ['a byte too many', `{"name": "${'a'.repeat(2 ** 20 - 11)}"}`, 413],
    ['__proto__', '{"__proto__": {"name": "Ravi", "phone": "9810012345"}}', 400, firstField],
    ['constructor', '{"constructor": {"prototype": {"name": "Ravi"}}}', 400, firstField],
  ] as const) {
    test(`POST /${name} rejects ${what}`, async () => rejects(await asha.send('POST', path, body), status, field))
  }
  for (const type of [
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'json',
    ';',
    'application/json, text/plain',
  ]) {
    test(`POST /${name} rejects ${type}`, async () =>
      rejects(await asha.send('POST', path, JSON.stringify(lead), { 'content-type': type }), 415))
  }
}

const texts = { name: 200, company: 200, city: 200, source: 200, notes: 20_000, assigned_to: 254 } as const
const wrongLeads: [string, object][] = [
  ...Object.entries(texts).flatMap(([field, maxLength]): [string, object][] => [
    ...['a\0b', 'a\u0001b', 'a\u001bb', 'a\u007fb', 'a\u0085b', 'a\ud800', '\udc00b', 'x'.repeat(maxLength + 1)].map(
      (value): [string, object] => [field, { [field]: value }],
    ),
    ...[1, true, {}, [], ['a'], 1.5].map((value): [string, object] => [field, { [field]: value }]),
  ]),
  ...['a\nb', 'a\tb', 'a\u2028b', 'a\u2029b', 'a\u202db', 'a\u202eb'].flatMap((value) =>
    ['name', 'company', 'city', 'source'].map((field): [string, object] => [field, { [field]: value }]),
  ),
  ...[null, '', '   '].map((value): [string, object] => ['name', { name: value }]),
  ...['\u200b', '\u2800', '\u3164', '\u00ad', '\u{e0041}', '\u2066\u2069', ' \u0301 ', '\ue000'].map(
    (value): [string, object] => ['name', { name: value }],
  ),
  ...[...'\t\n\v\f\r\u0085\u2028\u2029'].map((sign): [string, object] => ['phone', { phone: `98100${sign}12345` }]),
  ...['a\u2028b@example.com', 'a@exam\u0085ple.com'].map((email): [string, object] => ['email', { email }]),
  ...[
    'abc',
    '12345',
    '1234567890123456',
    '98100-ABCDE',
    '+',
    '9810012345\0',
    '9.82E+09',
    '98******45',
    'javascript:alert(1)',
  ].map((phone): [string, object] => ['phone', { phone }]),
  ...[9810012345, true, ['9810012345'], {}].map((phone): [string, object] => ['phone', { phone }]),
  ...[
    'ravi',
    'ravi@',
    '@example.com',
    'a b@example.com',
    'a@b',
    'a@b@example.com',
    'a@example.com\0',
    'a@exam\nple.com',
    `${'a'.repeat(250)}@example.com`,
    `a@example.com${'.'.repeat(500_000)}a`,
    'a@example.com,b@example',
    '\ud800@example.com',
  ].map((email): [string, object] => ['email', { email }]),
  ...['new', 'NEW', 'Open', 1, true, [], ['New'], {}, 'New\0'].map((status): [string, object] => [
    'status',
    { status },
  ]),
  ...['low', 'Urgent', 0, {}, ['Low']].map((priority): [string, object] => ['priority', { priority }]),
  ...[
    'a',
    1,
    {},
    [1],
    [null],
    [['a']],
    [{}],
    ['a\0'],
    ['a\nb'],
    ['\ud800'],
    ['x'.repeat(101)],
    Array.from({ length: 51 }, (_, n) => `t${n}`),
  ].map((tags): [string, object] => ['tags', { tags }]),
  ...['1', '', -1, -0.01, 1e13, 1e308, true, [1], {}]
    .filter((value) => value !== '')
    .map((deal_value): [string, object] => ['deal_value', { deal_value }]),
  ...['nobody@example.com', 'Asha'].map((assigned_to): [string, object] => ['assigned_to', { assigned_to }]),
]

for (const [field, wrong] of wrongLeads) {
  const said = JSON.stringify(wrong)
  test(`POST /leads names ${field}: ${said.length > 60 ? `${said.slice(0, 50)}… (${said.length})` : said}`, async () =>
    rejects(await asha.send('POST', '/api/v1/leads', { ...lead, ...wrong }), 400, field))
}

for (const [field, body] of [
  ['deal_value', '{"name": "A", "phone": "9810012345", "deal_value": 1e400}'],
  ['deal_value', '{"name": "A", "phone": "9810012345", "deal_value": -1e400}'],
  ['name', '{"name": "\\ud800", "phone": "9810012345"}'],
  ['phone', '{"name": "A"}'],
  ['phone', '{"name": "A", "phone": null, "email": ""}'],
] as const) {
  test(`POST /leads names ${field}: ${body}`, async () =>
    rejects(await asha.send('POST', '/api/v1/leads', body), 400, field))
}

const wrongCalls: [string, unknown[]][] = [
  ['lead_id', [null, '', 'x', 1, {}, [leadId], `${leadId}0`, `{${leadId}`, `${leadId.slice(0, -1)}\0`, 'urn:uuid:x']],
  ['call_type', [null, '', 'inbound', 'Missed', 1, true, ['Inbound'], {}]],
  ['duration_seconds', [null, '', '60', 1.5, -1, 2_147_483_648, 1e308, true, [60], {}]],
  ['outcome', ['completed', 'Answered', 1, {}, ['Busy']]],
  ['notes', ['a\0', 'a\u0007', '\ud800', 1, {}, ['a'], 'x'.repeat(20_001)]],
  [
    'called_at',
    [
      'yesterday',
      '2026-11-21',
      '2026-11-21T10:00:00',
      '2026-02-30T10:00:00Z',
      '2026-11-21T25:00:00Z',
      '0000-01-01T00:00:00Z',
      '+275760-09-13T00:00:01Z',
      1_795_248_984,
      {},
      '2026-11-21T10:00:00Z\0',
    ],
  ],
]
for (const [field, values] of wrongCalls) {
  for (const value of values) {
    const said = JSON.stringify(value)
    test(`POST /call-logs names ${field}: ${said.slice(0, 50)}`, async () =>
      rejects(await asha.send('POST', '/api/v1/call-logs', { ...call, [field]: value }), 400, field))
  }
}

test('a call log for a lead that does not exist is 404 and names lead_id', async () =>
  rejects(await asha.send('POST', '/api/v1/call-logs', { ...call, lead_id: randomUUID() }), 404, 'lead_id'))

for (const key of ['', 'with space', 'ü'.repeat(2), 'x'.repeat(256)]) {
  test(`an Idempotency-Key of ${key.length} characters "${key.slice(0, 12)}" is rejected`, async () => {
    const headers = { 'idempotency-key': Buffer.from(key).toString('latin1') }
    await rejects(await asha.send('POST', '/api/v1/leads', lead, headers), 400, 'Idempotency-Key')
  })
}

for (const path of [
  '/auth/sign-in/email',
  '/auth/change-password',
  '/auth/two-factor/enable',
  '/api/v1/leads',
  '/web/leads',
  '/web/webhooks',
  '/web-public/forgotten',
]) {
  for (const [what, body] of [
    ['lists', nested(8000)],
    ['lists in a field', `{"email": ${nested(8000)}, "name": "a \\" [ b"}`],
    ['objects', `${'{"a":'.repeat(2500)}1${'}'.repeat(2500)}`],
    ['lists that do not end', '['.repeat(8000)],
  ] as const) {
    test(`POST ${path} rejects thousands of ${what} in each other`, async () => {
      const { send } = path.startsWith('/api/') ? asha : await session
      await rejects(await send('POST', path, body), 400)
    })
  }
}

test('brackets in a text are no depth', async () => {
  const answered = await asha.send('POST', '/api/v1/leads', { name: `${'['.repeat(100)}"\\`, phone: '9810012346' })
  assert.equal(answered.status, 201)
})
