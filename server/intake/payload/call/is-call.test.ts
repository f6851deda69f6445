import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leavesOf } from '../structure/leaves.ts'
import { isEventOfCall } from './is-call.ts'

const calls: [name: string, payload: object][] = [
  ['a form of a dialer', { custno: '9845331201', agtno: '9820031201', dir: 'IN', disp: 'ANS', dur: '48' }],
  ['names in Hindi', { 'ग्राहक नंबर': '9845331202', प्रकार: 'incoming', अवधि: '35', समय: '2026-11-20 10:00:00' }],
  [
    'names in Hinglish',
    { grahak_number: '9845331203', karmchari: 'Ritu', baat_ka_samay: '2 min 10 sec', shuru: '10:15 AM' },
  ],
  ['the log of a SIM', { log: { number: '9845331204', type: 'OUTGOING', date: 1_796_218_293_000, duration: '61' } }],
  [
    'the record of a switch',
    { src: '9845331205', dst: '201', start: '2026-11-20 10:00:00', billsec: 31, disposition: 'ANSWERED' },
  ],
  [
    'a missed call to a number',
    { missed_call_from: '9845331206', virtual_number: '8047331206', time: '2026-11-20 10:00:00' },
  ],
  ['no word for a call', { who: '+919845331207', our_line: '+918047331207', way: 'out', result: 'Spoke', secs: 93 }],
  [
    'titles of a spreadsheet',
    { 'Client Mobile': '98453 31208', 'Staff Mobile': '98200 31208', Direction: 'Out', 'Talk Time': '03:20' },
  ],
  ['a call that rings', { event: 'call.ringing', id: 'r-9', from: '+919845331209', to: '+918047331209' }],
  ['a recording that is ready', { call_id: 'r-10', recording_url: 'https://rec.example.com/10.mp3' }],
  [
    'a payload in a text',
    { payload: '{"cli":"9845331211","did":"8047331211","status":"busy","st_time":"2026-11-20 10:00:00"}' },
  ],
]

const others: [name: string, payload: object][] = [
  [
    'a preferred call time',
    { name: 'Asha Rao', mobile: '9845331221', preferred_call_time: '5-7 PM', source: 'website' },
  ],
  [
    'a lead with its last call',
    { lead_id: 7, name: 'Asha Rao', phone: '9845331222', call_status: 'Busy', last_call: '2026-11-20' },
  ],
  [
    'a campaign of missed calls',
    { name: 'Asha Rao', phone: '9845331223', source: 'Missed call campaign', city: 'Pune' },
  ],
  ['a chat', { channel: 'whatsapp', direction: 'inbound', from: '919845331224', to: '918047331224', text: 'Call me' }],
  [
    'a delivered text message',
    { event: 'sms.delivered', from: 'ACMEIN', to: '919845331225', status: 'DELIVRD', text: 'We called' },
  ],
  [
    'a booking',
    {
      event: 'booking.created',
      title: 'Intro call',
      phone: '9845331226',
      start_time: '2026-11-20T10:00:00Z',
      duration: 30,
    },
  ],
  ['a task', { task: { title: 'Call back', status: 'Not Started', due: '2026-11-20', contact_phone: '9845331227' } }],
  [
    'an order',
    { order_id: 'O-28', customer_phone: '9845331228', status: 'completed', duration: '90 days', amount: '499' },
  ],
  ['an agent’s status', { event: 'agent_status', agent_name: 'Ritu', agent_number: '9820031229', status: 'On break' }],
  [
    'a day of calls',
    { report: 'daily_summary', date: '2026-11-20', inbound_calls: 42, missed_calls: 6, total_talk_time: '06:12:40' },
  ],
  [
    'a parcel',
    { parcel: { from: '9845331231', to: '9820031231', pickup: '2026-11-20 10:00:00', status: 'in transit' } },
  ],
  [
    'a request to be called',
    { form: 'callback', name: 'Asha Rao', phone: '9845331232', message: 'Please call', call_me: 'yes' },
  ],
]

for (const [isCall, table] of [
  [true, calls],
  [false, others],
] as const)
  for (const [name, payload] of table)
    test(`${name} is ${isCall ? 'an event of a call' : 'no call'}`, () => {
      assert.equal(isEventOfCall(leavesOf(payload)), isCall)
    })
