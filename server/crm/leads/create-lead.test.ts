import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { addPlayer, type Player, people } from '#test/people.ts'
import { assertCountsHold, auditOf, timelineOf, world } from '#test/records.ts'
import { setActive } from '../../access/account/store.ts'
import { asActor } from '../../platform/database/actor.ts'

const now = new Date('2026-11-21T05:00:00.999Z')
const app = await testApp({}, () => now)
after(app.close)
const { acme, asha, meena, bela, chand, zoya } = await people(app)
const { owner } = app

const create = (player: Player, lead: object) => player.send('POST', '/api/v1/leads', lead)
let people_made = 0
const newPhone = () => `98${String(10_000_000 + ++people_made)}`

async function rejected(player: Player, body: unknown, field: string | undefined) {
  const before = await world(owner)
  const answer = await player.send('POST', '/api/v1/leads', body)
  assert.equal(answer.status, 400, JSON.stringify(answer.body))
  assert.equal(answer.body.error.code, 'INVALID_PARAM')
  assert.equal(answer.body.error.field, field)
  if (field) assert.match(answer.body.error.message, new RegExp(`^${field} .{5,150}\\.$`))
  assert.deepEqual(await world(owner), before)
  return answer.body.error.message as string
}

test('a new lead is answered and listed with every field as given', async () => {
  const given = {
    name: 'Ravi Kumar',
    email: 'Ravi.Kumar@Example.com',
    phone: '+91 98100-44321',
    company: 'Kumar & Söhne',
    city: 'पुणे',
    source: 'Website',
    status: 'Qualified',
    priority: 'High',
    tags: ['vip', 'pune'],
    deal_value: 250000.5,
    notes: 'Wants a call.\n\tAfter five 🙏',
    assigned_to: bela.email,
  }
  const { status, body } = await create(asha, given)
  assert.equal(status, 201)
  const { id, ...lead } = body.data
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const times = { created_at: '2026-11-21T05:00:00Z', updated_at: '2026-11-21T05:00:00Z' }
  assert.deepEqual(lead, { ...given, ...times })
  const listed = await asha.send('GET', '/api/v1/leads?source=Website')
  assert.deepEqual(listed.body.data, [{ id, ...given, ...times }])
})

test('a new lead with few fields gets the defaults', async () => {
  const { status, body } = await create(bela, { name: 'Little', email: 'little@x.in' })
  assert.equal(status, 201)
  const { id: _, created_at: _created, updated_at: _updated, ...lead } = body.data
  assert.deepEqual(lead, {
    name: 'Little',
    email: 'little@x.in',
    phone: null,
    company: null,
    city: null,
    source: 'API',
    status: 'New',
    priority: 'Medium',
    tags: [],
    deal_value: null,
    notes: null,
    assigned_to: bela.email,
  })
})

test('text is trimmed; null, empty and blank optional values count as not given; unknown fields are ignored', async () => {
  const { status, body } = await create(asha, {
    name: '  Sita  ',
    email: null,
    phone: `  ${newPhone()} `,
    company: '',
    city: '   ',
    source: ' Fair ',
    status: null,
    priority: '',
    tags: [' a ', '', 'a', 'b', '  '],
    deal_value: null,
    notes: ' \n hi \n ',
    assigned_to: ' ',
    id: 'mine',
    created_at: '2001-01-01T00:00:00Z',
    account_id: 'x',
  })
  assert.equal(status, 201)
  const { name, email, phone, company, city, source, tags, notes, created_at } = body.data
  assert.deepEqual(
    { name, email, company, city, source, tags, notes, created_at },
    {
      name: 'Sita',
      email: null,
      company: null,
      city: null,
      source: 'Fair',
      tags: ['a', 'b'],
      notes: 'hi',
      created_at: '2026-11-21T05:00:00Z',
    },
  )
  assert.match(phone, /^98\d{8}$/)
  assert.notEqual(body.data.id, 'mine')
})

for (const [given, kept] of [
  [0, 0],
  [0.004, 0],
  [0.005, 0.01],
  [1.004, 1],
  [1.005, 1.01],
  [10.075, 10.08],
  [1e-7, 0],
  [1.5e5, 150000],
  [9_999_999_999_999.99, 9_999_999_999_999.99],
] as const) {
  test(`a deal value of ${given} is saved and answered as ${kept}`, async () => {
    const source = `Value ${given}`
    const { body } = await create(asha, { name: 'V', phone: newPhone(), deal_value: given, source })
    assert.equal(body.data.deal_value, kept)
    const listed = await asha.send('GET', `/api/v1/leads?source=${encodeURIComponent(source)}`)
    assert.equal(listed.body.data[0].deal_value, kept)
  })
}

test('a new lead writes its timeline, its audit entry and its count', async () => {
  const { body } = await create(meena, { name: 'Traced', phone: newPhone(), source: 'Fair' })
  const [entry, ...more] = await timelineOf(owner, body.data.id)
  assert.equal(more.length, 0)
  assert.equal(entry!.kind, 'created')
  assert.equal(entry!.summary, "Created through the API key “Meena's key”. Assigned to Meena.")
  assert.deepEqual(entry!.details, { via: 'api_key', via_id: meena.key.id })
  assert.deepEqual(
    [...(await auditOf(owner, body.data.id))],
    [{ action: 'lead.created', user_id: meena.id, via: 'api_key', via_id: meena.key.id, details: {} }],
  )
  await assertCountsHold(owner)
})

test('a new lead is assigned to the named user if the sender sees them, else to the sender', async () => {
  for (const [sender, named, whose] of [
    [asha, bela, bela],
    [asha, chand, chand],
    [asha, undefined, asha],
    [meena, bela, bela],
    [meena, meena, meena],
    [meena, undefined, meena],
    [bela, bela, bela],
    [bela, undefined, bela],
  ] as const) {
    const given = named && { assigned_to: `  ${named.email.toUpperCase()} ` }
    const { status, body } = await create(sender, { name: 'Whose', phone: newPhone(), ...given })
    assert.deepEqual([status, body.data?.assigned_to], [201, whose.email], JSON.stringify(body))
  }
})

test('a lead cannot be assigned to a user who is unknown, inactive, of another account or not visible', async () => {
  const gone = await addPlayer(app.database, app.url, acme, 'Gone', 'Agent', 'north')
  await asActor(app.database, acme, (tx) => setActive(tx, acme, gone.id, false))
  for (const [sender, email] of [
    [asha, 'nobody@x.in'],
    [asha, 'not an email'],
    [asha, zoya.email],
    [asha, gone.email],
    [asha, asha.id],
    [meena, asha.email],
    [meena, chand.email],
    [meena, gone.email],
    [bela, meena.email],
    [bela, asha.email],
  ] as const) {
    await rejected(sender, { name: 'X', phone: newPhone(), assigned_to: email }, 'assigned_to')
  }
})

const withPhone = (fields: object) => ({ name: 'Limit', phone: newPhone(), ...fields })
const emailOf = (length: number) =>
  `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(length - 196)}.in`

test('a value at its limit is accepted', async () => {
  for (const fields of [
    { name: 'x' },
    { name: 'न'.repeat(200) },
    { name: '😀'.repeat(200) },
    { email: emailOf(254) },
    { phone: '1234567' },
    { phone: '+12345678901234 5' },
    { phone: `${'(0) 98-10.04 4 4 3 2 9'.padEnd(31)}8` },
    { company: 'c'.repeat(200) },
    { city: 'c'.repeat(200) },
    { source: 's'.repeat(200) },
    { notes: 'n'.repeat(20_000) },
    { tags: Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(100, 't')) },
    { tags: [] },
    { deal_value: 9_999_999_999_999.99 },
  ] as Record<string, unknown>[]) {
    const { status, body } = await create(asha, withPhone(fields))
    assert.equal(status, 201, JSON.stringify(body))
    for (const [field, value] of Object.entries(fields)) assert.deepEqual(body.data[field], value)
  }
})

test('a value beyond its limit answers 400 with the field, and nothing is saved', async () => {
  for (const [field, values] of Object.entries({
    name: [
      '',
      '   ',
      null,
      undefined,
      'x'.repeat(201),
      '😀'.repeat(201),
      7,
      ['x'],
      { first: 'x' },
      'a\nb',
      'a\0b',
      '\ud800',
    ],
    email: [emailOf(255), 'ravi', 'ravi@', '@x.in', 'a@x', 'a b@x.in', 'a@x.in, b@x', 'Ravi a@x.in', 7],
    phone: [
      '123456',
      '1234567890123456',
      '98100x4432',
      '+',
      `98100443${' '.repeat(24)}2`,
      9810044321,
      'call me',
      '9.82E+09',
      '98100 44...',
    ],
    company: ['c'.repeat(201), 'a\tb', 1],
    city: ['c'.repeat(201), 'a\u0085b', true],
    source: ['s'.repeat(201), 'a\u001bb'],
    status: ['new', 'NEW', 'Open', 1, ['New']],
    priority: ['low', 'Urgent', 0],
    tags: [
      'vip',
      [1],
      [null],
      ['t'.repeat(101)],
      Array.from({ length: 51 }, (_, index) => `${index}`),
      ['a\nb'],
      { 0: 'a' },
    ],
    deal_value: [-0.01, -1, 10_000_000_000_000, 1e300, '100', [100], true],
    notes: ['n'.repeat(20_001), 'a\0b', 'a\u0007b', 'a\ud800', 5],
    assigned_to: ['a'.repeat(255), 7],
  })) {
    for (const value of values) await rejected(asha, withPhone({ [field]: value }), field)
  }
})

test('a lead needs a phone or an email', async () => {
  const message = await rejected(asha, { name: 'No contact', email: ' ', phone: null }, 'phone')
  assert.match(message, /email/)
  await rejected(asha, { email: 'only@x.in' }, 'name')
})

test('a body that is not a JSON object answers 400', async () => {
  for (const body of ['[]', 'null', '"x"', '7', '{"name":', '']) await rejected(asha, body, undefined)
})
