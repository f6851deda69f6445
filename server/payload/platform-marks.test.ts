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

test('a mark of the business’s own message counts only beside the ids of a chat', () => {
  const own = [
    { owner: true, waId: '919812004417', text: 'Our price list' },
    { event: 'message', payload: { fromMe: true, body: 'hi' } },
    { type: 'chat', isFromMe: true, content: 'hi' },
    { data: { key: { id: '1' }, messageId: 'm-1', outgoing: true } },
    { type: 'message-event', payload: { type: 'delivered', destination: '919812004417' } },
    {
      messages: [
        { fromMe: true, body: 'One' },
        { fromMe: true, body: 'Two' },
      ],
    },
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
  ]
  for (const payload of own) assert.ok(isOwnMessage(payload), JSON.stringify(payload))
  for (const payload of others) assert.ok(!isOwnMessage(payload), JSON.stringify(payload))
})
