import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isEmail, isPhone } from '../../crm/contacts/contact.ts'
import type { MappingEntry } from './contract.ts'
import { mapPayload } from './map-payload.ts'
import { leavesOf } from './structure/leaves.ts'

const read = (payload: Record<string, unknown>, mapping: MappingEntry[] = []) =>
  mapPayload(payload, { mapping, country: 'IN' })
const leadOf = (payload: Record<string, unknown>, mapping: MappingEntry[] = []) => read(payload, mapping).lead
const asha = { name: 'Asha Rao', phone: '9812004417' }

test('the documented fields map by their names', () => {
  const payload = {
    ...asha,
    email: 'asha@example.com',
    company: 'Rao Tools',
    city: 'Pune',
    source: 'Fair',
    message: 'Call me',
  }
  const { message, ...same } = payload
  assert.deepEqual(leadOf(payload), { ...same, notes: message })
})

const names: [payload: Record<string, unknown>, name: string | undefined][] = [
  [{ first_name: 'Asha', last_name: 'Rao' }, 'Asha Rao'],
  [{ fname: 'Asha', lname: 'Rao' }, 'Asha Rao'],
  [{ first_name: 'Asha Rao', last_name: 'Asha Rao' }, 'Asha Rao'],
  [{ first_name: 'Asha Rao', last_name: 'Rao' }, 'Asha Rao'],
  [{ first_name: 'Asha', last_name: 'A' }, 'Asha A'],
  [{ name: 'Rao', vorname: 'Asha' }, 'Asha Rao'],
  [{ nom: 'Rao', prénom: 'Asha' }, 'Asha Rao'],
  [{ nombre: 'Asha', apellidos: 'Rao Gómez' }, 'Asha Rao Gómez'],
  [{ CUSTOMERNAME: 'Asha Rao' }, 'Asha Rao'],
  [{ 'your-name': 'Asha Rao', form_name: 'Contact us' }, 'Asha Rao'],
  [{ name: { first: 'Asha', last: 'Rao' } }, 'Asha Rao'],
  [{ आपका_नाम: 'आशा राव' }, 'आशा राव'],
  [{ campaign_name: 'Diwali Offer' }, undefined],
  [{ agent_name: 'Ravi Agent', owner: { name: 'Owner Person' } }, undefined],
  [{ name: '{{contact.name}}' }, undefined],
  [{ name: '9812004417' }, undefined],
  [{ name: '\u200b\u2800' }, undefined],
  [{ name: '\u3164' }, undefined],
  [{ name: 'क्\u200dषमा\u202e राव' }, 'क्\u200dषमा राव'],
]
for (const [payload, name] of names) {
  test(`${JSON.stringify(payload)} has ${name ?? 'no name'}`, () => {
    const { lead, picks } = read({ ...payload, mobile: '9812004417' })
    assert.equal(picks.some(({ field }) => field.endsWith('name')) ? lead.name : undefined, name)
  })
}

const phones: [payload: Record<string, unknown>, phone: string | undefined][] = [
  [{ mobile: 9_812_004_417 }, '9812004417'],
  [{ phone: 'tel:+91-98120-04417' }, '+91-98120-04417'],
  [{ From: 'whatsapp:+919812004417', To: 'whatsapp:+14155238886' }, '+919812004417'],
  [{ मोबाइल: '९८१२००४४१७' }, '9812004417'],
  [{ phone: '9812004417 / 9812004418' }, '9812004417'],
  [{ phone: '9812004417', country_code: '+91' }, '9812004417'],
  [{ phone: '7911 123456', country_code: '44' }, '+44 7911 123456'],
  [{ agent_phone: '9812004417' }, undefined],
  [{ order_id: '9812004417', timestamp: '1795007200' }, undefined],
  [{ date: '2026-11-18', email: 'asha@example.com' }, undefined],
  [{ direction: 'outbound', from: '+918047110000', to: '+919812004417' }, '+919812004417'],
  [{ direction: 'inbound', did: '18004190000', connected_line_num: '9812004417', agent_number: '204' }, '9812004417'],
  [{ customer: { phoneNumber: { prefix: '+47', number: '92481736' } } }, '+47 92481736'],
  [{ cpm_phone_prefixe: '225', cel_phone_num: '0707550148' }, '+225 0707550148'],
  [{ phone_country_code: '39', phone: '0612345678' }, '+39 0612345678'],
  [{ phone_country_code: '44', phone: '07911123456' }, '+44 7911123456'],
  [
    {
      customer: {
        phones: [
          { phone_type: 'landline', number: '02226831122' },
          { phone_type: 'mobile', number: '9812004417' },
        ],
      },
    },
    '9812004417',
  ],
  [{ telefone1_ddd: '31', telefone1_numero: '99742-1806', telefone2_ddd: '11' }, '31 99742-1806'],
  [{ telefone2_ddd: '11', telefone1_ddd: '31', telefone1_numero: '99742-1806' }, '31 99742-1806'],
  [{ phones: ['02226831122', '9812004417'] }, '9812004417'],
  [{ phones: '9812004417, 02226831122' }, '9812004417'],
  [{ contact: '41190277' }, '41190277'],
  [{ contact: '9812004417', email: 'asha@example.com' }, '9812004417'],
  [{ 'SYSTEM.CLIENT_NUMBER': '', 'form.phone': '9812004417', 'agent.phone': '9820011223' }, '9812004417'],
]
for (const [payload, phone] of phones) {
  test(`${JSON.stringify(payload)} has ${phone ?? 'no phone'}`, () => assert.equal(leadOf(payload).phone, phone))
}

test('a missing name is taken from the email, with a warning', () => {
  const { lead, warnings, picks } = read({ email: 'asha@example.com' })
  assert.equal(lead.name, 'asha@example.com')
  assert.deepEqual(
    warnings.map(({ field }) => field),
    ['name'],
  )
  assert.ok(!picks.some(({ field }) => field === 'name'))
})

test('an invalid phone beside a valid email is kept in the notes, with a warning', () => {
  const { lead, warnings } = read({ name: 'Asha Rao', email: 'asha@example.com', phone: '12 ask me', message: 'Hello' })
  assert.deepEqual(lead, { name: 'Asha Rao', email: 'asha@example.com', notes: 'Hello\nPhone as sent: 12 ask me' })
  assert.deepEqual(
    warnings.map(({ field }) => field),
    ['phone'],
  )
})

test('an invalid email beside a valid phone is kept in the notes, with a warning', () => {
  const { lead, warnings } = read({ ...asha, email: 'asha at example' })
  assert.deepEqual(lead, { ...asha, notes: 'Email as sent: asha at example' })
  assert.deepEqual(
    warnings.map(({ field }) => field),
    ['email'],
  )
})

test('status, priority, tags, value and assignee are read only by their exact names', () => {
  const stated = {
    status: 'won',
    priority: 'HIGH',
    tags: ['a', 'b', 'a'],
    deal_value: '1,20,000.505',
    assigned_to: 'ravi@example.com',
  }
  assert.deepEqual(leadOf({ ...asha, ...stated }), {
    ...asha,
    status: 'Won',
    priority: 'High',
    tags: ['a', 'b'],
    deal_value: 120_000.51,
    assigned_to: 'ravi@example.com',
  })
  assert.deepEqual(leadOf({ ...asha, lead_status: 'Won', order: { status: 'Lost', tags: 'x' } }), asha)
})

test('they are read with the brackets of a form, and empty values do not count', () => {
  const stated = { status: 'Won', priority: 'High', tags: ['a', 'b'], deal_value: 500 }
  for (const fields of [
    { 'status[]': 'won', 'priority[]': 'High', 'deal_value[]': '500', 'tags[]': ['a', 'b'] },
    { 'status[0]': 'won', 'priority[0]': 'High', 'deal_value[0]': '500', 'tags[0]': 'a', 'tags[1]': 'b' },
    { 'status[]': ['', 'won', 'won'], 'priority[0]': '', 'priority[1]': 'High', deal_value: ['', '500'], tags: 'a,b' },
    {
      status: '',
      'status[]': 'Won',
      priority: 'High',
      'priority[]': '',
      'deal_value[]': 500,
      tags: 'a',
      'tags[]': 'b',
    },
  ]) {
    const { lead, unmapped } = read({ ...asha, ...fields })
    assert.deepEqual(lead, { ...asha, ...stated }, JSON.stringify(fields))
    assert.deepEqual(unmapped, [])
  }
  const others = {
    'status[]': '',
    'tags[]': ['', ' '],
    'priority[0]': null,
    'deal_value[]': [],
    'tags[x]': 'a',
    'status[id]': 'Won',
    'statuses[]': 'Won',
    'order[tags][]': 'b',
  }
  assert.deepEqual(leadOf({ ...asha, ...others }), asha)
  assert.match(
    read({ ...asha, 'status[]': ['New', 'Won'] }).warnings[0]!.message,
    /“New, Won” at status is not a status/,
  )
})

test('an unknown status is left out, with a warning', () => {
  const { lead, warnings } = read({ ...asha, status: 'Interested' })
  assert.deepEqual(lead, asha)
  assert.match(warnings[0]?.message ?? '', /“Interested” at status is not a status/)
})

test('the manual mapping wins, and recognition fills the other fields', () => {
  const payload = { ...asha, reach: { tel: '9820011223' }, city: 'Pune', extra: 'Nashik' }
  const { lead, picks } = read(payload, [
    { path: 'reach.tel', field: 'phone' },
    { path: 'extra', field: 'city' },
  ])
  assert.deepEqual(lead, { name: 'Asha Rao', phone: '9820011223', city: 'Nashik' })
  assert.deepEqual(
    picks.filter(({ by }) => by === 'owner').map(({ field }) => field),
    ['phone', 'city'],
  )
})

test('an ignored value is not used', () => {
  assert.deepEqual(leadOf({ ...asha, message: 'Hi there' }, [{ path: 'message', field: 'ignore' }]), asha)
  assert.equal(
    leadOf({ ...asha, contact: { mobile: '9820011223' } }, [{ path: 'phone', field: 'ignore' }]).phone,
    '9820011223',
  )
  assert.equal(leadOf({ ...asha, status: 'Won' }, [{ path: 'status', field: 'ignore' }]).status, undefined)
})

test('a value mapped to one field is not recognised as another', () => {
  const lead = leadOf({ ...asha, status: 'Won', tags: ['a'] }, [
    { path: 'status', field: 'notes' },
    { path: 'tags', field: 'city' },
  ])
  assert.deepEqual(lead, { ...asha, notes: 'Won', city: 'a' })
})

type Fallback = [title: string, mapping: string[], payload: Record<string, unknown>, lead: Record<string, unknown>]
const call = { name: 'Asha Rao', mobile: '9812004417' }
const fallbacks: Fallback[] = [
  ['an absent path', ['order_ref=phone'], call, asha],
  ['an empty value', ['order_ref=phone'], { ...call, order_ref: ' ' }, asha],
  ['a null', ['order_ref=phone'], { ...call, order_ref: null }, asha],
  ['a placeholder', ['order_ref=phone'], { ...call, order_ref: 'N/A' }, asha],
  ['a placeholder and nothing better', ['x=city'], { ...call, x: '-' }, { ...asha, city: '-' }],
  ['a placeholder for a name', ['x=name'], { ...call, x: 'Unknown' }, asha],
  ['an object', ['order=phone'], { ...call, order: { ref: 'ORD-77' } }, asha],
  [
    'an impossible phone',
    ['order_ref=phone'],
    { ...call, order_ref: 'ORD-77' },
    { ...asha, notes: 'Phone as sent: ORD-77' },
  ],
  [
    'an email where the phone is mapped',
    ['reach=phone'],
    { name: 'Asha Rao', reach: 'asha@example.com' },
    { name: 'Asha Rao', email: 'asha@example.com' },
  ],
  ['a phone where the email is mapped', ['contact=email'], { name: 'Asha Rao', contact: '9812004417' }, { ...asha }],
  ['an absent message', ['remark=notes'], { ...call, message: 'Hi there' }, { ...asha, notes: 'Hi there' }],
  ['an absent name', ['full=name'], call, asha],
  ['absent parts of a name', ['a=first_name', 'b=last_name'], call, asha],
  ['one part of a name alone', ['fn=first_name'], { fn: 'Asha', last_name: 'Rao', phone: '9812004417' }, asha],
  [
    'one part beside an absent one',
    ['fn=first_name', 'x=last_name'],
    { fn: 'Asha', surname: 'Rao', mobile: '9812004417' },
    asha,
  ],
  [
    'a first name beside a family name',
    ['vorname=first_name'],
    { name: 'Rao', vorname: 'Asha', phone: '9812004417' },
    asha,
  ],
  ['an unknown status', ['stage=status'], { ...call, stage: 'Warm', status: 'Won' }, { ...asha, status: 'Won' }],
  ['absent tags', ['labels=tags'], { ...call, tags: ['a', 'b'] }, { ...asha, tags: ['a', 'b'] }],
  ['an absent deal value', ['budget=deal_value'], { ...call, deal_value: 5 }, { ...asha, deal_value: 5 }],
  [
    'a first path',
    ['a=phone', 'b=phone'],
    { ...call, a: '9820011223', b: '9820011224' },
    { ...asha, phone: '9820011223', other_contacts: [{ kind: 'phone', value: '9820011224' }] },
  ],
  ['a second path', ['a=phone', 'b=phone'], { ...call, b: '9820011224' }, { ...asha, phone: '9820011224' }],
  [
    'a second path after an empty one',
    ['a=phone', 'b=phone'],
    { ...call, a: '-', b: '9820011224' },
    { ...asha, phone: '9820011224' },
  ],
  [
    'a second path after an impossible one',
    ['a=phone', 'b=phone'],
    { ...call, a: 'ask', b: '9820011224' },
    { ...asha, phone: '9820011224', notes: 'Phone as sent: ask' },
  ],
  [
    'one of two paths of the notes',
    ['a=notes', 'b=notes'],
    { ...call, b: 'In May', message: 'Hi' },
    { ...asha, notes: 'In May' },
  ],
  [
    'several paths of the tags',
    ['a=tags', 'b=tags'],
    { ...call, a: 'x', b: 'y,x', tags: 'z' },
    { ...asha, tags: ['x', 'y'] },
  ],
  ['no path of the tags', ['a=tags', 'b=tags'], { ...call, tags: 'z' }, { ...asha, tags: ['z'] }],
  ['an absent ignored path', ['phone=ignore'], call, asha],
]
for (const [title, mapped, payload, lead] of fallbacks) {
  test(`with ${title}, ${mapped.join(' ')} reads ${JSON.stringify(payload)}`, () => {
    const mapping = mapped.map((one) => ({
      path: one.split('=')[0]!,
      field: one.split('=')[1] as MappingEntry['field'],
    }))
    assert.deepEqual(leadOf(payload, mapping), lead)
  })
}

const surnames: [payload: Record<string, unknown>, mapped: string[], name: string][] = [
  [{ a: 'Chris', b: 'Null' }, ['a=first_name', 'b=last_name'], 'Chris Null'],
  [{ a: 'Chris', b: 'True' }, ['a=first_name', 'b=last_name'], 'Chris True'],
  [{ a: 'Chris', b: 'None' }, ['b=last_name', 'a=name'], 'Chris None'],
  [{ 'a[x]': 'Chris', 'a[y]': ' Na ' }, ['a.x=first_name', 'a.y=last_name'], 'Chris Na'],
  [{ first_name: 'Chris', b: 'Nil' }, ['b=last_name'], 'Chris Nil'],
  [{ a: 'Chris', last_name: 'Nan' }, ['a=first_name'], 'Chris Nan'],
  [{ first_name: 'Chris', last_name: 'Null' }, ['first_name=first_name', 'last_name=last_name'], 'Chris Null'],
  [{ first_name: 'Chris', last_name: 'Rao', b: 'Null' }, ['b=last_name'], 'Chris Null'],
  [{ name: 'Chris', surname: 'Na' }, [], 'Chris Na'],
  [{ fields: { given_name: 'Chris', family_name: 'Null' } }, [], 'Chris Null'],
  [{ 'name[first]': 'Chris', 'name[last]': 'Null' }, [], 'Chris Null'],
  [
    {
      fields: [
        ['First name', 'Chris'],
        ['Last name', 'Null'],
      ].map(([name, value]) => ({ name, value })),
    },
    [],
    'Chris Null',
  ],
  // Placeholders.
  [{ a: 'Chris', b: 'null' }, ['a=first_name', 'b=last_name'], 'Chris'],
  [{ a: 'Chris', b: 'N/A' }, ['a=first_name', 'b=last_name'], 'Chris'],
  [{ a: 'Chris Rao', b: 'None' }, ['a=name', 'b=last_name'], 'Chris Rao'],
  [{ name: 'Chris Rao', last_name: 'None' }, [], 'Chris Rao'],
  [{ a: 'Null', b: 'Rao' }, ['a=first_name', 'b=last_name'], 'Rao'],
  [{ name: 'Null' }, [], '9812004417'],
  [{ last_name: 'Null' }, [], '9812004417'],
]
for (const [payload, mapped, name] of surnames) {
  test(`${JSON.stringify(payload)} with ${mapped.join(' ') || 'no mapping'} has the name ${name}`, () => {
    const mapping = mapped.map((one) => {
      const [path = '', field] = one.split('=')
      return { path, field: field as MappingEntry['field'] }
    })
    assert.equal(leadOf({ ...payload, phone: '9812004417' }, mapping).name, name)
  })
}

test('what is mapped stays mapped if it is a surname that may be a placeholder', () => {
  const payload = { first_name: 'Chris', last_name: 'Null', phone: '9812004417' }
  const picks = read(payload, [{ path: 'last_name', field: 'last_name' }]).picks
  assert.deepEqual(
    picks.filter(({ field }) => field === 'last_name').map(({ by }) => by),
    ['owner'],
  )
})

test('JSON in a text is read with line breaks that are not escaped, with one warning', () => {
  const text = '{"name": "Asha Rao", "phone": "9812004417", "message": "First\nsecond\t\\"third\\""}'
  const lead = { ...asha, notes: 'First\nsecond\t"third"' }
  const inJson = JSON.stringify({ inner: text })
  for (const payload of [
    { text },
    { data: { body: ` ${text}` } },
    { list: [`[${text}]`] },
    { inJson },
    { a: text, b: text },
  ]) {
    const { lead: own, warnings } = read(payload)
    assert.deepEqual([own, warnings.length], [lead, 1], JSON.stringify(payload))
    assert.match(warnings[0]!.message, /line break that is not escaped/)
  }
  const valid = JSON.stringify({ ...asha, message: 'First\nsecond' })
  assert.deepEqual(read({ valid }).warnings, [])
  // Neither is JSON.
  for (const message of ['[Urgent]\n"Call\nme"', `${text.slice(0, -2)}}`, text.replace('\n', '\\\n')]) {
    const { lead: own, warnings } = read({ ...asha, message })
    assert.deepEqual([own.name, own.phone, warnings], ['Asha Rao', '9812004417', []], message)
  }
})

test('an invalid value at a mapped path has one warning', () => {
  const said = (payload: Record<string, unknown>, path: string, field: MappingEntry['field']) =>
    read(payload, [{ path, field }]).warnings
  assert.deepEqual(
    said({ ...call, order_ref: 'ORD-77' }, 'order_ref', 'phone').map(({ message }) => message),
    ['“ORD-77” is not a valid phone number; it is kept in the notes'],
  )
  assert.equal(said({ name: 'Asha', email: 'a@example.com', phone: '12 ask me' }, 'phone', 'phone').length, 1)
  assert.equal(said({ ...call, status: 'Warm' }, 'status', 'status').length, 1)
})

test('absent mapped paths are listed', () => {
  assert.deepEqual(
    read(call, [
      { path: 'a.b', field: 'phone' },
      { path: 'mobile', field: 'phone' },
    ]).absent,
    ['a.b'],
  )
})

test('several values mapped to the notes become lines', () => {
  const mapping: MappingEntry[] = [
    { path: 'a', field: 'notes' },
    { path: 'b', field: 'notes' },
  ]
  assert.equal(leadOf({ ...asha, a: 'Two rooms', b: 'In May' }, mapping).notes, 'Two rooms\nIn May')
})

const pathsToOne: [path: string, payload: Record<string, unknown>][] = [
  [
    'answers.Ref No',
    {
      answers: [
        { label: 'Other', value: 'x' },
        { label: 'Ref No', value: 'R-1' },
      ],
    },
  ],
  [
    'answers[1].value',
    {
      answers: [
        { label: 'Other', value: 'x' },
        { label: 'Ref No', value: 'R-1' },
      ],
    },
  ],
  ['custom.ref', { custom: JSON.stringify({ ref: 'R-1' }) }],
  ['contact[ref]', { 'contact[ref]': 'R-1' }],
  ['contact.ref', { 'contact[ref]': 'R-1' }],
  ['a.b', { 'a.b': 'R-1' }],
  ['Is it [here]?', { 'Is it [here]?': 'R-1' }],
  ['list[0]', { list: ['R-1'] }],
  ['items.ref', { items: [{ ref: 'R-1' }] }],
]
for (const [path, payload] of pathsToOne) {
  test(`the path ${path} leads into ${JSON.stringify(payload)}`, () => {
    assert.equal(leadOf({ ...payload, ...asha }, [{ path, field: 'company' }]).company, 'R-1')
  })
}

test('mapping a recognised value by its path gives the same lead', () => {
  const answers = [
    { label: 'Your name', value: 'Asha Rao' },
    { label: 'Town?', value: ['o2'], options: [{ id: 'o2', text: 'Pune' }] },
  ]
  const payload = { form: { name: 'Book a demo' }, answers, raw: '{"user":{"mobile":"9812004417"}}' }
  const first = read(payload)
  assert.deepEqual(first.lead, { ...asha, city: 'Pune' })
  const again = read(
    payload,
    first.picks.map(({ path, field }) => ({ path, field })),
  )
  assert.deepEqual(again.lead, first.lead)
})

test('unused values are listed, without the used ones', () => {
  assert.deepEqual(read({ ...asha, roof: 'flat', tracking: { gclid: 'x1' } }).unmapped, ['roof', 'tracking.gclid'])
})

test('control characters, lone surrogates and too much text do not prevent a lead', () => {
  const lead = leadOf({
    name: `Asha\u0000\nRao${'x'.repeat(300)}`,
    phone: '9812004417',
    message: `a\u0000\tb\r\nc\ud800 ${'y'.repeat(30_000)}`,
  })
  assert.equal(lead.name?.length, 200)
  assert.match(lead.name ?? '', /^Asha Rao/)
  assert.match(lead.notes ?? '', /^a \tb\nc\ufffd y/)
  assert.equal(lead.notes?.length, 20_000)
})

const tooMuch: [
  payload: Record<string, unknown>,
  mapping: MappingEntry[],
  warning: { field: string; message: string },
][] = [
  [
    { name: `Asha ${'x'.repeat(200)}` },
    [],
    { field: 'name', message: 'The name was longer than 200 characters, and was cut off' },
  ],
  [
    { city: 'Pune '.repeat(41) },
    [{ path: 'city', field: 'city' }],
    { field: 'city', message: 'The city was longer than 200 characters, and was cut off' },
  ],
  [
    { a: 'y'.repeat(12_000), b: 'z'.repeat(12_000) },
    [
      { path: 'a', field: 'notes' },
      { path: 'b', field: 'notes' },
    ],
    { field: 'notes', message: 'The notes were longer than 20,000 characters, and were cut off' },
  ],
  [
    { tags: Array.from({ length: 51 }, (_, at) => `t${at}`) },
    [],
    { field: 'tags', message: 'There were more than 50 tags; the last were left out' },
  ],
  [
    { tags: ['t'.repeat(101)] },
    [],
    { field: 'tags', message: 'A tag was longer than 100 characters, and was cut off' },
  ],
]
for (const [payload, mapping, warning] of tooMuch) {
  test(`there is one warning “${warning.message}”`, () => {
    assert.deepEqual(read({ ...asha, ...payload }, mapping).warnings, [warning])
  })
}

test('values at the limits of a lead are kept in full, without a warning', () => {
  const values = {
    name: `Asha ${'x'.repeat(195)}`,
    phone: '9812004417',
    tags: Array.from({ length: 50 }, (_, at) => `t${at}`),
  }
  const { lead, warnings } = read({ ...values, message: 'y'.repeat(20_000) })
  assert.deepEqual([lead, warnings], [{ ...values, notes: 'y'.repeat(20_000) }, []])
})

test('an invalid phone is added to notes that are full', () => {
  const sent = { name: 'Asha Rao', email: 'asha@example.com', phone: '12 ask me', message: 'y'.repeat(20_000) }
  const { lead, warnings } = read(sent)
  assert.match(lead.notes ?? '', /^y+\nPhone as sent: 12 ask me$/)
  assert.deepEqual([lead.notes?.length, warnings.map(({ field }) => field)], [20_000, ['phone', 'notes']])
})

const words = fc.constantFrom(
  'name',
  'email',
  'phone',
  'message',
  'value',
  'label',
  'question',
  'id',
  'type',
  'options',
  'fields',
  'city',
  '__proto__',
  'constructor',
  'a[b]',
  'a[b][c]',
  'x.y',
  '',
)
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('asha@example.com', '+919812004417', '[1]', '{"a":"{}"}', 'Asha Rao', 'o2'),
  words,
)
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    texts,
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('entries'),
  ),
  list: fc.array(tie('value'), { maxLength: 6 }),
  entries: fc.dictionary(fc.oneof(words, fc.string()), tie('value'), { maxKeys: 8 }),
}))

test('any payload makes a lead within the limits', () => {
  const mappings = fc.array(
    fc.record({
      path: fc.oneof(words, fc.string()),
      field: fc.constantFrom('name', 'phone', 'email', 'tags', 'notes', 'ignore'),
    }),
    { maxLength: 3 },
  ) as fc.Arbitrary<MappingEntry[]>
  fc.assert(
    fc.property(json.entries, mappings, (payload, mapping) => {
      const { lead, picks, unmapped } = read(payload as Record<string, unknown>, mapping)
      for (const text of [lead.name, lead.company, lead.city, lead.source]) {
        assert.ok(
          text === undefined ||
            (text.length >= 1 && text.length <= 200 && !/\p{Cc}/u.test(text) && text.isWellFormed()),
        )
      }
      assert.ok(lead.email === undefined || isEmail(lead.email))
      assert.ok(lead.phone === undefined || isPhone(lead.phone))
      assert.ok(lead.notes === undefined || (lead.notes.length <= 20_000 && !/[^\P{Cc}\n\t]/u.test(lead.notes)))
      assert.ok(picks.every(({ reason, path }) => reason !== '' && typeof path === 'string'))
      assert.ok(unmapped.length <= 200)
    }),
    { numRuns: 400 },
  )
})

const hostile: [title: string, payload: () => Record<string, unknown>][] = [
  ['deep lists', () => ({ ...asha, deep: JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown })],
  ['deep objects', () => ({ ...asha, deep: JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`) as unknown })],
  ['deep JSON in a text', () => ({ ...asha, deep: `${'['.repeat(20_000)}${']'.repeat(20_000)}` })],
  [
    'a wide object',
    () => ({
      ...asha,
      ...Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`phone_${at}`, `98120${at}`])),
    }),
  ],
  [
    'a wide list',
    () => ({
      ...asha,
      list: Array.from({ length: 50_000 }, (_, at) => ({ label: `Phone ${at}`, value: '9812004417' })),
    }),
  ],
  ['many texts of JSON', () => ({ ...asha, list: Array.from({ length: 5000 }, (_, at) => `{"phone":"${at}"}`) })],
  [
    'a huge text',
    () => ({ ...asha, message: 'a@'.repeat(400_000), name2: '(('.repeat(200_000), phone2: ' '.repeat(300_000) }),
  ],
  ['a huge key', () => ({ ...asha, ['mobile'.repeat(50_000)]: '1', [`a${'[b]'.repeat(50_000)}`]: '2' })],
]
for (const [title, payload] of hostile) {
  test(`${title} is read within the limits`, () => {
    const sent = payload()
    assert.ok(leavesOf(sent).length <= 1200)
    const { lead } = read(sent, [{ path: 'nothing.here', field: 'company' }])
    assert.equal(lead.phone, asha.phone)
  })
}

test('a phone with a clear name is found after any number of other numbers', () => {
  const numbers = Array.from({ length: 200 }, (_, index) => 9_820_000_000 + index)
  const others = [
    { refs: numbers.map((number) => ({ ref: String(number) })) },
    Object.fromEntries(numbers.map((number, index) => [`field_${index}`, String(number)])),
    Object.fromEntries(numbers.map((number, index) => [`other_mobile_${index}x`, String(number)])),
  ]
  for (const other of others) {
    assert.equal(leadOf({ ...other, customer: { mobile: '+919812004417' } }).phone, '+919812004417')
    assert.equal(leadOf({ other, customer: { mobile: '+919812004417' } }).phone, '+919812004417')
  }
})

test('a key with any number of dots or slashes is one key', () => {
  for (const separator of ['.', '/']) {
    const key = Array.from({ length: 20_000 }, () => 'part').join(separator)
    assert.deepEqual(leadOf({ ...asha, [key]: 'x' }), asha)
  }
})

test('a phone is read without invisible characters and line breaks', () => {
  for (const [phone, read] of [
    ['\u202a+91 98120 04417\u202c', '+91 98120 04417'],
    ['98120\u202804417', '98120 04417'],
    ['98120\n04417', '98120 04417'],
    ['98120\u000b04417', '98120 04417'],
    ['98120\u200b04417', '9812004417'],
  ]) {
    assert.equal(leadOf({ name: 'Asha', phone }).phone, read, JSON.stringify(phone))
    assert.equal(leadOf({ ref: phone }, [{ path: 'ref', field: 'phone' }]).phone, read, JSON.stringify(phone))
  }
})
