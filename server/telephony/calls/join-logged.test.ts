import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { assertCountsHold, timelineOf } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { type EndedReport, isSameCall } from './join-logged.ts'

const start = '2026-11-18T09:00:00Z'
const at = (seconds: number) => new Date(Date.parse(start) + seconds * 1000)

const spoken = {
  call_type: 'Outbound',
  outcome: 'Completed',
  duration_seconds: 300,
  notes: null,
  called_at: start,
} as const
const unanswered = { ...spoken, outcome: 'No Answer', duration_seconds: 0, ended_at: at(30).toISOString() } as const
const logged = { call_type: 'Outbound', outcome: 'Completed', duration_seconds: 280 } as const

const pairs: [string, object, EndedReport, number, boolean][] = [
  ['at its start', {}, spoken, 0, true],
  ['two minutes before', {}, spoken, -120, true],
  ['more than two minutes before', {}, spoken, -121, false],
  ['two minutes after its end', {}, spoken, 420, true],
  ['more than two minutes after its end', {}, spoken, 421, false],
  ['two minutes after it rang', { outcome: 'No Answer', duration_seconds: 0 }, unanswered, 150, true],
  ['long after it rang', { outcome: 'No Answer', duration_seconds: 0 }, unanswered, 151, false],
  ['a conversation, of the other direction', { call_type: 'Inbound' }, spoken, 0, true],
  ['no conversation, of the other direction', { call_type: 'Inbound', duration_seconds: 0 }, spoken, 0, false],
  ['a conversation for a call without an answer', {}, unanswered, 0, false],
  ['a call back after a missed call', {}, { ...unanswered, call_type: 'Inbound', outcome: 'Missed' }, 60, false],
  ['a voicemail for a conversation', { outcome: 'Voicemail', duration_seconds: 0 }, spoken, 0, true],
  ['no answer for a conversation', { outcome: 'No Answer', duration_seconds: 0 }, spoken, 0, true],
  ['without a duration', { duration_seconds: 0 }, spoken, 0, true],
]

for (const [name, more, reported, seconds, expected] of pairs)
  test(`a call that a user logs ${name} is ${expected ? 'the reported one' : 'another'}`, () =>
    assert.equal(isSameCall({ ...logged, ...more, called_at: at(seconds) }, reported), expected))

const app = await testApp()
after(app.close)
const { acme, asha, bela } = await people(app)
const web = await signedIn(app, bela)
const { owner } = app
const system = await webhookOf(app, acme, { name: 'Telephones' })

let made = 0
async function lead() {
  const phone = `+9198${72_000_000 + ++made}`
  const { id } = (await asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone, assigned_to: bela.email })).body.data
  const event = (more = {}) => ({
    call_id: `j${made}`,
    direction: 'outbound',
    customer_number: phone,
    agent_number: '+919663299001',
    status: 'answered',
    start_time: start,
    talk_time: 84,
    recording_url: `https://rec.example/${made}.mp3`,
    ...more,
  })
  return { id, event }
}
const given = { call_type: 'Outbound', duration_seconds: 90, notes: 'Send price', called_at: at(20).toISOString() }
const byRest = (id: string, more = {}) => asha.send('POST', '/api/v1/call-logs', { lead_id: id, ...given, ...more })
const byHand = (id: string, more = {}) => web.send('POST', `/web/leads/${id}/calls`, { ...given, ...more })
const logsOf = (id: string) =>
  owner`select id, call_type, outcome, duration_seconds, notes, called_at, called_by, agent, recording_url from call_logs
    where lead_id = ${id} order by called_at, created_at, id`

for (const [way, log] of [
  ['by hand', byHand],
  ['over the API', byRest],
] as const)
  for (const isReportedFirst of [true, false])
    test(`a call logged ${way} and reported ${isReportedFirst ? 'before' : 'after'} is one call log with the facts of both`, async () => {
      const { id, event } = await lead()
      const report = () => system.send(event({ remarks: 'Interested' }))
      if (isReportedFirst) await report()
      const first = isReportedFirst ? (await logsOf(id))[0]!.id : null
      const { status, body } = await log(id)
      if (!isReportedFirst) await report()
      const [call, ...others] = await logsOf(id)
      assert.deepEqual(
        { ...call, called_at: call!.called_at.toISOString() },
        {
          id: first ?? body.data.id,
          call_type: 'Outbound',
          outcome: 'Completed',
          duration_seconds: 84,
          notes: 'Send price\nInterested',
          called_at: '2026-11-18T09:00:00.000Z',
          called_by: bela.id,
          agent: '+919663299001',
          recording_url: event().recording_url,
        },
      )
      assert.equal(others.length, 0)
      assert.deepEqual([status, body.data.id, body.data.lead_id], [201, call!.id, id])
      if (isReportedFirst)
        assert.match((await timelineOf(owner, id)).at(-1)!.summary, way === 'by hand' ? /^Bela.*notes/ : /key.*notes/)
      // A repeated event, and a later one, change nothing else.
      await report()
      await system.send(event({ status: 'recording ready', recording_url: 'https://rec.example/later.mp3' }))
      assert.equal((await logsOf(id)).length, 1)
      await assertCountsHold(owner)
    })

test('a reported call takes one log of a user, and the other way round', async () => {
  for (const order of ['hhr', 'hrh', 'rhh', 'hrr', 'rrh'])
    await test(order, async () => {
      const { id, event } = await lead()
      let reported = 0
      for (const step of order)
        if (step === 'h') await byRest(id)
        else await system.send(event({ call_id: `${order}${reported}`, start_time: at(60 * reported++).toISOString() }))
      assert.equal((await logsOf(id)).length, 2)
    })
})

test('what is no call of the same time is another', async () => {
  const { id, event } = await lead()
  await system.send(event())
  await byRest(id, { called_at: at(84 + 121).toISOString() })
  await byRest(id, { called_at: at(-121).toISOString() })
  assert.equal((await logsOf(id)).length, 3)
})

test('logged and reported at the same moment is one call log', async () => {
  for (let n = 0; n < 8; n++) {
    const { id, event } = await lead()
    const answers = await Promise.all(
      n % 2 === 0 ? [byRest(id), system.send(event())] : [system.send(event()), byHand(id)],
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 201])
    const logs = await logsOf(id)
    assert.deepEqual(
      logs.map(({ duration_seconds, notes }) => [duration_seconds, notes]),
      [[84, 'Send price']],
    )
  }
  await assertCountsHold(owner)
})

test('a repeated Idempotency-Key answers as before, and logs nothing', async () => {
  const { id, event } = await lead()
  await system.send(event())
  const post = () =>
    asha.send('POST', '/api/v1/call-logs', { lead_id: id, ...given }, { 'idempotency-key': `key-${id}` })
  const [first, again] = [await post(), await post()]
  assert.deepEqual([first.status, again.status, again.body], [201, 201, first.body])
  assert.equal((await logsOf(id)).length, 1)
})

test('a user takes back what they just logged, and the call stays as reported', async () => {
  for (const isReportedFirst of [true, false]) {
    const { id, event } = await lead()
    if (isReportedFirst) await system.send(event())
    const { data } = (await byHand(id, { outcome: 'Voicemail' })).body
    if (!isReportedFirst) await system.send(event())
    assert.equal((await logsOf(id))[0]!.outcome, 'Voicemail')
    const { status, body } = await web.send('DELETE', `/web/calls/${data.id}`)
    assert.deepEqual([status, body.data], [200, { id: data.id, deleted: true }])
    const [call, ...others] = await logsOf(id)
    assert.deepEqual(
      [call!.outcome, call!.duration_seconds, call!.notes, call!.called_by, call!.agent],
      ['Completed', 84, null, null, '+919663299001'],
    )
    assert.equal(others.length, 0)
    // What the system reported is not theirs to take back.
    assert.equal((await web.send('DELETE', `/web/calls/${data.id}`)).status, 403)
    // They may log it again.
    await byHand(id)
    assert.deepEqual(
      (await logsOf(id)).map(({ notes }) => notes),
      ['Send price'],
    )
  }
  await assertCountsHold(owner)
})

test('a deleted call log that was joined is not written again', async () => {
  const { id, event } = await lead()
  const { data } = (await byRest(id)).body
  await system.send(event())
  assert.equal((await asha.send('DELETE', `/api/v1/call-logs/${data.id}`)).status, 200)
  await system.send(event())
  assert.equal((await logsOf(id)).length, 0)
  assert.deepEqual([...(await owner`select facts from phone_calls where lead_id = ${id}`)], [{ facts: {} }])
})

test('what a user corrected after both stays', async () => {
  const { id, event } = await lead()
  await system.send(event({ recording_url: undefined }))
  const { data } = (await byHand(id)).body
  await web.send('PATCH', `/web/calls/${data.id}`, { notes: 'Wants two' })
  await system.send(event({ remarks: 'Interested' }))
  const [call] = await logsOf(id)
  assert.deepEqual([call!.notes, call!.recording_url], ['Wants two', event().recording_url])
})

test('an unknown lead has no call log', async () => {
  const { status, body } = await byRest('00000000-0000-4000-8000-000000000000')
  assert.deepEqual([status, body.error.field], [404, 'lead_id'])
})
