import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRecords } from '#test/labelled-payloads.ts'

/** Payloads of telephone systems without a folder, written after their public documentation. */
const calls: [name: string, payload: object, phone: string | undefined, call: object][] = [
  [
    'Telnyx: a call arrives',
    {
      data: {
        event_type: 'call.initiated',
        id: '0ccc7b54-4df3-4bca-a65a-3da1ecc777f0',
        occurred_at: '2026-11-18T09:11:00.000000Z',
        payload: {
          call_control_id: 'v3:ctl1',
          call_leg_id: 'leg-1',
          call_session_id: 'ses-1',
          client_state: null,
          connection_id: '7267xxxxxxxxxxxxxx',
          direction: 'incoming',
          from: '+919810044321',
          to: '+918047110044',
          state: 'parked',
        },
        record_type: 'event',
      },
      meta: { attempt: 1, delivered_to: 'https://example.com/webhooks' },
    },
    '+919810044321',
    { platform_id: 'ses-1', state: 'ringing', direction: 'Inbound', started_at: '2026-11-18T09:11:00Z' },
  ],
  [
    'Telnyx: it ends',
    {
      data: {
        event_type: 'call.hangup',
        occurred_at: '2026-11-18T09:12:30.000000Z',
        payload: {
          call_control_id: 'v3:ctl1',
          call_session_id: 'ses-1',
          hangup_cause: 'normal_clearing',
          hangup_source: 'caller',
          from: '+919810044321',
          to: '+918047110044',
          start_time: '2026-11-18T09:11:00.000000Z',
          end_time: '2026-11-18T09:12:30.000000Z',
        },
      },
    },
    '+919810044321',
    {
      platform_id: 'ses-1',
      state: 'ended',
      outcome: 'Completed',
      started_at: '2026-11-18T09:11:00Z',
      ended_at: '2026-11-18T09:12:30Z',
    },
  ],
  [
    'OpenPhone: a completed outgoing call',
    {
      id: 'EV1',
      object: 'event',
      apiVersion: 'v3',
      createdAt: '2026-11-18T09:15:00.000Z',
      type: 'call.completed',
      data: {
        object: {
          id: 'AC3700',
          object: 'call',
          from: '+918047110044',
          to: '+919810044321',
          direction: 'outgoing',
          createdAt: '2026-11-18T09:11:00.000Z',
          answeredAt: '2026-11-18T09:11:08.000Z',
          completedAt: '2026-11-18T09:12:00.000Z',
          status: 'completed',
          userId: 'USu5',
          phoneNumberId: 'PN9',
        },
      },
    },
    '+919810044321',
    {
      platform_id: 'AC3700',
      state: 'ended',
      direction: 'Outbound',
      outcome: 'Completed',
      started_at: '2026-11-18T09:11:00Z',
      answered_at: '2026-11-18T09:11:08Z',
      ended_at: '2026-11-18T09:12:00Z',
      agents: ['USu5'],
    },
  ],
  [
    'Dialpad: a call with milliseconds',
    {
      call_id: 5_912_345,
      state: 'hangup',
      direction: 'inbound',
      date_started: 1_795_000_000_000,
      date_connected: 1_795_000_010_000,
      date_ended: 1_795_000_070_000,
      duration: 60_000.5,
      external_number: '+919810044321',
      internal_number: '+918047110044',
      contact: { id: '1', name: 'Meera Iyer', phone: '+919810044321', email: 'meera@example.com' },
      target: { id: 42, name: 'Priya Agent', phone: '+918047110055', email: 'priya@ours.example.com', type: 'user' },
      was_recorded: true,
    },
    '+919810044321',
    {
      platform_id: '5912345',
      state: 'ended',
      direction: 'Inbound',
      started_at: '2026-11-18T11:06:40Z',
      answered_at: '2026-11-18T11:06:50Z',
      ended_at: '2026-11-18T11:07:50Z',
      agents: ['+918047110055', 'priya@ours.example.com', 'Priya Agent'],
    },
  ],
  [
    'Asterisk: the detail record of an answered call',
    {
      uniqueid: '1795000000.15',
      linkedid: '1795000000.15',
      calldate: '2026-11-18 14:41:00',
      clid: '"Meera" <09810044321>',
      src: '09810044321',
      dst: '201',
      did: '08047110044',
      channel: 'SIP/trunk-0001',
      dstchannel: 'SIP/201-0002',
      duration: '50',
      billsec: '41',
      disposition: 'ANSWERED',
      recordingfile: 'https://pbx.example.com/rec/15.wav',
    },
    '09810044321',
    {
      platform_id: '1795000000.15',
      state: 'ended',
      direction: 'Inbound',
      outcome: 'Completed',
      started_at: '2026-11-18T09:11:00Z',
      talk_seconds: 41,
      agents: ['201'],
      recording_url: 'https://pbx.example.com/rec/15.wav',
    },
  ],
  [
    'Zadarma: an outgoing call ends',
    {
      event: 'NOTIFY_OUT_END',
      call_start: '2026-11-18 14:41:00',
      pbx_call_id: 'out_1',
      internal: '101',
      destination: '919810044321',
      caller_id: '918047110044',
      duration: '23',
      disposition: 'no answer',
      status_code: '19',
      is_recorded: '0',
      call_type: 'outbound',
    },
    '919810044321',
    {
      platform_id: 'out_1',
      state: 'ended',
      direction: 'Outbound',
      outcome: 'No Answer',
      started_at: '2026-11-18T09:11:00Z',
      talk_seconds: 23,
      agents: ['101'],
    },
  ],
  [
    'CloudTalk: nested numbers and an agent',
    {
      event: 'call-ended',
      Call: {
        id: '88123',
        type: 'incoming',
        public_external: '+919810044321',
        public_internal: '+918047110044',
        started_at: '2026-11-18T09:11:00.000Z',
        answered_at: null,
        ended_at: '2026-11-18T09:11:30.000Z',
        talking_time: '0',
        waiting_time: '30',
        status: 'missed',
      },
      Agent: { id: '7', fullname: 'Priya Nair', email: 'priya@ours.example.com', extension: '1002' },
    },
    '+919810044321',
    {
      platform_id: '88123',
      state: 'ended',
      direction: 'Inbound',
      outcome: 'Missed',
      started_at: '2026-11-18T09:11:00Z',
      ended_at: '2026-11-18T09:11:30Z',
      talk_seconds: 0,
      agents: ['priya@ours.example.com', '1002', 'Priya Nair'],
    },
  ],
  [
    'a SIM log with a duration in words',
    {
      employee_name: 'Rohit',
      employee_number: '9820000001',
      client_name: 'Meera Iyer',
      client_number: '9810044321',
      call_type: 'Outgoing',
      call_date: '18/11/2026',
      call_time: '02:41 PM',
      duration: '1m 23s',
      call_recording_url: 'https://example.com/a.mp3',
      note: 'Wants a site visit',
    },
    '9810044321',
    {
      state: 'ended',
      direction: 'Outbound',
      started_at: '2026-11-18T09:11:00Z',
      talk_seconds: 83,
      agents: ['9820000001', 'Rohit'],
      recording_url: 'https://example.com/a.mp3',
      notes: 'Wants a site visit',
    },
  ],
  [
    'a recording that is ready',
    { event: 'call.recording_ready', call_id: 'r-7', recording_url: 'https://example.com/r7.mp3', duration: 41 },
    undefined,
    { platform_id: 'r-7', state: 'ended', talk_seconds: 41, recording_url: 'https://example.com/r7.mp3' },
  ],
  [
    'participants with roles',
    {
      call: {
        id: 'p-1',
        status: 'answered',
        direction: 'outbound',
        participants: [
          { role: 'agent', name: 'Priya', phone_number: '+919820000001' },
          { role: 'customer', name: 'Meera Iyer', phone_number: '+919810044321' },
        ],
      },
      timestamp: '2026-11-18T09:11:10Z',
    },
    '+919810044321',
    {
      platform_id: 'p-1',
      state: 'answered',
      direction: 'Outbound',
      outcome: 'Completed',
      answered_at: '2026-11-18T09:11:10Z',
      agents: ['+919820000001', 'Priya'],
    },
  ],
]

for (const [name, payload, phone, call] of calls)
  test(name, () => {
    const [{ reading, event, call: read }] = readRecords(payload) as [ReturnType<typeof readRecords>[number]]
    const said = Object.entries(read ?? {}).filter(([, value]) => value !== null && String(value) !== '')
    assert.deepEqual({ phone: reading.lead.phone, call: Object.fromEntries(said) }, { phone, call })
    assert.equal(event !== null, phone === undefined)
  })

/** What only looks like an event of a call. */
const others: [name: string, payload: object][] = [
  ['a form', { name: 'Asha Rao', phone: '9810044321', preferred_call_time: '18/11/2026 02:41 PM', call_type: 'Video' }],
  [
    'a lead with the status of its calls',
    { name: 'Asha Rao', phone: '9810044321', call_status: 'Not answered', owner: 'Priya' },
  ],
  ['a text message', { direction: 'inbound', from: '+919810044321', to: '+918047110044', text: 'Please call me' }],
  [
    'a chat message',
    { event: 'message.received', direction: 'incoming', sender: { phone: '9810044321' }, message: { text: 'Hi' } },
  ],
  [
    'a booked call',
    { event: 'call.scheduled', name: 'Asha Rao', phone: '9810044321', start_time: '2026-11-18T09:11:00Z' },
  ],
  ['a request', { name: 'Asha Rao', phone: '9810044321', message: 'Call me back', source: 'Missed call campaign' }],
  [
    'an order',
    { order_id: 7, status: 'completed', customer: { phone: '9810044321' }, duration: '3 days', user: 'Priya' },
  ],
  [
    'a meeting',
    { event: 'meeting.ended', duration: 60, start_time: '2026-11-18T09:11:00Z', host_email: 'a@ours.example.com' },
  ],
  ['a form without a contact', Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`question_${at}`, 'Answer']))],
]

for (const [name, payload] of others)
  test(`${name} is no call`, () => assert.equal(readRecords(payload)[0]!.call, null))
