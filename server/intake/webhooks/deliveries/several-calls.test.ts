import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { assertCountsHold } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { cleanUp } from '../../../cleanup.ts'

const app = await testApp()
after(app.close)
const { acme, asha } = await people(app)
const web = await signedIn(app, asha)
const { owner } = app
const system = await webhookOf(app, acme)

let made = 0
const newPhone = () => `+9198${73_000_000 + ++made}`
const start = '2026-11-18T09:00:00Z'
const later = '2026-11-18T09:02:00Z'

const send = async (call_id: string, customer_number: string | undefined, more: object = {}) => {
  const { status, body } = await system.send({ call_id, direction: 'inbound', customer_number, ...more })
  assert.equal(status, 200)
  return body.data
}
const logsOf = async (phone: string) => {
  const logs =
    await owner`select outcome, duration_seconds, recording_url from call_logs join leads on leads.id = lead_id
    where phone_key = ${phone} order by called_at, outcome`
  return logs.map(({ outcome, duration_seconds }) => `${outcome} ${duration_seconds}`)
}
const leadOf = async (phone: string) => (await owner`select id from leads where phone_key = ${phone}`)[0]!.id as string

test('each customer under one id has a call', async () => {
  const [one, other] = [newPhone(), newPhone()]
  const id = `two-${made}`
  await send(id, one, { status: 'ringing', start_time: start })
  await send(id, other, { status: 'ringing', start_time: later })
  await send(id, one, { status: 'completed', talk_time: 30, start_time: start })
  await send(id, other, { status: 'missed', talk_time: 0, start_time: later })
  assert.deepEqual([await logsOf(one), await logsOf(other)], [['Completed 30'], ['Missed 0']])
})

test('the same number written otherwise, and an event without it, are of the same call', async () => {
  const phone = newPhone()
  const id = `same-${made}`
  await send(id, `0${phone.slice(3)}`, { status: 'ringing', start_time: start })
  await send(id, phone, { status: 'completed', talk_time: 30, start_time: start })
  const { status } = await send(id, undefined, { recording_url: 'https://rec.example/1.mp3', status: 'recording' })
  assert.equal(status, 'merged')
  await send(id, `${phone.slice(0, 3)} ${phone.slice(3)}`, { status: 'completed', talk_time: 31, start_time: start })
  assert.deepEqual(await logsOf(phone), ['Completed 31'])
})

test('a call that a user moved to another lead stays there', async () => {
  const [phone, other] = [newPhone(), newPhone()]
  const id = `moved-${made}`
  await send(id, phone, { status: 'completed', talk_time: 30, start_time: start })
  const to = (await asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone: other })).body.data.id
  const [log] = await owner`select id from call_logs where lead_id = ${await leadOf(phone)}`
  assert.equal((await web.send('PATCH', `/web/calls/${log!.id}`, { lead_id: to })).status, 200)
  await send(id, phone, { status: 'completed', talk_time: 45, start_time: start })
  assert.deepEqual([await logsOf(phone), await logsOf(other)], [[], ['Completed 45']])
})

test('an event whose number is unsure is of the call with its id and that number', async () => {
  const phone = newPhone()
  const event = (call_id: string, duration: number) =>
    system.send({ call_id, status: 'answered', duration, number_a: phone, number_b: '+918047110044' })
  for (const seconds of [3, 125]) await event(`unsure-${phone}`, seconds)
  assert.deepEqual(await logsOf(phone), ['Completed 125'])
  // Without a call of that id, it is not.
  assert.equal((await event('other', 60)).body.data.status, 'ignored')
  assert.deepEqual(await logsOf(phone), ['Completed 125'])
})

const endOpen = () =>
  cleanUp(app.database, 30, new Date(), {
    removed: () => {},
    failed: (error: unknown) => assert.fail(error as Error),
    progress: () => {},
    signal: new AbortController().signal,
  })

const forwarded = { status: 'forwarded', start_time: start, end_time: later, event: 'hangup' }
const spoken = { status: 'answered', start_time: later, talk_time: 40 }

test('a leg that goes on as another call is no missed call', async () => {
  for (const order of [
    [forwarded, spoken],
    [spoken, forwarded],
  ]) {
    const phone = newPhone()
    for (const leg of order) await send(`leg-${phone}-${leg.status}`, phone, leg)
    assert.deepEqual(await logsOf(phone), ['Completed 40'])
    await owner`update phone_calls set changed_at = now() - interval '3 hours' where lead_id = ${await leadOf(phone)}`
    await endOpen()
    assert.deepEqual(await logsOf(phone), ['Completed 40'])
    const states = await owner`select distinct state from phone_calls where lead_id = ${await leadOf(phone)}`
    assert.deepEqual([...states], [{ state: 'ended' }])
  }
})

test('a leg that goes on, and of which nothing else is reported, is a missed call after two hours', async () => {
  const phone = newPhone()
  await send(`alone-${phone}`, phone, forwarded)
  assert.deepEqual(await logsOf(phone), [])
  await owner`update phone_calls set changed_at = now() - interval '3 hours' where lead_id = ${await leadOf(phone)}`
  await endOpen()
  assert.deepEqual(await logsOf(phone), ['Missed 0'])
})

test('a forwarded call without an answer is missed at once', async () => {
  const phone = newPhone()
  await send(`missed-${phone}`, phone, { status: 'forwarded', start_time: start })
  await send(`missed-${phone}`, phone, { status: 'no answer', start_time: start, end_time: later })
  assert.deepEqual(await logsOf(phone), ['Missed 0'])
})

test('events without times: their arrival says how long the call was', async () => {
  const phone = newPhone()
  const id = `arrival-${phone}`
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
  await send(id, phone, { status: 'ringing' })
  await send(id, phone, { status: 'answered' })
  await owner`update phone_calls set facts = jsonb_set(facts, '{answer_received,value}', to_jsonb(${ago(40)}::text))
    where lead_id = ${await leadOf(phone)}`
  await send(id, phone, { status: 'hangup' })
  await send(id, phone, { status: 'answered' })
  const [log] = await logsOf(phone)
  assert.match(log!, /^Completed 4\d$/)
})

test('the counts hold', () => assertCountsHold(owner))
