import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { testApp } from '#test/app.ts'
import { people } from '#test/people.ts'
import { rejections } from '#test/rejection.ts'

const app = await testApp()
after(app.close)
const { asha } = await people(app)
const lead = { name: 'Meena', phone: '9810012345' }
const leadId = (await asha.send('POST', '/api/v1/leads', lead)).body.data.id
const call = { lead_id: leadId, call_type: 'Inbound', duration_seconds: 60 }
const rejects = await rejections(app.owner)

const both = ['leads', 'call-logs']
const wrongQueries: [string, string[], string[]][] = [
  [
    'limit',
    both,
    ['0', '-1', '501', 'ten', '1.5', '1e2', '0x10', '1e400', '99999999999999999999', 'true', 'null', '[1]', '%00', '١'],
  ],
  ['offset', both, ['-1', '2147483648', '1.5', 'NaN', '1e400', '99999999999999999999', '%00']],
  [
    'from_date',
    both,
    [
      'today',
      '2026-13-01',
      '2026-02-30',
      '2026-1-1',
      '0000-01-01',
      '2026-11-21T00:00:00Z',
      '21-11-2026',
      '%00',
      '-2026-01-01',
    ],
  ],
  ['to_date', both, ['2025-02-29', '2026-11-21%00', '99999-01-01']],
  ['status', ['leads'], ['new', 'Open', 'New,Lost', '%00', 'New%00', '%zz', '%']],
  ['priority', ['leads'], ['low', '1', '%ff']],
  [
    'source',
    ['leads'],
    ['a%00b', '%00', 'a%0Ab', '%7F', 'x'.repeat(201), '%zz', '%ff%fe', '%e0%a4', '%ed%a0%80', '%C2%85'],
  ],
  ['assigned_to', ['leads'], ['%00', 'x'.repeat(255), '%c3']],
  ['lead_id', ['call-logs'], ['x', '%00', '123', '%zz', `${leadId}0`]],
  ['call_type', ['call-logs'], ['inbound', 'Missed', '%00']],
]
for (const [field, kinds, values] of wrongQueries) {
  for (const kind of kinds) {
    test(`GET /${kind} names ${field} in every wrong query`, async () => {
      for (const value of values) await rejects(await asha.send('GET', `/api/v1/${kind}?${field}=${value}`), 400, field)
    })
  }
}

test('a query parameter given twice is rejected by name', async () => {
  for (const [field, pair] of [
    ['limit', 'limit=5&limit=6'],
    ['status', 'status=New&status=Lost'],
    ['source', 'source=a&source=b'],
    ['from_date', 'from_date=2026-01-01&from_date=2026-01-02'],
    ['assigned_to', 'assigned_to=a%40x.in&assigned_to=b%40x.in'],
  ] as const) {
    await rejects(await asha.send('GET', `/api/v1/leads?${pair}`), 400, field)
  }
})

test('from_date after to_date names from_date', async () => {
  for (const kind of both) {
    await rejects(await asha.send('GET', `/api/v1/${kind}?from_date=2026-02-02&to_date=2026-02-01`), 400, 'from_date')
  }
})

test('unknown, empty and odd query parameters are ignored', async () => {
  for (const query of [
    '',
    'x=1',
    'status=',
    'limit=&offset=',
    '__proto__=1',
    'constructor=1',
    '__proto__[status]=x',
    'toString=1',
    '&&&',
    '=',
    'limit=5&',
    'offset=-0',
    'source=%F0%9F%98%80',
    'to_date=9999-12-31',
    'from_date=0001-01-01',
    '?',
    '%00=1',
    'a=%zz'.slice(0, 1),
  ]) {
    for (const kind of both) {
      const { status, body } = await asha.send('GET', `/api/v1/${kind}?${query}`)
      assert.equal(status, 200, `${kind} ${query} ${JSON.stringify(body)}`)
    }
  }
})

for (const kind of both) {
  test(`DELETE /${kind} names a malformed id, and answers 404 for an unknown one`, async () => {
    for (const id of [
      'x',
      '1',
      '%00',
      `${leadId}0`,
      `{${leadId}}`,
      leadId.replaceAll('-', ''),
      'a'.repeat(3000),
      '%F0%9F%98%80',
      '..%2f..',
      "'",
      '%20',
    ]) {
      await rejects(await asha.send('DELETE', `/api/v1/${kind}/${id}`), 400, 'id')
    }
    for (const id of [randomUUID(), '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']) {
      await rejects(await asha.send('DELETE', `/api/v1/${kind}/${id}`), 404)
    }
    await rejects(await asha.send('DELETE', `/api/v1/${kind}/%zz`), 400)
    await rejects(await asha.send('DELETE', `/api/v1/${kind}/%ff`), 400)
  })
}

const anything = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...['a\0', '\ud800', 1e308, -0, 2 ** 53, '', null, 'New', 'Inbound', leadId, '2026-11-21T10:00:00Z']),
)
const keyed = (fields: string[]) =>
  fc.dictionary(
    fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...fields) }, { weight: 1, arbitrary: fc.string() }),
    anything,
  )

test('no request causes a 5xx, whatever it contains', async () => {
  const leadFields = [
    'name',
    'email',
    'phone',
    'tags',
    'deal_value',
    'status',
    'priority',
    'notes',
    'assigned_to',
    'source',
    '__proto__',
  ]
  const callFields = [...Object.keys(call), 'outcome', 'notes', 'called_at', 'constructor']
  const request = fc.oneof(
    fc.tuple(
      fc.constant('POST'),
      fc.constant('/api/v1/leads'),
      fc.oneof(
        keyed(leadFields),
        keyed(leadFields).map((body) => ({ ...lead, ...body })),
        anything,
      ),
    ),
    fc.tuple(
      fc.constant('POST'),
      fc.constant('/api/v1/call-logs'),
      fc.oneof(
        keyed(callFields),
        keyed(callFields).map((body) => ({ ...call, ...body })),
      ),
    ),
    fc.tuple(
      fc.constant('GET'),
      fc
        .tuple(
          fc.constantFrom(...both),
          fc.dictionary(
            fc.constantFrom('limit', 'offset', 'from_date', 'to_date', 'status', 'source', 'assigned_to', 'lead_id'),
            fc.oneof(
              fc.string({ unit: 'grapheme' }),
              fc.integer().map(String),
              fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
            ),
          ),
        )
        .map(([kind, query]) => `/api/v1/${kind}?${new URLSearchParams(query)}`),
      fc.constant(undefined),
    ),
    fc.tuple(
      fc.constantFrom('DELETE', 'PATCH', 'GET'),
      fc.webPath().map((path) => `/api/v1/leads/${path}`),
      fc.constant(undefined),
    ),
  )
  await fc.assert(
    fc.asyncProperty(request, async ([method, path, body]) => {
      const { status, body: answered } = await asha.send(
        method,
        path,
        body === undefined ? undefined : JSON.stringify(body),
      )
      assert.ok(status < 500, `${status} ${JSON.stringify(answered)}`)
      if (status >= 400) assert.match(answered.error.code, /^(INVALID_PARAM|NOT_FOUND|METHOD_NOT_ALLOWED)$/)
    }),
    { numRuns: 400 },
  )
})
