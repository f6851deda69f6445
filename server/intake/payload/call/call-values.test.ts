import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callOf, joinEvents } from '../../../telephony/calls/join-events.ts'
import { readPayloadSync } from '../reading.ts'

/** Reads an event of an unknown telephone system that has these values. */
function eventWith(values: object) {
  const payload = { call_id: 'c-1', customer_number: '9811150001', ...values }
  const body = Buffer.from(JSON.stringify(payload))
  const read = readPayloadSync({ body, content_type: 'application/json', mapping: [], country: 'IN' })
  assert.ok('reading' in read && read.call)
  return { ...read, call: read.call }
}

const answered = { direction: 'inbound', status: 'answered' }

/** Null: it is no time. */
const times: [values: object, started_at: string | null][] = [
  [{ StartTimeUtc: '2026-11-02 06:30:15' }, '2026-11-02T06:30:15Z'],
  [{ utc_call_start: '2026-11-02T21:05:00' }, '2026-11-02T21:05:00Z'],
  [{ call_start_gmt: '02-Nov-2026 06:30:16' }, '2026-11-02T06:30:16Z'],
  [{ callStartedAtUTC: '2026/11/02 18:45:09' }, '2026-11-02T18:45:09Z'],
  [{ CallStartTime: '13/11/2026 18:05:09' }, '2026-11-13T12:35:09Z'],
  [{ call_date: '11/25/2026 09:10:00' }, '2026-11-25T03:40:00Z'],
  [{ start: '05/11/2026 10:00:00' }, '2026-11-05T04:30:00Z'],
  [{ starttime: '20261114153045' }, '2026-11-14T10:00:45Z'],
  [{ start_epoch: 1794652200 }, '2026-11-14T10:30:00Z'],
  [{ started_at: 1794652260000 }, '2026-11-14T10:31:00Z'],
  [{ 'Caller-Channel-Created-Time': '1794652320000000' }, '2026-11-14T10:32:00Z'],
  [{ start_ns: '1794652380000000000' }, '2026-11-14T10:33:00Z'],
  [{ start_time: '1794652440.250' }, '2026-11-14T10:34:00Z'],
  [{ date: '2026-11-16', time: '09:05:30 PM' }, '2026-11-16T15:35:30Z'],
  [{ call_date: '17-11-2026', call_time: '18:20' }, '2026-11-17T12:50:00Z'],
  [{ StartDate: '18 Nov 2026', StartTime: '7:15 am' }, '2026-11-18T01:45:00Z'],
  [{ start_time: 'Nov 19, 2026 4:45:10 PM' }, '2026-11-19T11:15:10Z'],
  [{ startTime: '2026-11-20T10:00:00+04:00' }, '2026-11-20T06:00:00Z'],
  [{ start_time: '2026-11-20T23:59:59-05:00' }, '2026-11-21T04:59:59Z'],
  [{ start_time: '2026-11-20 09:30:00 +0530' }, '2026-11-20T04:00:00Z'],
  [{ cdr_start_time: '2026-11-22 00:10:00' }, '2026-11-21T18:40:00Z'],
  [{ start_time: '2026-11-23 14:00:00 IST' }, '2026-11-23T08:30:00Z'],
  [{ start_time: '2026-11-23 14:00:00 UTC' }, '2026-11-23T14:00:00Z'],
  [{ calldate: '2026/11/24 08:08:08' }, '2026-11-24T02:38:08Z'],
  [{ start_stamp: '2026-11-25T10:10:10.512Z' }, '2026-11-25T10:10:10Z'],
  [{ call_start: '26.11.2026 10:20:30' }, '2026-11-26T04:50:30Z'],
  [{ start_time: '27/11/2026 12:30:00 AM' }, '2026-11-26T19:00:00Z'],
  [{ CallTime: '28-November-2026 12:05 PM' }, '2026-11-28T06:35:00Z'],
  [{ start_time: '0000-00-00 00:00:00' }, null],
  [{ start_time: '31/02/2026 10:00:00' }, null],
  [{ start_time: '2026-13-32 10:00:00' }, null],
  [{ StartTime: 'N/A' }, null],
  [{ start_time: 'yesterday evening' }, null],
  [{ start_time: 'Wed Nov 18 14:41:00 IST 2026' }, '2026-11-18T09:11:00Z'],
  [{ start_time: '/Date(1794993060123)/' }, '2026-11-18T09:11:00Z'],
  [{ start_time: '20261118T091100Z' }, '2026-11-18T09:11:00Z'],
  [{ CallDate: '2026-11-18T00:00:00', CallTime: '14:41:00' }, '2026-11-18T09:11:00Z'],
]
for (const [values, started_at] of times)
  test(`the start of ${JSON.stringify(values)}`, () =>
    assert.equal(eventWith({ ...answered, duration: 30, ...values }).call.started_at, started_at))

test('a date with clocks of start and end is the date of both', () => {
  const { call } = eventWith({ ...answered, date: '18-11-2026', start_time: '14:41', end_time: '14:43:10' })
  assert.deepEqual([call.started_at, call.ended_at], ['2026-11-18T09:11:00Z', '2026-11-18T09:13:10Z'])
})

for (const [values, count] of [
  [{ start_time: '31/02/2026 10:00:00' }, 1],
  [{ start_time: 'yesterday evening' }, 1],
  [{ start_time: '2026-13-32 10:00' }, 1],
  [{ call_start: '10:00' }, 1],
  [{ end_time: 'soon' }, 1],
  [{ start_time: '2026-11-18 14:41:00', end_time: 'soon' }, 1],
  [{ start_time: '2026-11-18 14:41:00', answer_time: '0000-00-00 00:00:00' }, 0],
  [{ start_time: '', answered_time: '45' }, 0],
  [{ start_time: 'N/A', connected_to: '9811100001' }, 0],
  [{ answer_time: '1970-01-01 05:30:00', end_time: 0 }, 0],
] as const)
  test(`${JSON.stringify(values)} has ${count} times that cannot be read`, () => {
    const { warnings } = eventWith({ ...answered, duration: 30, ...values }).reading
    assert.equal(warnings.filter(({ field }) => field === 'call_start').length, count)
  })

const durations: [values: object, talk_seconds: number | null][] = [
  [{ talk_time: '2.5 min' }, 150],
  [{ CallDuration: '00:02:07' }, 127],
  [{ duration: '2:07' }, 127],
  [{ talktime: '2m 7s' }, 127],
  [{ duration_ms: 127000 }, 127],
  [{ talkTimeMs: '127000' }, 127],
  [{ billsec: '127 sec' }, 127],
  [{ TalkDuration: '0h 2m 7s' }, 127],
  [{ talk_duration: 'PT2M7S' }, 127],
  [{ billsec: '127.0' }, 127],
  [{ call_duration: '02:07 mins' }, 127],
  [{ Duration: '1:02:07' }, 3727],
  [{ duration: '1 hr 2 min' }, 3720],
  [{ duration: 'PT1H2M7S' }, 3727],
  [{ durationMillis: 5000 }, 5],
  [{ duration_in_minutes: 3 }, 180],
  [{ duration_min: '1.25' }, 75],
  [{ conversation_duration: '90 seconds' }, 90],
  [{ talk_time: '3 minutes 5 seconds' }, 185],
  [{ call_length: '45s' }, 45],
  [{ TalkTime: '00:00:00' }, 0],
  [{ billsec: '0' }, 0],
  [{ talk_time: '1 minute' }, 60],
  [{ variable_billusec: '61000000' }, 61],
  [{ talk_secs: 61 }, 61],
  [{ conversationMilliseconds: '61000' }, 61],
  [{ talk_time: '10:00' }, 600],
  [{ talk_time: '1.5 min' }, 90],
  [{ conversationDuration: 58_000, startTime: 1_795_777_800_000, endTime: 1_795_777_865_000 }, 58],
  [{ talk_time: 300_000, start: '2026-11-18 14:41:00', end: '2026-11-18 14:46:10' }, 300],
  [{ billsec: 1500, start: '2026-11-18 14:41:00', end: '2026-11-18 15:10:00' }, 1500],
  [{ duration: '64000', started_at: '2026-11-18T09:11:00Z', ended_at: '2026-11-18T09:12:05Z' }, 64],
]
for (const [values, talk_seconds] of durations)
  test(`the talk time of ${JSON.stringify(values)}`, () =>
    assert.equal(eventWith({ ...answered, ...values }).call.talk_seconds, talk_seconds))

/** Outcomes as they are logged. */
const outcomes: [values: object, outcome: string][] = [
  [{ direction: 'outbound', hangup_cause: 'User busy', cause_code: 17, billsec: 0 }, 'Busy'],
  [{ direction: 'outbound', Cause: '18', 'Cause-txt': 'No user responding', billsec: '0' }, 'No Answer'],
  [{ direction: 'outbound', hangup_cause: 'NO_USER_RESPONSE', duration: 28, billsec: 0 }, 'No Answer'],
  [{ direction: 'outbound', Cause: '19', 'Cause-txt': 'User alerting, no answer', billsec: 0 }, 'No Answer'],
  [{ direction: 'inbound', hangup_cause: 'NORMAL_CLEARING', answer_stamp: '', billsec: '0' }, 'Missed'],
  [{ direction: 'outbound', hangup_cause: 'NORMAL_CLEARING', answer_time: null, billsec: 0 }, 'No Answer'],
  [{ direction: 'inbound', has_voicemail: true, talk_time: 0 }, 'Voicemail'],
  [{ call_type: 'incoming', status: 'missed', voicemail_url: 'https://vm.example/0042.mp3' }, 'Voicemail'],
  [
    { direction: 'inbound', voicemail_file: '/var/spool/asterisk/voicemail/default/201/INBOX/msg0003.wav', billsec: 0 },
    'Voicemail',
  ],
  [{ direction: 'inbound', status: 'missed', voicemail: false, voicemail_url: null, talk_time: 0 }, 'Missed'],
  [
    {
      direction: 'inbound',
      voicemail_file: null,
      recording_url: 'https://rec.example/84.mp3',
      status: 'ended',
      talk_time: 84,
    },
    'Completed',
  ],
  [{ direction: 'outbound', disposition: 'Customer did not pick up', talk_time: 0 }, 'No Answer'],
  [{ direction: 'outbound', disposition: 'Line was engaged', talk_time: 0 }, 'Busy'],
  [{ direction: 'incoming', status: 'Call uthaya nahi gaya' }, 'Missed'],
  [{ direction: 'outgoing', call_status: 'Number busy aa raha tha' }, 'Busy'],
  [{ direction: 'outgoing', call_status: 'फ़ोन व्यस्त था' }, 'Busy'],
  [{ direction: 'outgoing', call_status: 'फ़ोन नहीं उठाया' }, 'No Answer'],
  [{ direction: 'outgoing', call_status: 'Baat ho gayi', duration: 95 }, 'Completed'],
  [{ direction: 'inbound', status: 'abandoned', queue_time: 33, talk_time: 0 }, 'Missed'],
  [{ direction: 'inbound', hangup_cause: 'ORIGINATOR_CANCEL', billsec: 0 }, 'Missed'],
  [{ direction: 'outbound', status: 'switched off', talk_time: 0 }, 'No Answer'],
  [{ direction: 'outbound', sip_hangup_cause: '486', hangup_cause: 'user_busy' }, 'Busy'],
  [{ direction: 'inbound', status: 'answered', hangup_reason: 'caller_hangup', talk_time: 41 }, 'Completed'],
  [
    { direction: 'inbound', answered_by: '+919740090030', talk_time_ms: 61000, end_reason: 'network_failed' },
    'Completed',
  ],
  [{ direction: 'outbound', status: 'failed', hangup_cause: 'USER_BUSY', duration: 0 }, 'Busy'],
  [{ direction: 'inbound', status: 'caller_hangup', talk_time: 42 }, 'Completed'],
  [{ direction: 'inbound', status: 'dropped', answer_time: '2026-11-18 14:41:00' }, 'Completed'],
  [{ direction: 'outbound', status: 'failed', billsec: 12 }, 'Completed'],
  [{ direction: 'inbound', status: 'completed', hangup_reason: 'client-hangup', duration: 42 }, 'Completed'],
  [{ direction: 'inbound', status: 'caller_hangup', duration: 20 }, 'Missed'],
  [{ direction: 'outbound', status: 'cancel', answer_time: '2026-11-18 14:41:00', talk_time: 0 }, 'No Answer'],
  [{ direction: 'inbound', status: 'no-answer', recording_url: 'https://pbx.example/voicemail/1.wav' }, 'Voicemail'],
]
for (const [values, outcome] of outcomes)
  test(`${JSON.stringify(values)} is ${outcome}`, () =>
    assert.equal(callOf(joinEvents({}, eventWith(values).call), '2026-11-18T09:30:00Z').outcome, outcome))

test('words that say only who or what ended a call are weak without a conversation', () => {
  const isWeak = (values: object) => eventWith({ direction: 'inbound', ...values }).call.is_weak
  for (const status of [
    'caller_hangup',
    'client-hangup',
    'dropped',
    'failed',
    'cancel',
    'call_failed',
    'ORIGINATOR_CANCEL',
  ]) {
    assert.equal(isWeak({ status }), true, status)
    assert.equal(isWeak({ status, talk_time: 42 }), undefined, status)
  }
  for (const status of ['no-answer', 'missed', 'busy', 'rejected', 'answered', 'completed', 'abandoned'])
    assert.equal(isWeak({ status }), undefined, status)
})

test('a call that is transferred or forwarded has no outcome by that, and goes on', () => {
  for (const status of ['transferred', 'call_forwarded', 'Transfer']) {
    const { state, outcome } = eventWith({ direction: 'inbound', status }).call
    assert.deepEqual([state, outcome], ['ringing', null], status)
  }
  assert.equal(eventWith({ ...answered, status: 'transferred', talk_time: 42 }).call.state, 'ended')
})

test('the path of a recording without its server is in the notes of the call', () => {
  const recording = (value: string) => {
    const { recording_url, notes } = eventWith({ ...answered, talk_time: 5, recording: value }).call
    return recording_url ?? notes
  }
  assert.equal(recording('https://pbx.example/my calls/a 1.mp3'), 'https://pbx.example/my%20calls/a%201.mp3')
  for (const path of ['/rec/2026/11/a.mp3', 'out-201-0098.wav', 'rec 11/a.mp3', '/monitor/7f20aa'])
    assert.equal(recording(path), `Recording: ${path}`)
  for (const none of ['true', 'N/A', '0', 'off', 'yes/no']) assert.equal(recording(none), null, none)
})
