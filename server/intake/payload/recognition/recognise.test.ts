import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recognisedFields as read } from '#test/recognised-fields.ts'

const asha = { name: 'Asha Rao', phone: '9812004417' }

const structures: [title: string, payload: unknown, fields: Record<string, string>][] = [
  [
    'names and values under keys of any name',
    {
      in: [
        { k: 'Full name', v: 'Asha Rao' },
        { k: 'Mobile', v: '9812004417' },
      ],
    },
    asha,
  ],
  [
    'a record of an unknown kind beside the person',
    { customer: asha, depot: { first_name: 'Wim', city: 'Nagpur', company: 'Wim Works', notes: 'Closed on Mondays' } },
    asha,
  ],
  [
    'the sender of a parcel that is only asked for',
    {
      sender_name: asha.name,
      sender_phone: asha.phone,
      sender_city: 'Pune',
      receiver_name: 'Wim',
      receiver_city: 'Nagpur',
    },
    { ...asha, city: 'Pune' },
  ],
  [
    'the receiver of a parcel that is on its way',
    {
      awb_number: '14325317',
      sender_name: 'Wim',
      sender_phone: '9000099999',
      sender_city: 'Nagpur',
      receiver_name: asha.name,
      receiver_phone: asha.phone,
      receiver_city: 'Pune',
    },
    { ...asha, city: 'Pune' },
  ],
  ['a user who is to be called', { user: asha, call_status: 'pending' }, asha],
  ['keys that begin with the same letters', { frmname: asha.name, frmphone: asha.phone, frmemail: '' }, asha],
  [
    'a prefix within an American area',
    { phone_area: '626', phone_prefix: '555', phone: asha.phone, name: asha.name },
    asha,
  ],
  ['a caller whose name the network knows', { caller_id: asha.name, phone_number: asha.phone }, asha],
  [
    'a caller whose name it does not know',
    { caller_id: 'No Caller ID', phone_number: asha.phone },
    { phone: asha.phone },
  ],
  [
    'a guest of a hotel that counts pets, beside its owner',
    { guest: asha, pet_count: 0, owner: { name: 'Wim', phone: '9000099999' } },
    asha,
  ],
  [
    'somebody who asks to become a dealer',
    { form_name: 'Dealer registration', dealer_name: asha.name, dealer_mobile: asha.phone },
    asha,
  ],
  [
    'a customer, beside the dealer who registers',
    { form_name: 'Dealer registration', name: asha.name, mobile: asha.phone, dealer_name: 'Wim' },
    asha,
  ],
  [
    'a person beside the recipient of the enquiry',
    { ...asha, email: 'asha.rao@example.com', direct_recipient_email: 'wim@agency.example' },
    { ...asha, email: 'asha.rao@example.com' },
  ],
  [
    'a network that a key of any kind names as the source',
    { ...asha, crm_source: 'Facebook', auth_provider: 'Google' },
    { ...asha, source: 'Facebook' },
  ],
  ['the parent beside a student', { student_name: 'Ravi Rao', parent_name: asha.name, phone: asha.phone }, asha],
  [
    'a student who can be reached',
    { student_name: asha.name, student_phone: asha.phone, parent_name: 'Ravi Rao' },
    asha,
  ],
  ['the id of a country, which is no dialing code', { ...asha, country: '101' }, asha],
  [
    'a sold lead whose contact is in another record',
    { lead_id: '7', first_name: 'Asha', last_name: 'Rao', client: { phone: asha.phone } },
    { first_name: 'Asha', last_name: 'Rao', phone: asha.phone },
  ],
  [
    'the user of a bot, whose page is the sender',
    { sender: { id: 'page_1' }, user_name: asha.name, user_phone: asha.phone },
    asha,
  ],
  ['the user who called', { direction: 'inbound', user_name: asha.name, user_number: asha.phone }, asha],
  ['a contact that is a department', { contact: { type: 'department', ...asha } }, asha],
  [
    'an account of the service beside its customer',
    { account: { id: 1, first_name: 'Ravi', email: 'ravi@ours.example.com' }, customer: asha },
    asha,
  ],
  [
    'the address of a property whose buyer is named',
    { buyer_name: asha.name, buyer_phone: asha.phone, property: { title: 'Villa', address: { city: 'Nagpur' } } },
    asha,
  ],
  [
    'pairs in lists of two',
    {
      rows: [
        ['Name', 'Asha Rao'],
        ['Mobile', '9812004417'],
      ],
    },
    asha,
  ],
  [
    'an object of entries',
    { f: { a1: { title: 'Name', value: 'Asha Rao' }, b2: { title: 'Mobile', value: '9812004417' } } },
    asha,
  ],
  [
    'answers joined to questions by id',
    {
      questions: [
        { id: 'q1', title: 'Your name' },
        { id: 'q2', title: 'Your number' },
      ],
      answers: [
        { question_id: 'q1', answer: 'Asha Rao' },
        { question_id: 'q2', answer: '9812004417' },
      ],
    },
    asha,
  ],
  [
    'two objects, one naming what is in the other',
    { labels: { f1: 'Your name', f2: 'Mobile number' }, values: { f1: 'Asha Rao', f2: '9812004417' } },
    asha,
  ],
  [
    'numbered questions and responses',
    { '1_question': 'Your name', '1_response': 'Asha Rao', '2_question': 'Mobile', '2_response': '9812004417' },
    asha,
  ],
  [
    'a choice by its id',
    {
      fields: [
        {
          label: 'City',
          value: ['c2'],
          options: [
            { id: 'c1', text: 'Pune' },
            { id: 'c2', text: 'Surat' },
          ],
        },
      ],
    },
    { city: 'Surat' },
  ],
  ['a head and a row', { columns: ['Name', 'Mobile'], row: ['Asha Rao', '9812004417'] }, asha],
  ['a head and rows of one', { headers: ['Name', 'Mobile'], rows: [['Asha Rao', '9812004417']] }, asha],
  [
    'parts of a name in brackets',
    { 'Name (First)': 'Asha', 'Name (Last)': 'Rao' },
    { first_name: 'Asha', last_name: 'Rao' },
  ],
  ['the sender of a message as WhatsApp writes it', { sender: '919812004417@c.us' }, { phone: '919812004417' }],
  ['a call that is not inbound', { inbound: false, from: '8047110000', to: '9812004417' }, { phone: '9812004417' }],
  ['JSON in a text in a text', { body: JSON.stringify({ data: JSON.stringify(asha) }) }, asha],
  ['keys of a nested form', { 'lead[name]': 'Asha Rao', 'lead[phones][]': '9812004417' }, asha],
  ['lists of one', { Contact: [{ Name: ['Asha Rao'], Phone: ['9812004417'] }] }, asha],
  ['keys that say nothing', { field_1: 'Asha Rao', field_2: '9812004417' }, asha],
  [
    'a sender written before the address',
    { from: 'Asha Rao <asha@example.com>' },
    { email: 'asha@example.com', name: 'Asha Rao' },
  ],
]
for (const [title, payload, fields] of structures) {
  test(`${title} are read`, () => assert.deepEqual(read(payload), fields))
}

const parts = { first_name: 'Asha', last_name: 'Rao', phone: '9812004417' }

const messages: [title: string, payload: unknown, fields: Record<string, string>][] = [
  [
    'the chat’s number before the account’s own, which is the sender',
    { sender: '919811100001@s.whatsapp.net', data: { key: { remoteJid: '919812004417@s.whatsapp.net' } } },
    { phone: '919812004417' },
  ],
  [
    'an author’s international number when there is no better one',
    { Author: 'whatsapp:+919812004417', Body: 'Please send your price list' },
    { phone: '+919812004417', notes: 'Please send your price list' },
  ],
  [
    'the only email, whatever it is called',
    { zz: { yy: 'asha@example.com' }, other: 1 },
    { email: 'asha@example.com' },
  ],
  [
    'values under generated keys',
    { 'form-field-kjhgfd': 'Asha Rao', 'form-field-qwrtzp': '+919812004417' },
    { ...asha, phone: '+919812004417' },
  ],
  [
    'a field on each line of a text',
    { text: 'Name = Asha Rao\nMobile = 9812004417\nMessage = Call after six' },
    { ...asha, notes: 'Call after six' },
  ],
  [
    'the note of a disposition',
    { ...asha, disposition: { name: 'Callback', note: 'Wants to talk later' } },
    { ...asha, notes: 'Wants to talk later' },
  ],
  [
    'the comment within notes before a description around them',
    { payment: { description: 'Course fee paid', ...asha, notes: { comment: 'Send the recording please' } } },
    { ...asha, notes: 'Send the recording please' },
  ],
  ['a last name inside another record', { ...asha, name: 'Asha', profile: { last_name: 'Rao' } }, parts],
  ['a user’s name in small letters', { user: { ...asha, name: 'asha' } }, { ...asha, name: 'asha' }],
  [
    'the text of an SMS',
    { sms: { from: '+919812004417', text: 'Need a quote' } },
    { phone: '+919812004417', notes: 'Need a quote' },
  ],
  ['a user beside a customer without a contact', { customer: { id: 'c1' }, user: asha }, asha],
  ['a guest’s contact in a booking', { booking: { guestName: 'Asha Rao', guestContact: '9812004417' } }, asha],
  ['a message without a whole word', { ...asha, message: '1.5 L' }, { ...asha, notes: '1.5 L' }],
  ['a short message in Chinese', { ...asha, Content: '请问周末营业吗？' }, { ...asha, notes: '请问周末营业吗？' }],
]
for (const message of [
  'b4c1f6a2-93d0-4e7b-8a15-6c2f0e9d7b31',
  'ord_2a7b9c1d8e',
  'https://example.com/flat/12',
  '98200 99999',
  '₹ 50,00,000',
  '2026-12-01',
  '🙏',
])
  messages.push([`the message ${message}`, { ...asha, message }, { ...asha, notes: message }])
for (const [key, field, first, other_contacts] of [
  ['phone', 'phone', '9812004417', '9820011223'],
  ['mobile_', 'phone', '9812004417', '9820011223'],
  ['Contact No ', 'phone', '9812004417', '9820011223'],
  ['email', 'email', 'a@example.com', 'c@y.in'],
] as const) {
  const payload = { name: asha.name, [`${key}1`]: first, [`${key}2`]: other_contacts }
  messages.push([`${key}1 before ${key}2`, payload, { name: asha.name, [field]: first, other_contacts }])
}
for (const [title, payload, fields] of messages) {
  test(`${title}: read`, () => assert.deepEqual(read(payload), fields))
}

const strangers: [title: string, payload: unknown][] = [
  [
    'an agent beside the person',
    { lead: asha, agent: { name: 'Ravi Agent', phone: '9999911111', email: 'ravi@example.com' } },
  ],
  [
    'a user of that type',
    {
      users: [
        { type: 'agent', name: 'Ravi Agent', phone: '9999911111' },
        { type: 'customer', ...asha },
      ],
    },
  ],
  ['a project with a name and a city', { ...asha, project: { name: 'Green Park', city: 'Pune' } }],
  ['a page and a campaign', { ...asha, page_name: 'Home Page', campaign_name: 'Diwali Offer' }],
  ['a status and a stage with names', { ...asha, status: { id: 1, name: 'Open Case' }, stage: { name: 'First Call' } }],
  ['the number that was called', { ...asha, to: '8047110000', called_number: '8047110001', did: '8047110002' }],
  ['ids that could be phones', { ...asha, order_id: '9876543210', from: { id: 9_876_543_211 } }],
  [
    'an event with a description',
    { ...asha, event: { name: 'Launch Night', description: 'Come and see our new hall' } },
  ],
  ['the words of a system', { ...asha, message: 'Lead created successfully' }],
  ['the account that received a message', { me: { name: 'Our Shop', phone: '+919811100001' }, ...asha }],
  [
    'a professional and a service provider',
    { lead: asha, professional: { name: 'Our Studio' }, spCompanyName: 'Our Co' },
  ],
  ['a device and a part of a platform', { ...asha, source: 'android', channel: 'app' }],
  ['the schema of a form', { ...asha, FormStructure: { Name: 'Quote', Description: 'Ask us for a quote' } }],
  ['the recipients of a message', { senders: [asha], recipients: [{ name: 'Ravi Agent', email: 'ravi@example.com' }] }],
  ['a company that was booked', { customer: asha, company: { name: 'Salon Group' }, staff: { name: 'Maya Host' } }],
]
for (const [title, payload] of strangers) {
  test(`${title} is not taken for the person`, () => assert.deepEqual(read(payload), asha))
}

test('a parent’s number is taken only where there is no other', () => {
  assert.deepEqual(read({ student_name: 'Asha Rao', father_mobile: '9812004417' }), asha)
  assert.deepEqual(read({ student_name: 'Asha Rao', father_mobile: '9999911111', mobile: '9812004417' }), asha)
})
