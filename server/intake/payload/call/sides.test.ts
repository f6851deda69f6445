import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRecords } from '#test/labelled-payloads.ts'
import { phoneKey } from '../../../crm/contacts/contact.ts'
import type { CallType } from '../../../telephony/calls/contract.ts'

const line = '01140990011'
const customer = '9845220004'
const ended = { status: 'answered', duration: 33 }
const cdr = { start: '2026-11-20 10:00:00', disposition: 'ANSWERED', billsec: '40', duration: '52' }

/** Whose number is whose, by structure: each with the direction that the event says, or that follows. */
const calls: [name: string, direction: CallType, payload: object][] = [
  [
    'a caller-id text with the line, and an extension as source',
    'Outbound',
    {
      ...cdr,
      uniqueid: '1795.1',
      clid: `"Front" <${line}>`,
      src: '204',
      dst: customer,
      dcontext: 'from-internal',
      channel: 'PJSIP/204-01',
      dstchannel: 'PJSIP/trunk-02',
    },
  ],
  [
    'the line as source, on the channel of an extension',
    'Outbound',
    { ...cdr, uniqueid: '1795.2', clid: `"Front" <${line}>`, src: line, dst: customer, channel: 'SIP/204-0000003a' },
  ],
  [
    'only the context says it',
    'Outbound',
    { ...cdr, uniqueid: '1795.3', clid: `"Front" <${line}>`, src: line, dst: customer, dcontext: 'from-internal' },
  ],
  [
    'a caller-id text with the customer',
    'Inbound',
    {
      ...cdr,
      uniqueid: '1795.4',
      clid: `"Asha" <${customer}>`,
      src: customer,
      dst: line,
      dcontext: 'from-trunk',
      channel: 'PJSIP/tata-00000011',
      dstchannel: 'PJSIP/201-00000012',
    },
  ],
  ['an extension is the source', 'Outbound', { ...cdr, uniqueid: '1795.5', src: '1003', dst: customer }],
  ['an extension is the destination', 'Inbound', { ...cdr, uniqueid: '1795.6', src: customer, dst: '1003' }],
  [
    'an extension as a SIP address',
    'Inbound',
    { ...ended, call_id: 'c7', caller: customer, callee: 'sip:204@pbx.example.com' },
  ],
  [
    'an extension beside the line of its side',
    'Outbound',
    { ...ended, call_id: 'c8', from: { extension: '204', number: line }, to: { number: customer } },
  ],
  [
    'an extension whose name has the side',
    'Outbound',
    { ...ended, call_id: 'c9', fromExtension: '204', toNumber: customer, callerId: line },
  ],
  [
    'a click, said under any name',
    'Outbound',
    { ...ended, call_id: 'c10', source: 'click2call', from: '9033322110', to: customer },
  ],
  [
    'a click as a type',
    'Outbound',
    { ...ended, id: 'c11', type: 'click_to_call', from: '9740220004', to: customer, caller_id: line },
  ],
  [
    'a click with named parties',
    'Outbound',
    { ...ended, call_id: 'c12', call_type: 'clicktocall', agent_number: '+919740220005', customer_number: customer },
  ],
  [
    'the types of the sides',
    'Outbound',
    { ...ended, call_id: 'c13', from_type: 'agent', from: line, to_type: 'customer', to: customer },
  ],
  [
    'sides that are objects with a type',
    'Inbound',
    { ...ended, call_id: 'c14', from: { type: 'external', number: customer }, to: { type: 'internal', number: line } },
  ],
  ['who initiated it', 'Outbound', { ...ended, call_id: 'c15', initiated_by: 'agent', from: line, to: customer }],
  [
    'the agent’s number is the source',
    'Outbound',
    { ...ended, call_id: 'c16', from: '9811100001', to: customer, agent_number: '09811100001' },
  ],
  [
    'internal and external',
    'Outbound',
    { ...ended, call_id: 'c17', direction: 'outbound', internal_number: line, external_number: customer },
  ],
  [
    'a direction beside the caller and the called',
    'Outbound',
    { ...ended, call_id: 'c18', callDirection: 'OUT', ani: line, dnis: customer },
  ],
  [
    'three numbers, one of them the agent’s',
    'Inbound',
    { ...ended, CallSid: 'c19', SourceNumber: customer, DestinationNumber: line, DialWhomNumber: '9740220017' },
  ],
  [
    'a flag as the direction',
    'Inbound',
    { client_number: customer, our_number: line, is_outgoing: 0, call_id: 'c20', duration: 12 },
  ],
]

for (const [name, direction, payload] of calls)
  test(name, () => {
    const [{ reading, call }] = readRecords(payload) as [ReturnType<typeof readRecords>[number]]
    const { lead, picks } = reading
    assert.equal(phoneKey(lead.phone ?? '', 'IN'), '+919845220004')
    assert.equal(call?.direction ?? 'Inbound', direction)
    assert.equal(picks.find(({ field }) => field === 'phone')?.confidence ?? 'sure', 'sure')
  })

test('a call between two extensions has no customer', () => {
  const records = readRecords({ ...cdr, call_id: 'c21', src: '204', dst: '205', clid: `"Front" <${line}>` })
  assert.equal(records[0]?.reading.lead.phone, undefined)
})
