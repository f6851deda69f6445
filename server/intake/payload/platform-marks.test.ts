import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPlatformId, isOwnMessage, isTest } from './platform-marks.ts'

const message = (id: string) => ({
  entry: [
    {
      id: 'account',
      changes: [{ value: { contacts: [{ wa_id: '919890077210' }], messages: [{ id, text: { body: 'Hi' } }] } }],
    },
  ],
})

test('the id of a lead identifies its repetitions, at any depth and beside any other ids', () => {
  const cases: [object, string | null][] = [
    [{ lead_id: 'TeRl4q9zBnX', form_id: 7 }, 'leadid:TeRl4q9zBnX'],
    [{ RESPONSE: { UNIQUE_QUERY_ID: '2840019921', SENDER_NAME: 'M' } }, 'uniquequeryid:2840019921'],
    [{ leadgen_id: 4410, id: 'attempt-2' }, 'leadgenid:4410'],
    [{ id: 'd-1', name: 'Uma' }, 'id:d-1'],
    [{ name: 'Uma', phone: '9810012345' }, null],
    [{ id: '', uuid: null, lead_id: 0 }, null],
  ]
  for (const [payload, id] of cases) assert.equal(findPlatformId(payload as never), id, JSON.stringify(payload))
})

test('without it, all ids together do: another message of the same contact is another delivery', () => {
  assert.equal(findPlatformId(message('wamid.1')), findPlatformId(message('wamid.1')))
  assert.notEqual(findPlatformId(message('wamid.1')), findPlatformId(message('wamid.2')))
})

test('a test lead is marked at the top level', () => {
  for (const payload of [{ is_test: true }, { isTest: 'true' }, { IS_TEST: 1 }, { test_lead: 'yes' }])
    assert.ok(isTest(payload))
  for (const payload of [{ is_test: false }, { test: true }, { is_test: null }, { lead: { is_test: true } }, {}]) {
    assert.ok(!isTest(payload as never), JSON.stringify(payload))
  }
})

test('of ten thousand nested objects only some are searched', () => {
  let deep: Record<string, unknown> = { lead_id: 'far down' }
  for (let depth = 0; depth < 10_000; depth++) deep = { inner: deep }
  assert.equal(findPlatformId(deep), null)
})

test('a chat system’s mark of an own message counts, also deep down, beside an answered message or in a text with JSON', () => {
  const own = [
    { owner: true, waId: '919812004417', text: 'Our price list' },
    { event: 'message', payload: { fromMe: true, body: 'hi' } },
    { type: 'chat', isFromMe: true, content: 'hi' },
    { data: { key: { id: '1' }, messageId: 'm-1', outgoing: true } },
    { typeWebhook: 'outgoingMessageReceived', idMessage: 'm-1' },
    {
      messages: [
        { fromMe: true, body: 'One' },
        { fromMe: true, body: 'Two' },
      ],
    },
    { data: { deep: { er: { key: { fromMe: true } } } } },
    { from_me: true, chat: { phone: '919812004417' } },
    { phone: '919812004417', is_from_me: 1 },
    { data: { keyFromMe: true, pushName: 'Asha' } },
    { 'data[key][fromMe]': 'true' },
    { 'data.key.fromMe': true },
    { data__key__fromMe: 'True' },
    { payload: JSON.stringify({ data: { key: { fromMe: true } } }) },
    { entry: [{ messaging: [{ recipient: { id: '1' }, message: { is_echo: true, text: 'Hi' } }] }] },
    { fromMe: true, quoted: { fromMe: false } },
    { from_me: true, email: null, phone: '919812004417' },
    { chatId: '919812004417@c.us', contact: { email: 'asha@example.com' }, message: { from_me: true } },
    { conversationId: 'c-1', data: { message: { outgoing: true } } },
  ]
  const others = [
    { owner: true, name: 'Asha', phone: '9812004417', message: 'I own a flat' },
    { form: { owner: true, outgoing: true, text: 'I own a flat' } },
    { owner: false, waId: '919812004417', text: 'Price?' },
    { event: 'message-event', payload: { type: 'text', sender: { phone: '919812004417' } } },
    { fromMe: false, body: 'How much?', quoted: { fromMe: true, body: 'Our price list' } },
    // A customer's message beside one of the business.
    {
      messages: [
        { fromMe: true, body: 'Our price list' },
        { fromMe: false, body: 'How much?' },
      ],
    },
    // The message that is answered may stand further out, or alone.
    { quotedMsg: { fromMe: true }, data: { key: { fromMe: false } } },
    { phone: '919812004417', body: 'How much?', quotedMessage: { from_me: true } },
    { contact: { phone: '919812004417' }, lastMessage: { fromMe: true } },
    { 'data.quoted.fromMe': true, phone: '919812004417' },
    { contextInfo: { fromMe: true }, phone: '919812004417' },
    // Questions of a form.
    { name: 'Asha', 'From me?': true },
    { name: 'Asha', email: 'asha@example.com', from_me: true, message: 'A gift' },
    { form_id: 7, data: { phone: '9812004417', from_me: 'true' } },
    { name: 'Asha', answers: { from_me: true } },
    { fields: [{ name: 'from_me', value: true }] },
    { text: 'from_me: true' },
  ]
  for (const payload of own) assert.ok(isOwnMessage(payload), JSON.stringify(payload))
  for (const payload of others) assert.ok(!isOwnMessage(payload), JSON.stringify(payload))
})

const text = 'Hello, your order is ready'
const person = { name: 'Asha', phone: '919876512003' }

/** Messages without a mark of their platform, and whether the business wrote them. */
const sides: [payload: object, isOwn: boolean][] = [
  [{ type: 'message', direction: 'outbound', to: '+919876512003', text, sender_name: 'Our Bot', id: 'm1' }, true],
  [{ message: { id: 'm2', direction: 'outgoing', content: text }, contact: person }, true],
  [{ direction: 'outbound-api', body: text, to: '+919876512003', sid: 'SM1' }, true],
  [{ sender_type: 'agent', content: text, visitor: person }, true],
  [{ data: { sender_type: 'Bot', text, contact: person } }, true],
  [{ message_direction: 'OUT', message: text, contact: person }, true],
  [{ author_type: 'operator', body: text, user: person }, true],
  [{ direction: 'inbound', text, from: '919876512003' }, false],
  [{ sender_type: 'visitor', content: text, visitor: person }, false],
  [{ sent_by: 'customer', body: text, contact: person }, false],
  // A call, a form, the welcome at the beginning of a chat that is sent as a whole.
  [{ direction: 'outbound', call_id: 'c1', duration: 12, message: 'Busy', to: '919876512003' }, false],
  [{ form_name: 'Freight', direction: 'outbound', message: 'Rate to Dubai?', ...person }, false],
  [{ lead: person, messages: [{ sender_type: 'bot', text: 'Welcome' }] }, false],
]

test('the direction of a message or the kind of its sender says who wrote it', () => {
  for (const [payload, isOwn] of sides) assert.equal(isOwnMessage(payload as never), isOwn, JSON.stringify(payload))
})
