import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callOf, joinEvents } from '../../../telephony/calls/join-events.ts'
import { leavesOf } from '../structure/leaves.ts'
import { eventOf } from './call-parts.ts'
import { findCall } from './find-call.ts'

/** Reads what is known to be a call of an unknown system, as one event. */
function read(payload: object) {
  const { parts } = findCall(leavesOf(payload), true)!
  const { call_type, outcome, duration_seconds, called_at } = callOf(
    joinEvents({}, eventOf(parts, false).call),
    '2026-11-30T00:00:00Z',
  )
  return [call_type, outcome, duration_seconds, called_at]
}

const start = '2026-11-01T04:30:00Z'
const at = (clock: string) => `2026-11-01 ${clock}`
const incoming = { direction: 'inbound', from: '+919876500001', to: '+918040001111' }
const outgoing = { direction: 'outbound', from: '+918040001111', to: '+919876500002' }
const agents = [
  { name: 'Asha', phone: '9811100001', status: 'busy' },
  { name: 'Ravi', phone: '9811100002', status: 'no answer' },
  { name: 'Meena', phone: '9811100003', status: 'connected', talk_time: 45 },
]

const calls: [name: string, payload: object, call: unknown[]][] = [
  // Talk time.
  [
    'answer and release',
    { ...incoming, seize_time: at('10:00:00'), answer_time: at('10:00:08'), release_time: at('10:01:08') },
    ['Inbound', 'Completed', 60, start],
  ],
  [
    'a duration with the ringing',
    { ...incoming, call_began: at('10:00:00'), picked_up_at: at('10:00:10'), call_over: at('10:02:10'), duration: 130 },
    ['Inbound', 'Completed', 120, start],
  ],
  [
    'times in an object',
    { ...incoming, times: { ring: at('10:00:00'), answer: at('10:00:06'), hangup: at('10:01:06') } },
    ['Inbound', 'Completed', 60, start],
  ],
  [
    'abbreviations',
    { ...incoming, t_init: at('10:00:00'), t_ans: at('10:00:06'), t_end: at('10:01:06') },
    ['Inbound', 'Completed', 60, start],
  ],
  [
    'durations in an object',
    { ...incoming, start: at('10:00:00'), status: 'answered', durations: { ring: 10, talk: 66, total: 76 } },
    ['Inbound', 'Completed', 66, start],
  ],
  [
    'in the call',
    { ...incoming, start: at('10:00:00'), status: 'answered', breakup: { ring: 10, in_call: 66, total: 76 } },
    ['Inbound', 'Completed', 66, start],
  ],
  [
    'billed in minutes',
    { ...outgoing, start_time: at('10:00:00'), status: 'completed', duration: 75, billed_duration: 120 },
    ['Outbound', 'Completed', 75, start],
  ],
  [
    'billed without the ringing',
    { ...outgoing, start_time: at('10:00:00'), status: 'completed', duration: 75, billsec: 60 },
    ['Outbound', 'Completed', 60, start],
  ],
  [
    'milliseconds without a unit',
    { ...outgoing, start_time: at('10:00:00'), status: 'completed', call_duration: 38_000 },
    ['Outbound', 'Completed', 38, start],
  ],
  ['a bare word', { ...outgoing, start: at('10:00:00'), talk: 'PT4M9S' }, ['Outbound', 'Completed', 249, start]],
  // Outcome.
  [
    'completed without talk time',
    { ...outgoing, start_time: at('10:00:00'), status: 'completed', duration: 34, talk_time: 0 },
    ['Outbound', 'No Answer', 0, start],
  ],
  [
    'no answer time',
    {
      ...outgoing,
      start_time: at('10:00:00'),
      status: 'completed',
      duration: 30,
      answer_time: '',
      end_time: at('10:00:30'),
    },
    ['Outbound', 'No Answer', 0, start],
  ],
  [
    'legs',
    {
      direction: 'outbound',
      start_time: at('10:00:00'),
      status: 'completed',
      agent: { number: '9811100001', status: 'answered', duration: 30 },
      customer: { number: '9876500002', status: 'busy', duration: 0 },
    },
    ['Outbound', 'Busy', 0, start],
  ],
  [
    'statuses of both',
    {
      call_type: 'c2c',
      start_time: at('10:00:00'),
      call_status: 'completed',
      agent_status: 'answered',
      customer_status: 'not answered',
      agent_number: '9811100001',
      customer_number: '9876500002',
    },
    ['Outbound', 'No Answer', 0, start],
  ],
  [
    'one of several agents answered',
    { ...incoming, started_at: at('10:00:00'), ended_at: at('10:01:30'), attempts: agents },
    ['Inbound', 'Completed', 45, start],
  ],
  [
    'the status of a response',
    { status: 'success', data: { ...outgoing, start_time: at('10:00:00'), end_time: at('10:00:30') } },
    ['Outbound', 'No Answer', 0, start],
  ],
  [
    'a flag',
    { ...outgoing, start_time: at('10:00:00'), end_time: at('10:00:30'), is_answered: 0 },
    ['Outbound', 'No Answer', 0, start],
  ],
  [
    'a boolean',
    { ...incoming, start_time: at('10:00:00'), talk: 40, answered: true },
    ['Inbound', 'Completed', 40, start],
  ],
  [
    'a machine',
    {
      ...outgoing,
      started_at: at('10:00:00'),
      status: 'completed',
      duration: 12,
      answering_machine_detection: 'machine',
    },
    ['Outbound', 'Voicemail', 0, start],
  ],
  [
    'a machine answered',
    { ...outgoing, started_at: at('10:00:00'), status: 'completed', duration: 12, AnsweredBy: 'machine_end_beep' },
    ['Outbound', 'Voicemail', 0, start],
  ],
  [
    'a machine, as a boolean',
    { ...outgoing, started_at: at('10:00:00'), status: 'completed', duration: 12, machine_detected: true },
    ['Outbound', 'Voicemail', 0, start],
  ],
  [
    'no machine',
    {
      ...outgoing,
      started_at: at('10:00:00'),
      status: 'completed',
      duration: 12,
      machine_detected: false,
      AnsweredBy: 'human',
    },
    ['Outbound', 'Completed', 12, start],
  ],
  [
    'a message that was dropped',
    { ...outgoing, started_at: at('10:00:00'), result: 'VOICEMAIL_DROPPED', message_sec: 21 },
    ['Outbound', 'Voicemail', 0, start],
  ],
  [
    'a voicemail in an object',
    {
      ...incoming,
      created_at: at('10:00:00'),
      status: 'completed',
      voicemail: { duration: 7, url: 'https://m.example/1.mp3' },
    },
    ['Inbound', 'Voicemail', 0, start],
  ],
  ['an event', { ...incoming, event: 'missed', start: at('10:00:00') }, ['Inbound', 'Missed', 0, start]],
  // Start.
  [
    'an activity',
    { activity: { ...outgoing, activity_start_time: at('10:00:00'), activity_duration: '95', outcome: 'Answered' } },
    ['Outbound', 'Completed', 95, start],
  ],
  [
    'an engagement',
    {
      engagement: { type: 'CALL', timestamp: 1_793_507_400_000 },
      metadata: { ...outgoing, durationMilliseconds: 64_000, status: 'COMPLETED' },
    },
    ['Outbound', 'Completed', 64, start],
  ],
  [
    'a field of a CRM',
    { ...outgoing, Call_Start__c: at('10:00:00'), CallDisposition: 'Left Voicemail', CallDurationInSeconds: 19 },
    ['Outbound', 'Voicemail', 0, start],
  ],
  [
    'an invitation',
    { ...outgoing, invite_time: at('10:00:00'), end_time: at('10:00:03'), sip_code: 486 },
    ['Outbound', 'Busy', 0, start],
  ],
  [
    'the earliest',
    {
      ...incoming,
      queued_at: at('10:00:00'),
      started_at: at('10:00:20'),
      answered_at: at('10:00:25'),
      ended_at: at('10:01:25'),
    },
    ['Inbound', 'Completed', 60, start],
  ],
  [
    'an earlier day',
    { ...incoming, contact_since: '2026-10-01 10:00:00', start: at('10:00:00'), talktime: 60 },
    ['Inbound', 'Completed', 60, start],
  ],
  [
    'an unknown name',
    { ...outgoing, outcome: 'Switched Off', tried_on: at('10:00:00') },
    ['Outbound', 'No Answer', 0, start],
  ],
  [
    'an id with the time',
    { ...outgoing, uniqueid: '1793507100.4401', start: at('10:00:00'), billsec: 5 },
    ['Outbound', 'Completed', 5, start],
  ],
  [
    'a date above the clock',
    { date: '01/11/2026', row: { ...incoming, time: '10:00:00', talk: '1:30' } },
    ['Inbound', 'Completed', 90, start],
  ],
  // Direction.
  [
    'a subject',
    { from: '+919876500001', to: '+918040001111', title: 'Missed call from Anil', created_time: at('10:00:00') },
    ['Inbound', 'Missed', 0, start],
  ],
  [
    'a subject of an outbound call',
    { from: '+918040001111', to: '+919876500002', Subject: 'Outgoing call to Anil', start_time: at('10:00:00') },
    ['Outbound', 'No Answer', 0, start],
  ],
  [
    'a column',
    { 'Client Mobile': '9876500002', 'In/Out': 'Out', Date: '01/11/2026', Time: '10:00 AM', Talked: '06:40' },
    ['Outbound', 'Completed', 400, start],
  ],
  [
    'the name of an event',
    {
      event: 'NOTIFY_OUT_END',
      call_start: at('10:00:00'),
      destination: '919876500002',
      caller_id: '911140001111',
      duration: '0',
    },
    ['Outbound', 'No Answer', 0, start],
  ],
  [
    'a label of a number',
    { number: '9876500002', type: 2, type_label: 'OUTGOING', date: '1793507400000', duration: '0' },
    ['Outbound', 'No Answer', 0, start],
  ],
]

for (const [name, payload, call] of calls) {
  test(`a call of its parts: ${name}`, () => assert.deepEqual(read(payload), call))
}
