import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MappingEntry } from '../contract.ts'
import { readPayloadSync } from '../reading.ts'

function readWith(payload: object, mapping: MappingEntry[]) {
  const body = Buffer.from(JSON.stringify(payload))
  const read = readPayloadSync({ body, content_type: 'application/json', mapping, country: 'IN', withValues: true })
  assert.ok('reading' in read)
  return read
}

const unknown = {
  k1: 'abc-1',
  k2: 'OUT',
  k3: '9810044321',
  k4: '0:45',
  k5: 'NOT PICKED',
  k6: '18/11/2026 02:41 PM',
  k7: '201',
}

test('a mapping of parts of a call alone makes a call', () => {
  const mapping: MappingEntry[] = [
    { path: 'k1', field: 'call_id' },
    { path: 'k2', field: 'call_direction' },
    { path: 'k3', field: 'phone' },
    { path: 'k4', field: 'call_talk_time' },
    { path: 'k5', field: 'call_outcome' },
    { path: 'k6', field: 'call_start' },
    { path: 'k7', field: 'call_agent' },
    { path: 'gone', field: 'call_notes' },
  ]
  assert.equal(readWith(unknown, []).call, null)
  const { call, reading, values } = readWith(unknown, mapping)
  assert.deepEqual(call, {
    platform_id: 'abc-1',
    state: 'ended',
    direction: 'Outbound',
    outcome: 'No Answer',
    started_at: '2026-11-18T09:11:00Z',
    answered_at: null,
    ended_at: null,
    talk_seconds: 45,
    agents: ['201'],
    recording_url: null,
    notes: null,
  })
  assert.deepEqual(reading.lead, { phone: '9810044321', name: 'Caller +91 98100 44321' })
  assert.deepEqual(reading.absent, ['gone'])
  const shown = values.map(({ path, field, by }) => [path, field, by])
  assert.deepEqual(shown.slice(0, 2), [
    ['k1', 'call_id', 'owner'],
    ['k2', 'call_direction', 'owner'],
  ])
})

const known = {
  call_id: 'c-1',
  direction: 'inbound',
  caller: '+919810044321',
  called: '+918047110044',
  agent_name: 'Priya',
  duration: 41,
  status: 'completed',
  remark: 'Wants a visit',
}

test('the manual mapping of a part counts before recognition, and what is ignored is not read', () => {
  const automatic = readWith(known, [])
  assert.deepEqual(
    [automatic.call?.direction, automatic.call?.talk_seconds, automatic.call?.notes, automatic.reading.lead.notes],
    ['Inbound', 41, 'Wants a visit', undefined],
  )
  const { call, reading } = readWith(known, [
    { path: 'status', field: 'call_notes' },
    { path: 'agent_name', field: 'ignore' },
    { path: 'remark', field: 'notes' },
    { path: 'called', field: 'phone' },
  ])
  assert.deepEqual([call?.notes, call?.agents, reading.lead.notes], ['completed', [], 'Wants a visit'])
  assert.equal(reading.lead.phone, '+918047110044')
})

test('every part that was read is shown with its reason', () => {
  const picks = readWith(known, []).reading.picks.filter(({ field }) => field.startsWith('call_'))
  assert.deepEqual(picks.map(({ field, path }) => `${field} ${path}`).sort(), [
    'call_agent agent_name',
    'call_direction direction',
    'call_id call_id',
    'call_notes remark',
    'call_outcome status',
    'call_state status',
    'call_talk_time duration',
  ])
  for (const { by, reason } of picks) assert.deepEqual([by, reason !== ''], ['recognised', true])
})

const twilio = { CallSid: 'CA1', AccountSid: 'AC1', ApiVersion: '2010-04-01', To: '+14155550100', Direction: 'inbound' }

test('a withheld number makes no lead and no mistake, in whichever way it is read', () => {
  for (const text of [
    'anonymous',
    'Restricted',
    '+266696687',
    '+7378742833',
    '+8566696',
    '0000000000',
    'Private number',
  ])
    for (const [payload, mapping] of [
      [{ ...known, caller: text }, []],
      [{ call_id: 'c-1', from: text, to: '+918047110044', duration: 30 }, []],
      [{ ...twilio, From: text, CallStatus: 'completed' }, []],
      [
        { ...unknown, k3: text },
        [...Object.entries({ k1: 'call_id', k3: 'phone' })].map(([path, field]) => ({ path, field })),
      ],
    ] as [object, MappingEntry[]][]) {
      const { call, event, reading, is_withheld } = readWith(payload, mapping)
      const read = [call !== null, is_withheld, event?.has_contact, reading.lead.phone, reading.lead.notes]
      assert.deepEqual(read, [true, true, false, undefined, undefined], JSON.stringify(payload))
      assert.ok(!reading.warnings.some(({ field }) => field === 'phone'))
    }
})

test('a number beside one that is withheld is the customer’s', () => {
  const { reading, is_withheld } = readWith({ ...known, caller: 'Restricted', customer_number: '9810044321' }, [])
  assert.deepEqual([reading.lead.phone, is_withheld], ['9810044321', false])
})

test('a caller without a name is named by the number and its own country', () => {
  for (const [caller, name] of [
    ['9810044321', 'Caller +91 98100 44321'],
    ['+447447123456', 'Caller +44 7447 123456'],
    ['447447123456', 'Caller +44 7447 123456'],
    ['447700900123', 'Caller +44 7700 900123'],
    ['+12025550123', 'Caller +1 202 555 0123'],
    ['0097150 1234567', 'Caller +971 50 123 4567'],
    ['8801712345678', 'Caller +880 1712 345678'],
    ['140804711', 'Caller 140804711'],
    ['1408047110044', 'Caller 1408047110044'],
  ])
    assert.equal(readWith({ ...known, caller }, []).reading.lead.name, name)
})

test('the customer is named as the system names the contact, a firm too', () => {
  const nameOf = (values: object) => readWith({ ...known, ...values }, []).reading.lead.name
  for (const values of [
    { contact_name: 'Gopal Traders' },
    { caller_name: 'Gopal Traders' },
    { CustomerName: 'Gopal Traders' },
    { contact: { name: 'Gopal Traders' } },
    { client_name: 'Gopal Traders', agent: { name: 'Vikas Rao' } },
    { direction: 'outbound', customer_number: '9810044321', contact_name: 'Gopal Traders', caller_name: 'Front desk' },
    { callerid_name: 'Gopal Traders' },
    { lead_name: 'Gopal Traders', queue_name: 'Sales' },
    { from_name: 'Gopal Traders', to_name: 'Support line' },
    { customer: { name: 'Gopal Traders', phone: '+919810044321' } },
  ])
    assert.equal(nameOf(values), 'Gopal Traders', JSON.stringify(values))
  assert.equal(nameOf({ source_name: 'Google Ads', trunk_name: 'Airtel' }), 'Caller +91 98100 44321')
  for (const none of ['Unknown', 'Restricted', 'WIRELESS CALLER', '+919810044321', 'Private number'])
    assert.equal(nameOf({ caller_name: none }), 'Caller +91 98100 44321', none)
})

test('a nested report without an id is a call by its sides, time and duration', () => {
  const sides = { from: '9810044321', to: '+918047110044' }
  for (const payload of [
    { report: { caller: '9810044321', called: '+918047110044', start_time: '2026-11-18 14:41:00', duration: 30 } },
    { data: { ...sides, startTime: '2026-11-18 14:41:00', duration: 30, type: 'incoming' } },
    { event: { details: { src: '9810044321', dst: '8047110044', date: '2026-11-18', time: '14:41', billsec: '30' } } },
  ]) {
    const { call } = readWith(payload, [])
    assert.deepEqual([call?.started_at, call?.talk_seconds], ['2026-11-18T09:11:00Z', 30], JSON.stringify(payload))
  }
  const shipment = { parcel: { ...sides, pickup: '2026-11-18 14:41:00', weight: 3 } }
  assert.equal(readWith(shipment, []).call, null)
})

test('a call with thousands of values is read', () => {
  const legs = Array.from({ length: 2000 }, (_, at) => ({
    [`call_leg_${at}`]: `+9198${10_000_000 + at}`,
    agent_name: `A ${at}`,
  }))
  const { call } = readWith({ ...known, legs }, [])
  assert.equal(call?.platform_id, 'c-1')
  assert.ok(call.agents.length <= 20)
})
