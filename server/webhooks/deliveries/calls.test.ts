import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people } from '#test/people.ts'
import { assertCountsHold, timelineOf } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { cleanUp } from '../../cleanup.ts'

const app = await testApp()
after(app.close)
const { acme } = await people(app)
const { owner } = app

let made = 0
/** The events of an inbound call, as Twilio sends them. */
function inboundCall() {
  const n = ++made
  const call = { CallSid: `CA${String(n).padStart(32, '0')}`, AccountSid: `AC${'1'.repeat(32)}` }
  const phone = `+9198${70_000_000 + n}`
  const numbers = { ...call, From: phone, To: '+918047110044', Direction: 'inbound', ApiVersion: '2010-04-01' }
  const event = (CallStatus: string, second: number, more = {}) => ({
    ...numbers,
    CallStatus,
    Timestamp: `Wed, 18 Nov 2026 09:00:${String(second).padStart(2, '0')} +0000`,
    SequenceNumber: `${second}`,
    ...more,
  })
  return {
    ...call,
    phone,
    ringing: event('ringing', 0),
    answered: event('in-progress', 5),
    completed: event('completed', 47, { CallDuration: '42' }),
    missed: event('no-answer', 30, { CallDuration: '0' }),
    recording: {
      ...call,
      RecordingSid: `RE${String(n).padStart(32, '0')}`,
      RecordingUrl: `https://api.example.com/recordings/${n}`,
      RecordingStatus: 'completed',
      RecordingDuration: '42',
    },
  }
}

const logsOf = (leadId: string) =>
  owner`select call_type, outcome, duration_seconds, recording_url, called_by, agent from call_logs where lead_id = ${leadId}`
const leadOf = async (phone: string) =>
  (await owner`select id, name, assigned_to from leads where phone_key = ${phone}`)[0]!
const kindsOf = async (leadId: string) => (await timelineOf(owner, leadId)).map(({ kind }) => kind)

test('the events of a call are one call log, in any order and repeated', async () => {
  const twilio = await webhookOf(app, acme)
  for (const order of [
    ['ringing', 'answered', 'completed', 'recording'],
    ['recording', 'completed', 'completed', 'ringing', 'answered', 'recording'],
    ['completed', 'recording', 'ringing'],
  ] as const) {
    const call = inboundCall()
    for (const name of order) {
      const { status } = await twilio.send(call[name])
      assert.equal(status, 200)
    }
    const lead = await leadOf(call.phone)
    assert.match(lead.name, /^Caller \+91 /)
    const logs = await logsOf(lead.id)
    assert.deepEqual(
      logs.map(({ call_type, outcome, duration_seconds, recording_url }) => [
        call_type,
        outcome,
        duration_seconds,
        recording_url,
      ]),
      [['Inbound', 'Completed', 42, call.recording.RecordingUrl]],
      order.join(),
    )
    assert.deepEqual(await kindsOf(lead.id), ['created', 'call_logged'])
  }
  await assertCountsHold(owner)
})

test('simultaneous events of a call are one call log', async () => {
  const twilio = await webhookOf(app, acme)
  const call = inboundCall()
  const { ringing, answered, completed, recording } = call
  const events = [ringing, answered, completed, recording, completed, ringing]
  const answers = await Promise.all(events.map((event) => twilio.send(event)))
  assert.ok(answers.every(({ status }) => status === 200))
  const lead = await leadOf(call.phone)
  const logs = await logsOf(lead.id)
  assert.equal(logs.length, 1)
  assert.equal(logs[0]!.duration_seconds, 42)
  assert.equal(logs[0]!.recording_url, recording.RecordingUrl)
})

test('a call that rings has no call log, and one of which no end is reported gets it after two hours', async () => {
  const twilio = await webhookOf(app, acme)
  const [rung, spoken] = [inboundCall(), inboundCall()]
  await twilio.send(rung.ringing)
  await twilio.send(spoken.answered)
  const leads = [await leadOf(rung.phone), await leadOf(spoken.phone)]
  for (const { id } of leads) assert.equal((await logsOf(id)).length, 0)
  const sink = {
    removed: () => {},
    failed: (error: unknown) => assert.fail(error as Error),
    progress: () => {},
    signal: new AbortController().signal,
  }
  await cleanUp(app.database, 30, new Date(Date.now() + 2.1 * 3_600_000), sink)
  const outcomes = await Promise.all(leads.map(async ({ id }) => (await logsOf(id)).map(({ outcome }) => outcome)))
  assert.deepEqual(outcomes, [['Missed'], ['Completed']])
})
