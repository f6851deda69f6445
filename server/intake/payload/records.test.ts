import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { phoneKey } from '../../crm/contacts/contact.ts'
import { maxRecords } from './contract.ts'
import { readPayloadSync } from './reading.ts'
import { recordsIn } from './records.ts'

const phone = (n: number) => `+91 98200 ${11000 + n}`
const lead = (n: number) => ({ full_name: `Person ${n}`, phone_number: phone(n), message: `Please send ${n} boxes` })

const message = (n: number) => ({
  from: `9198200${11000 + n}`,
  id: `wamid.${n}`,
  timestamp: '1',
  text: { body: `Hello ${n}` },
  type: 'text',
})
const contact = (n: number) => ({ profile: { name: `Person ${n}` }, wa_id: `9198200${11000 + n}` })
const whatsApp = (ns: number[]) => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: '1',
      changes: [
        {
          field: 'messages',
          value: {
            messaging_product: 'whatsapp',
            metadata: { display_phone_number: '918047110044', phone_number_id: '9' },
            contacts: ns.map(contact),
            messages: ns.map(message),
          },
        },
      ],
    },
  ],
})

const batches: [string, Record<string, unknown>, (n: number) => Record<string, unknown>, number][] = [
  ['leads', { source: 'Portal', leads: [lead(1), lead(2)] }, (n) => ({ source: 'Portal', leads: [lead(n)] }), 2],
  ['contacts', { contacts: [lead(1), lead(2), lead(3)] }, (n) => ({ contacts: [lead(n)] }), 3],
  [
    'a page of items',
    { items: [lead(1), lead(2)], count: 2, hasMore: false, next: null },
    (n) => ({ items: [lead(n)], count: 2, hasMore: false, next: null }),
    2,
  ],
  [
    'RESPONSE',
    {
      CODE: 200,
      RESPONSE: [1, 2].map((n) => ({ UNIQUE_QUERY_ID: `${n}`, SENDER_NAME: `Person ${n}`, SENDER_MOBILE: phone(n) })),
    },
    (n) => ({
      CODE: 200,
      RESPONSE: [{ UNIQUE_QUERY_ID: `${n}`, SENDER_NAME: `Person ${n}`, SENDER_MOBILE: phone(n) }],
    }),
    2,
  ],
  [
    'entry, each with a list of fields',
    {
      object: 'page',
      entry: [1, 2].map((n) => ({
        id: `${n}`,
        field_data: [
          { name: 'full_name', values: [`P ${n}`] },
          { name: 'phone_number', values: [phone(n)] },
        ],
      })),
    },
    (n) => ({
      object: 'page',
      entry: [
        {
          id: `${n}`,
          field_data: [
            { name: 'full_name', values: [`P ${n}`] },
            { name: 'phone_number', values: [phone(n)] },
          ],
        },
      ],
    }),
    2,
  ],
  [
    'WhatsApp messages of two people',
    whatsApp([1, 2]),
    (n) => {
      const one = whatsApp([n])
      // The number of the business belongs to no record.
      delete (one.entry[0]!.changes[0]!.value.metadata as { display_phone_number?: string }).display_phone_number
      return one
    },
    2,
  ],
]

for (const [name, payload, record, count] of batches) {
  test(`records: ${name}`, () => {
    const records = recordsIn(payload, 'IN', false)
    assert.deepEqual(
      JSON.parse(JSON.stringify(records)),
      Array.from({ length: count }, (_, index) => record(index + 1)),
    )
  })
}

test('records of records: each entry has its own', () => {
  const payload = {
    entry: [
      { id: 'a', leads: [lead(1), lead(2)] },
      { id: 'b', leads: [lead(3), lead(4)] },
    ],
  }
  const records = recordsIn(payload, 'IN', false)
  assert.equal(records?.length, 4)
  assert.deepEqual(records![2], { entry: [{ id: 'b', leads: [lead(3)] }] })
})

const logged = (n: number) => ({
  number: phone(n),
  call_type: 'Incoming',
  call_time: '2026-11-01 10:00:00',
  duration: 20,
})

test('calls are records in texts of JSON, in names of a form and below agents, and by day', () => {
  const rows: [payload: Record<string, unknown>, count: number, last: unknown][] = [
    [{ apikey: 'k', logs: JSON.stringify([logged(1), logged(2)]) }, 2, { apikey: 'k', logs: [logged(2)] }],
    [{ data: JSON.stringify({ calls: [logged(1), logged(2)] }) }, 2, { data: { calls: [logged(2)] } }],
    [
      Object.fromEntries(
        [1, 2].flatMap((n) => Object.entries(logged(n)).map(([key, value]) => [`calls[${n - 1}][${key}]`, value])),
      ),
      2,
      { calls: [logged(2)] },
    ],
    [
      {
        users: [
          { name: 'Asha', mobile: phone(8), logs: [logged(1)] },
          { name: 'Ravi', mobile: phone(9), logs: [logged(2), logged(3)] },
        ],
      },
      3,
      { users: [{ name: 'Ravi', logs: [logged(3)] }] },
    ],
    [
      {
        days: [
          { date: '01/11/2026', rows: [{ ...logged(1), party: phone(1) }] },
          {
            date: '02/11/2026',
            rows: [
              { ...logged(2), party: phone(2) },
              { ...logged(3), party: phone(3) },
            ],
          },
        ],
      },
      3,
      { days: [{ date: '02/11/2026', rows: [{ ...logged(3), party: phone(3) }] }] },
    ],
  ]
  for (const [payload, count, last] of rows) {
    const records = recordsIn(payload, 'IN', false)
    assert.equal(records?.length, count)
    assert.deepEqual(JSON.parse(JSON.stringify(records!.at(-1))), last)
  }
})

test('an event of an agent among events of calls is no record', () => {
  const call = (n: number) => ({ event: 'call.hangup', data: logged(n) })
  const pause = {
    event: 'agent.status',
    data: { agent: 'Kavya', phone: phone(9), status: 'on break', since: '2026-11-01 10:00:00' },
  }
  for (const [payload, isList] of [
    [{ events: [call(1), pause, call(2)] }, false],
    [{ records: [call(1), pause, call(2)] }, true],
  ] as const)
    assert.equal(recordsIn(payload, 'IN', isList)?.length, 2)
})

test('an email around the list belongs to no record, and the assignee to each', () => {
  const payload = { account_mail: 'owner@biz.example', assigned_to: 'bela@biz.example', leads: [lead(1), lead(2)] }
  const records = recordsIn({ ...payload, account_mail: 'x' }, 'IN', false)
  assert.deepEqual(records![1], { account_mail: 'x', assigned_to: 'bela@biz.example', leads: [lead(2)] })
})

const leadsFrom = (first: number, count: number) => Array.from({ length: count }, (_, n) => lead(first + n))

for (const [name, payload, isList, rest] of [
  [
    'a list',
    { source: 'Expo', leads: leadsFrom(0, maxRecords + 2) },
    false,
    { source: 'Expo', leads: leadsFrom(maxRecords, 2) },
  ],
  ['a body that is a list', { records: leadsFrom(0, maxRecords + 2) }, true, leadsFrom(maxRecords, 2)],
  [
    'a list within each entry',
    {
      entry: [
        { id: 'a', leads: leadsFrom(0, 3000) },
        { id: 'b', leads: leadsFrom(3000, 3000) },
        { id: 'c', leads: leadsFrom(6000, 2) },
      ],
    },
    false,
    {
      entry: [
        { id: 'b', leads: leadsFrom(maxRecords, 1000) },
        { id: 'c', leads: leadsFrom(6000, 2) },
      ],
    },
  ],
] as const) {
  test(`too many records in ${name}: the rest of the payload comes last`, () => {
    const records = recordsIn(structuredClone(payload) as never, 'IN', isList)!
    assert.equal(records.length, maxRecords + 1)
    assert.ok(JSON.stringify(records[maxRecords - 1]).includes(phone(maxRecords - 1)))
    assert.deepEqual(records[maxRecords], rest)
  })
}

test('no record is lost when the rest of a payload is split again and again', () => {
  const ids: string[] = []
  let payload: Record<string, unknown> = { leads: leadsFrom(0, 2 * maxRecords + 1) }
  for (let round = 0; round < 5 && ids.length < 2 * maxRecords + 1; round++) {
    const records = recordsIn(payload, 'IN', false)!
    const last = records.at(-1) as { leads: unknown[] }
    const taken = last.leads.length > 1 ? records.slice(0, -1) : records
    ids.push(...taken.map((record) => (record.leads as { full_name: string }[])[0]!.full_name))
    payload = last
  }
  assert.deepEqual(
    ids,
    leadsFrom(0, 2 * maxRecords + 1).map(({ full_name }) => full_name),
  )
})

const single: [string, Record<string, unknown>][] = [
  ['one lead in a list', { leads: [lead(1)] }],
  ['participants of a call', { call: { id: 'c1' }, participants: [lead(1), lead(2)] }],
  [
    'members by their role',
    {
      people: [
        { role: 'agent', phone: phone(1) },
        { role: 'customer', phone: phone(2) },
      ],
    },
  ],
  [
    'a conversation with an assistant',
    {
      messages: [
        { role: 'user', text: `Call me on ${phone(1)}` },
        { role: 'assistant', text: `Our number is ${phone(2)}` },
      ],
    },
  ],
  [
    'messages of one person, in both directions',
    {
      chat: [
        { direction: 'in', mobile: phone(1), text: 'Price?' },
        { direction: 'out', mobile: phone(1), text: '500' },
      ],
    },
  ],
  [
    'agents',
    {
      team: [
        { role: 'agent', phone: phone(1) },
        { role: 'agent', phone: phone(2) },
      ],
    },
  ],
  [
    'phones of one person',
    {
      name: 'A',
      phones: [
        { type: 'home', number: phone(1) },
        { type: 'work', number: phone(2) },
      ],
    },
  ],
  ['addresses with phones', { customer: { email: 'a@x.example', addresses: [lead(1), lead(2)] } }],
  [
    'the items of one order',
    {
      email: 'a@x.example',
      phone: phone(1),
      rows: [
        { sku: '1', supplier_email: 'b@x.example' },
        { sku: '2', supplier_email: 'c@x.example' },
      ],
    },
  ],
  [
    'names and values',
    {
      data: [
        { name: 'email', value: 'a@x.example' },
        { name: 'phone', value: phone(1) },
      ],
    },
  ],
  [
    'events without contacts',
    {
      events: [
        { id: 1, at: 'x' },
        { id: 2, at: 'y' },
      ],
    },
  ],
]

for (const [name, payload] of single) {
  test(`one record: ${name}`, () => assert.equal(recordsIn(payload, 'IN', false), null))
}

/** Lists of calls and people in shapes of many systems, with the phones of their records; one phone: they are sides of one. */
const lists: { payload: Record<string, unknown>; phones: string[] }[] = readFileSync(
  join(import.meta.dirname, '../../../test/record-lists.jsonl'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

for (const { payload, phones } of lists)
  test(`a list of ${phones.length}: ${JSON.stringify(payload).slice(0, 60)}`, () => {
    const records = recordsIn(payload, 'IN', false) ?? [payload]
    const read = records.map((record) => {
      const body = Buffer.from(JSON.stringify(record))
      const reading = readPayloadSync({ body, content_type: 'application/json', mapping: [], country: 'IN' })
      return 'reading' in reading && phoneKey(reading.reading.lead.phone ?? '', 'IN')
    })
    assert.deepEqual(read, phones)
  })
