import assert from 'node:assert/strict'
import { test } from 'node:test'
import { durationIn, recordingIn, timeIn } from './call-values.ts'
import { directionIn, outcomeIn, stateIn } from './call-words.ts'

const table = (name: string, read: (text: string) => unknown, rows: Record<string, string>) =>
  test(name, () => {
    for (const [word, texts] of Object.entries(rows))
      for (const text of texts.split('|')) assert.equal(read(text), word === 'none' ? undefined : word, text)
  })

table('words of a direction', directionIn, {
  Inbound: 'inbound|Incoming|IN|incoming_call|call.inbound|Missed Call|inboundCallEnded',
  Outbound: 'outbound|outgoing|OUT|outbound-dial|outbound-api|click-to-call|clicktocall|Dialed|OutboundCall',
  none: '1|2|0|call in progress|check out|video|internal|',
})

table('words of a state', stateIn, {
  ringing: 'ringing|initiated|queued|call.initiated|CALL_STARTED|call-created|dialing|incoming_call',
  answered: 'answered|in-progress|connected|bridged|call.answered|CALL_ANSWERED|inProgress',
  ended: 'completed|hangup|ended|terminated|busy|no-answer|Missed|call.ended|callEnded|CANCEL|call.recording.completed',
  none: 'scheduled|Interested|contact updated|',
})

table('words of an outcome', outcomeIn, {
  Completed: 'completed|answered|connected|ANSWER|ANSWERED|picked up|call.answered',
  Busy: 'busy|USER_BUSY|Line busy',
  'No Answer':
    'no-answer|NOANSWER|no_answer|NO ANSWER|CANCEL|cancelled|canceled|failed|rejected|not picked|CHANUNAVAIL|Not Answered',
  Voicemail: 'voicemail|Voicemail Left|call.voicemail',
  Missed: 'missed|abandoned|call-attempt|incomplete|client-hangup|missed_call',
  none: 'ringing|initiated|Interested|Call back on Monday|',
})

for (const [text, expected, utc] of [
  ['2026-11-18T09:11:00Z', '2026-11-18T09:11:00Z'],
  ['2026-11-18T09:11:00.123456Z', '2026-11-18T09:11:00Z'],
  ['2026-11-18T14:41:00+05:30', '2026-11-18T09:11:00Z'],
  ['2026-11-18T14:41:00+0530', '2026-11-18T09:11:00Z'],
  ['2026-11-18T14:41:00 05:30', '2026-11-18T09:11:00Z'],
  ['2026-11-18 14:41:00', '2026-11-18T09:11:00Z'],
  ['2026-11-18 14:41:00', '2026-11-18T14:41:00Z', true],
  ['2026-11-18 14:41:00 IST', '2026-11-18T09:11:00Z', true],
  ['18/11/2026 02:41 PM', '2026-11-18T09:11:00Z'],
  ['18-Nov-2026 14:41:00', '2026-11-18T09:11:00Z'],
  ['Wed, 18 Nov 2026 14:41:00', '2026-11-18T09:11:00Z'],
  ['Wed, 18 Nov 2026 09:11:00 +0000', '2026-11-18T09:11:00Z'],
  ['Wed, 18 Nov 2026 09:11:00 GMT', '2026-11-18T09:11:00Z'],
  ['1794993060', '2026-11-18T09:11:00Z'],
  ['1794993060.15', '2026-11-18T09:11:00Z'],
  ['1794993060123', '2026-11-18T09:11:00Z'],
  ['1794993060123456', '2026-11-18T09:11:00Z'],
  ['0000-00-00 00:00:00', undefined],
  ['1970-01-01 00:00:00', undefined],
  ['2026-02-30 10:00:00', undefined],
  ['2026-11-18 25:00:00', undefined],
  ['9810044321', undefined],
  ['0', undefined],
  ['', undefined],
  ['soon', undefined],
] as [string, string | undefined, boolean?][])
  test(`a time “${text}”${utc ? ' of a system in UTC' : ''}`, () => assert.equal(timeIn(text, utc), expected))

for (const [text, seconds, name] of [
  ['32', 32],
  ['32.6', 33],
  ['0', 0],
  ['1:23', 83],
  ['00:01:23', 83],
  ['1m 23s', 83],
  ['1 min 23 sec', 83],
  ['83 seconds', 83],
  ['PT1M23S', 83],
  ['83000', 83, 'duration_ms'],
  ['83000', 83, 'durationMs'],
  ['83000', 83, 'call.duration_in_milliseconds'],
  ['2', 120, 'duration_minutes'],
  ['1:23', 83, 'duration_minutes'],
  ['83', 83, 'talk_items'],
  ['-5', undefined],
  ['999999999', undefined],
  ['long', undefined],
  ['', undefined],
] as [string, number | undefined, string?][])
  test(`a duration “${text}” under ${name ?? 'any name'}`, () => assert.equal(durationIn(text, name), seconds))

test('a recording has a web URL', () => {
  assert.equal(recordingIn('https://example.com/a.mp3?x=1'), 'https://example.com/a.mp3?x=1')
  assert.equal(recordingIn('https://example.com/a.mp3, https://example.com/b.mp3'), 'https://example.com/a.mp3')
  for (const text of [
    '',
    'a.mp3',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://',
    `https://e.com/${'a'.repeat(2000)}`,
  ])
    assert.equal(recordingIn(text), undefined, text)
})
