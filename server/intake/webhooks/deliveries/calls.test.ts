import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { phoneCalls } from '#test/phone-calls.ts'
import { assertCountsHold, timelineOf } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { cleanUp } from '../../../cleanup.ts'

const app = await testApp()
after(app.close)
const { acme, asha, bela, chand } = await people(app)
const web = await signedIn(app, asha)
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

const newPhone = () => `+9198${70_000_000 + ++made}`

/** A call that was answered, as Exotel's pass-through sends it. */
const exotelCall = (phone: string, more = {}) => ({
  CallSid: `ex${++made}`,
  CallFrom: phone,
  CallTo: '08047110044',
  Direction: 'incoming',
  DialCallDuration: '32',
  StartTime: '2026-11-18 14:41:00',
  CallType: 'completed',
  DialWhomNumber: '',
  From: phone,
  To: '08047110044',
  CurrentTime: '2026-11-18 14:41:40',
  DialCallStatus: 'completed',
  ...more,
})

const logsOf = (leadId: string) =>
  owner`select call_type, outcome, duration_seconds, recording_url, called_by, agent from call_logs
    where lead_id = ${leadId} order by called_at, created_at, agent nulls first`
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

test('a call keeps who answered when its lead changes hands; an unknown agent is listed', async () => {
  const webhook = await webhookOf(app, acme)
  const phone = newPhone()
  await app.owner`insert into phone_lines (account_id, line, written, user_id, added_at)
    values (${acme.account_id}, '+919663200011', '96632 00011', ${bela.id}, now())`
  const answered = exotelCall(phone, { DialWhomNumber: '09663200011' })
  const unknown = exotelCall(phone, { DialWhomNumber: '09663200022' })
  for (const call of [answered, unknown]) await webhook.send(call)
  const lead = await leadOf(phone)
  const logs = async () => (await logsOf(lead.id)).map(({ called_by, agent }) => [called_by, agent])
  const expected = [
    [bela.id, null],
    [null, '09663200022'],
  ]
  assert.deepEqual(await logs(), expected)
  await asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone, assigned_to: chand.email })
  assert.equal((await leadOf(phone)).assigned_to, chand.id)
  assert.deepEqual(await logs(), expected)
  const [line] = await owner`select user_id, written from phone_lines where line = '+919663200022'`
  assert.deepEqual(line, { user_id: null, written: '09663200022' })
})

test('a call whose number is a user’s makes no lead', async () => {
  const webhook = await webhookOf(app, acme)
  const phone = newPhone()
  await owner`insert into phone_lines (account_id, line, written, user_id, added_at)
    values (${acme.account_id}, ${phone}, ${phone}, ${bela.id}, now())`
  const { status, body } = await webhook.send(exotelCall(phone))
  assert.deepEqual([status, body.data], [200, { id: null, status: 'ignored' }])
  assert.equal(await leadOf(phone), undefined)
  const [delivery] = await owner`select attention, error from deliveries where webhook_id = ${webhook.id}`
  assert.equal(delivery!.attention, true)
  assert.match(delivery!.error, /is a user’s phone line/)
})

test('a line that is a customer’s number keeps no call of that customer away', async () => {
  const webhook = await webhookOf(app, acme)
  const [first, second] = [newPhone(), newPhone()]
  const { id } = (await asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone: first })).body.data
  await owner`insert into lead_contacts (account_id, lead_id, kind, value, key, added_at)
    values (${acme.account_id}, ${id}, 'phone', ${second}, ${second}, now())`
  for (const phone of [first, second]) {
    await owner`insert into phone_lines (account_id, line, written, user_id, added_at)
      values (${acme.account_id}, ${phone}, ${phone}, ${bela.id}, now())`
    const { status, body } = await webhook.send(exotelCall(phone))
    assert.deepEqual([status, body.data.id], [200, id])
  }
  assert.equal((await logsOf(id)).length, 2)
})

test('what a line changed is listed, and taken back with it', async () => {
  const webhook = await webhookOf(app, acme)
  const agent = '09663200077'
  const line = '+919663200077'
  await web.send('PATCH', '/web/account', { answering_user_owns: true })
  const phones = Array.from({ length: 5 }, newPhone) as [string, string, string, string, string]
  const [before, credited, owned, byOther, uncredited] = phones
  for (const phone of [before, credited, byOther])
    await asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone, assigned_to: chand.email })
  const answered = (phone: string, by = agent, more = {}) =>
    webhook.send(exotelCall(phone, { DialWhomNumber: by, ...more }))
  await answered(before)
  await web.send('POST', '/web/phone-lines', { line: '772', user_id: bela.id })
  assert.equal((await web.send('POST', '/web/phone-lines', { line: agent, user_id: bela.id })).body.data.calls, 1)
  await answered(credited)
  await answered(owned)
  await answered(byOther, '772')
  await answered(uncredited, '09663200088')
  const calledBy = async () =>
    Promise.all(
      phones.map(async (phone) => (await logsOf((await leadOf(phone)).id)).map((log) => [log.called_by, log.agent])),
    )
  const counted = [[bela.id, null]]
  assert.deepEqual(await calledBy(), [[[bela.id, agent]], counted, counted, counted, [[null, '09663200088']]])
  assert.equal((await leadOf(owned)).assigned_to, bela.id)

  // Another one is under way.
  const speaking = newPhone()
  await answered(speaking, '772')
  const { id: speakingId } = await leadOf(speaking)
  await phoneCalls(owner, acme, webhook).add({
    lead_id: speakingId,
    assigned_to: bela.id,
    user_ids: [bela.id],
    state: 'answered',
    facts: { agents: { rank: 1, value: [agent] } },
  })
  assert.equal((await leadOf(speaking)).assigned_to, bela.id)

  const credits = (await web.send('GET', `/web/phone-lines/credits?line=${encodeURIComponent(line)}`)).body.data
  const leadIds = await Promise.all([before, credited, owned].map(async (phone) => (await leadOf(phone)).id))
  assert.deepEqual([credits.calls, credits.leads], [3, 2])
  assert.deepEqual(credits.newest.map(({ lead_id }: { lead_id: string }) => lead_id).sort(), leadIds.sort())

  const query = new URLSearchParams({ line, user_id: bela.id, take_back: 'true' })
  const removed = await web.send('DELETE', `/web/phone-lines?${query}`)
  assert.deepEqual([removed.status, removed.body.data], [200, { line, calls: 3, leads: 2 }])
  const free = [[null, agent]]
  assert.deepEqual(await calledBy(), [free, free, free, counted, [[null, '09663200088']]])
  for (const phone of [owned, speaking]) assert.equal((await leadOf(phone)).assigned_to, null)
  assert.equal((await leadOf(credited)).assigned_to, chand.id)
  assert.match((await timelineOf(owner, (await leadOf(owned)).id)).at(-1)!.summary, /Asha/)
  const rung =
    await owner`select 1 from phone_calls where facts->'agents'->'value' ? ${agent} and ${bela.id} = any (user_ids)`
  assert.equal(rung.count, 0)
  const { unknown } = (await web.send('GET', '/web/phone-lines')).body.data
  assert.deepEqual(
    unknown.filter((one: { line: string }) => one.line === line).map(({ calls }: { calls: number }) => calls > 0),
    [true],
  )
  await assertCountsHold(owner)
  // Connected to its real user, they count for that one; removing it without the choice leaves them.
  await web.send('POST', '/web/phone-lines', { line: agent, user_id: chand.id })
  assert.equal((await web.send('DELETE', `/web/phone-lines?line=${encodeURIComponent(line)}`)).status, 200)
  assert.deepEqual((await calledBy()).slice(0, 3), Array(3).fill([[chand.id, agent]]))
  await web.send('PATCH', '/web/account', { answering_user_owns: false })
})

test('a deleted call log is not written again, and what a user corrected stays', async () => {
  const twilio = await webhookOf(app, acme)
  const [deleted, corrected] = [inboundCall(), inboundCall()]
  for (const call of [deleted, corrected]) await twilio.send(call.completed)
  const [lead, other] = [await leadOf(deleted.phone), await leadOf(corrected.phone)]
  const idOf = async (leadId: string) => (await owner`select id from call_logs where lead_id = ${leadId}`)[0]!.id
  await asha.send('DELETE', `/api/v1/call-logs/${await idOf(lead.id)}`)
  await web.send('PATCH', `/web/calls/${await idOf(other.id)}`, { outcome: 'Voicemail', duration_seconds: 0 })
  for (const { answered, recording } of [deleted, corrected])
    for (const event of [answered, recording]) assert.equal((await twilio.send(event)).status, 200)
  assert.deepEqual([...(await logsOf(lead.id))], [])
  const [phoneCall] = await owner`select facts from phone_calls where lead_id = ${lead.id}`
  assert.deepEqual(phoneCall!.facts, {})
  const [log] = await logsOf(other.id)
  assert.deepEqual([log!.outcome, log!.recording_url], ['Voicemail', corrected.recording.RecordingUrl])
})

test('an unassigned lead that calls gets an owner by the rules, or the user who answers it', async () => {
  const webhook = await webhookOf(app, acme)
  const [ruled, answered] = [newPhone(), newPhone()]
  for (const phone of [ruled, answered]) await webhook.send(exotelCall(phone))
  assert.equal((await leadOf(ruled)).assigned_to, null)
  await web.send('PATCH', '/web/account', { answering_user_owns: true })
  await webhook.send(exotelCall(answered, { DialWhomNumber: '09663200011' }))
  assert.equal((await leadOf(answered)).assigned_to, bela.id)
  await owner`insert into distribution_rules (account_id, id, position, name, people, created_at)
    values (${acme.account_id}, gen_random_uuid(), 1, 'Calls', ${owner.json([{ user_id: chand.id, weight: 1 }])}, now())`
  app.database.cache.invalidate(acme.account_id)
  await webhook.send(exotelCall(ruled, { DialWhomNumber: '09663200011' }))
  const lead = await leadOf(ruled)
  assert.equal(lead.assigned_to, chand.id)
  const logs = await owner`select distinct assigned_to from call_logs where lead_id = ${lead.id}`
  assert.deepEqual([...logs], [{ assigned_to: chand.id }])
  await assertCountsHold(owner)
})

test('deleting a lead erases its calls, recordings and events, also those without a number', async () => {
  const twilio = await webhookOf(app, acme)
  const call = inboundCall()
  for (const event of [call.recording, call.ringing, call.completed]) await twilio.send(event)
  const lead = await leadOf(call.phone)
  assert.equal((await asha.send('DELETE', `/api/v1/leads/${lead.id}`)).status, 200)
  const left = async (table: string) => owner.unsafe(`select * from ${table}`).then((rows) => JSON.stringify(rows))
  for (const table of ['phone_calls', 'call_logs', 'timeline_entries', 'delivery_contacts', 'delivery_receipts'])
    assert.ok(!(await left(table)).includes(call.CallSid), table)
  assert.equal((await owner`select 1 from phone_calls where lead_id = ${lead.id}`).length, 0)
  const bodies = await owner`select body, picks from deliveries where webhook_id = ${twilio.id}`
  assert.equal(bodies.length, 3)
  assert.ok(bodies.every(({ body, picks }) => body === null && picks.length === 0))
})

test('a call whose caller withholds the number makes no lead, and is counted as ignored with the reason', async () => {
  const webhook = await webhookOf(app, acme)
  const made = owner`select count(*)::int as n from leads`
  const [before] = await made
  const numbers = ['+266696687', '+7378742833', 'anonymous']
  for (const From of numbers) await webhook.send({ ...inboundCall().completed, From })
  await webhook.send({ from: 'Restricted', to: '+918047110044', start_time: '2026-11-18 14:41:00', duration: 30 })
  const deliveries = await owner`select outcome, error, attention from deliveries where webhook_id = ${webhook.id}`
  assert.equal(deliveries.length, 4)
  for (const { outcome, error, attention } of deliveries) {
    assert.deepEqual([outcome, attention], ['ignored', false])
    assert.match(error, /withholds the number/)
  }
  assert.deepEqual([...(await owner`select count(*)::int as n from leads`)], [before])
  await assertCountsHold(owner)
})

test('a start that cannot be read is a warning on the delivery', async () => {
  const webhook = await webhookOf(app, acme)
  const phone = newPhone()
  await webhook.send({
    call_id: 'w-1',
    caller: phone,
    direction: 'inbound',
    talk_time: 30,
    start_time: '31/02/2026 10:00',
  })
  const [delivery] = await owner`select outcome, warnings from deliveries where webhook_id = ${webhook.id}`
  assert.equal(delivery!.outcome, 'created')
  const [warning] = delivery!.warnings.filter(({ field }: { field: string }) => field === 'call_start')
  assert.match(warning.message, /31\/02\/2026 10:00.*start_time/)
})

test('an event that is replayed changes its call now, and not when it was received', async () => {
  const twilio = await webhookOf(app, acme)
  const call = inboundCall()
  await twilio.send(call.completed)
  const lead = await leadOf(call.phone)
  await owner`update call_logs set created_at = now() - interval '1 hour' where lead_id = ${lead.id}`
  await twilio.send({ name: 'Ravi', phone: '12' })
  const [delivery] = await owner`update deliveries set body = ${Buffer.from(JSON.stringify(call.recording))},
      received_at = now() - interval '30 minutes'
    where webhook_id = ${twilio.id} and outcome = 'rejected' returning id`
  const { status, body } = await web.send('POST', `/web/deliveries/${delivery!.id}/replay`, {})
  assert.equal(status, 200, JSON.stringify(body))
  const [log] = await owner`select recording_url, changed_at > now() - interval '5 minutes' as is_now from call_logs
    where lead_id = ${lead.id}`
  assert.deepEqual({ ...log }, { recording_url: call.recording.RecordingUrl, is_now: true })
})
