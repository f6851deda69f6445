import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { sendWhenBusy } from '#test/busy-account.ts'
import { type Answer, people, signedIn } from '#test/people.ts'
import { assertCountsHold, lockLead } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { asActor } from '../../../platform/database/actor.ts'
import { finishDue } from './finish-deliveries.ts'
import { claimWaiting } from './store.ts'

const app = await testApp()
after(app.close)
const { owner, database } = app
const { acme, asha } = await people(app)
const admin = await signedIn(app, asha)

const inAnHour = () => new Date(Date.now() + 3_600_000)
const failing = (error: unknown) => {
  throw error
}
const finish = (now = inAnHour) => finishDue(database, acme.account_id, { now, onError: failing })

const rowsOf = (webhookId: string) =>
  owner`select id, outcome, lead_id, error, warnings, body from deliveries where webhook_id = ${webhookId} order by received_at, id`
const outcomesOf = async (webhookId: string) => (await rowsOf(webhookId)).map(({ outcome }) => outcome)
const leadsWith = (phone: string) => owner`select id, name, notes from leads where phone = ${phone}`
const mentions = (text: string | null, part: string) => (text ?? '').split(part).length - 1

async function holdLead(t: TestContext, id: string) {
  const release = await lockLead(owner, id)
  t.after(release)
  return release
}

/** Sends while the account has no place and no room in its queue. */
const sendBusy = (send: () => Promise<Answer>) => sendWhenBusy(database, acme, send)

test('a delivery that finds no place is stored before its 503, shown as waiting, and finished once', async () => {
  const webhook = await webhookOf(app, acme)
  const lead = { name: 'Ravi Menon', phone: '9820041001', message: 'Call me' }
  const { status, body } = await sendBusy(() => webhook.send(lead))
  assert.deepEqual([status, body.error.code], [503, 'UNAVAILABLE'])
  assert.match(body.error.message, /is stored and will be processed/)
  const [row] = await rowsOf(webhook.id)
  assert.deepEqual([row!.outcome, row!.lead_id, row!.body.toString()], ['waiting', null, JSON.stringify(lead)])
  assert.equal((await leadsWith(lead.phone)).length, 0)
  // The log says so in a line without a stack.
  const lines = app.lines.filter((line) => line.includes(body.error.message))
  assert.deepEqual([lines.length, JSON.parse(lines[0]!).err], [1, undefined])
  const { data } = (await admin.send('GET', `/web/webhooks/${webhook.id}/deliveries?outcome=waiting`)).body
  assert.deepEqual(
    data.map(({ id, error }: { id: string; error: string }) => [id, error]),
    [[row!.id, row!.error]],
  )
  const { today } = (await admin.send('GET', `/web/webhooks/${webhook.id}`)).body.data
  assert.deepEqual(today, { received: 1, rejected: 0, waiting: 1 })
  await assertCountsHold(owner)

  await finish()
  const [finished] = await rowsOf(webhook.id)
  const [created] = await leadsWith(lead.phone)
  assert.deepEqual([finished!.outcome, finished!.lead_id, finished!.error], ['created', created!.id, null])
  assert.equal(created!.notes, 'Call me')
  await finish()
  assert.equal((await leadsWith(lead.phone)).length, 1)
  await assertCountsHold(owner)
})

test('a delivery for a locked lead waits, and is merged when the lead is free', async (t) => {
  const webhook = await webhookOf(app, acme)
  const { body } = await asha.send('POST', '/api/v1/leads', { name: 'Tara', phone: '9820041002' })
  const release = await holdLead(t, body.data.id)
  assert.equal((await webhook.send({ name: 'Tara', phone: '9820041002', message: 'Call me' })).status, 503)
  assert.deepEqual(await outcomesOf(webhook.id), ['waiting'])
  await release()
  await finish()
  assert.deepEqual(await outcomesOf(webhook.id), ['merged'])
  assert.equal(mentions((await leadsWith('9820041002'))[0]!.notes, 'Call me'), 1)
})

let senders = 0
for (const [order, steps] of [
  ['before it is finished', ['repeat', 'finish']],
  ['after it is finished', ['finish', 'repeat']],
  ['twice, while it is finished', ['both', 'repeat']],
] as const) {
  for (const isKnown of [false, true]) {
    test(`a sender that repeats it ${order} makes one lead${isKnown ? '' : ', also a new one'}, and no second note`, async () => {
      const webhook = await webhookOf(app, acme)
      // Nothing is learned from later deliveries, so that they are saved in one statement.
      await webhook.send({ name: 'First', phone: '9820049999', message: 'Learn' })
      const phone = `982042000${++senders}`
      if (isKnown) await webhook.send({ name: 'Uma', phone, message: 'Before' })
      const lead = { name: 'Uma', phone, message: 'Ring twice' }
      assert.equal((await sendBusy(() => webhook.send(lead))).status, 503)
      const repeat = async () => assert.equal((await webhook.send(lead)).status, 200)
      const work = { repeat, finish: () => finish(), both: () => Promise.all([repeat(), finish(), finish()]) }
      for (const step of steps) await work[step]()
      const leads = await leadsWith(phone)
      assert.equal(leads.length, 1)
      assert.equal(mentions(leads[0]!.notes, 'Ring twice'), 1)
      const outcomes = (await outcomesOf(webhook.id)).slice(isKnown ? 2 : 1)
      const first = isKnown ? 'merged' : 'created'
      assert.deepEqual(outcomes.sort(), [...outcomes.slice(1).map(() => 'duplicate'), first].sort(), String(outcomes))
      const timeline = await owner`select summary, details from timeline_entries where lead_id = ${leads[0]!.id}`
      assert.equal(timeline.length, isKnown ? 2 : 1)
      // Sent again by the person later, it is another enquiry only with other content.
      await webhook.send({ ...lead, message: 'Ring three times' })
      assert.equal(mentions((await leadsWith(phone))[0]!.notes, 'Ring three times'), 1)
      await assertCountsHold(owner)
    })
  }
}

test('the same body again, of deliveries that were answered 200, is merged as ever', async () => {
  const webhook = await webhookOf(app, acme)
  const lead = { name: 'Vani', phone: '9820041004', message: 'Hello' }
  for (let n = 0; n < 3; n++) assert.equal((await webhook.send(lead)).status, 200)
  assert.deepEqual(await outcomesOf(webhook.id), ['created', 'merged', 'merged'])
})

test('a delivery whose process ended while it was finished is finished by another, once', async () => {
  const webhook = await webhookOf(app, acme)
  const lead = { name: 'Wali', phone: '9820041005', message: 'Once' }
  await sendBusy(() => webhook.send(lead))
  const claim = (now: Date) => asActor(database, acme, (tx) => claimWaiting(tx, acme.account_id, now, 100))
  const soon = new Date(Date.now() + 20_000)
  assert.equal((await claim(soon)).length, 1)
  // Claimed by a process that ends here: others leave it alone for a while.
  assert.equal((await claim(soon)).length, 0)
  await finish(() => soon)
  assert.deepEqual(await outcomesOf(webhook.id), ['waiting'])
  await Promise.all([finish(), finish(), finish()])
  assert.deepEqual(await outcomesOf(webhook.id), ['created'])
  assert.equal(mentions((await leadsWith(lead.phone))[0]!.notes, 'Once'), 1)
})

test('a batch waits whole, and each of its people is one lead, also if the sender repeats it', async () => {
  const webhook = await webhookOf(app, acme)
  const leads = ['9820041011', '9820041012', '9820041013'].map((phone, n) => ({
    name: `Batch ${'ABC'[n]}`,
    phone,
    message: 'Once',
  }))
  assert.equal((await sendBusy(() => webhook.send({ leads }))).status, 503)
  assert.deepEqual(await outcomesOf(webhook.id), ['waiting'])
  const [, again] = await Promise.all([finish(), webhook.send({ leads })])
  assert.equal(again.status, 200)
  await finish()
  for (const { phone } of leads) {
    const [one, ...others] = await leadsWith(phone)
    assert.deepEqual([others.length, one!.notes], [0, 'Once'])
  }
  const outcomes = await outcomesOf(webhook.id)
  assert.deepEqual(outcomes.sort(), ['created', 'created', 'created', 'duplicate', 'duplicate', 'duplicate'])
  await assertCountsHold(owner)
})

test('a record of a batch whose lead is locked waits, and the others are saved', async (t) => {
  const webhook = await webhookOf(app, acme)
  const known = await asha.send('POST', '/api/v1/leads', { name: 'Xena', phone: '9820041021' })
  const release = await holdLead(t, known.body.data.id)
  const leads = [
    { name: 'Xena', phone: '9820041021', message: 'Hello' },
    { name: 'Yash', phone: '9820041022', message: 'Hello' },
  ]
  const { status, body } = await webhook.send({ leads })
  await release()
  assert.deepEqual(
    [status, body.data.leads.map(({ status }: { status: string }) => status)],
    [200, ['waiting', 'created']],
  )
  await finish()
  assert.deepEqual((await outcomesOf(webhook.id)).sort(), ['created', 'merged'])
  assert.equal(mentions((await leadsWith('9820041021'))[0]!.notes, 'Hello'), 1)
})

test('what waits is rejected, ignored or a test like any delivery, when it is finished', async () => {
  const webhook = await webhookOf(app, acme)
  const bodies = [{ name: 'Asha Rao' }, { event: 'ping' }, 'not JSON']
  for (const body of bodies) await sendBusy(() => webhook.send(body))
  await finish()
  assert.deepEqual(await outcomesOf(webhook.id), ['rejected', 'ignored', 'rejected'])
})

test('deleting a person erases what waits for them, and it ends', async () => {
  const webhook = await webhookOf(app, acme)
  const lead = { name: 'Zara', phone: '9820041031', message: 'Secret' }
  const { body } = await asha.send('POST', '/api/v1/leads', lead)
  await sendBusy(() => webhook.send(lead))
  assert.equal((await asha.send('DELETE', `/api/v1/leads/${body.data.id}`)).status, 200)
  const [erased] = await rowsOf(webhook.id)
  assert.deepEqual([erased!.body, erased!.outcome], [null, 'waiting'])
  await finish()
  assert.deepEqual(await outcomesOf(webhook.id), ['rejected'])
  assert.equal((await leadsWith(lead.phone)).length, 0)
  await assertCountsHold(owner)
})

test('after a day of a locked lead, a delivery that waits is rejected, and can be replayed', async (t) => {
  const webhook = await webhookOf(app, acme)
  const { body } = await asha.send('POST', '/api/v1/leads', { name: 'Anil', phone: '9820041041' })
  await sendBusy(() => webhook.send({ name: 'Anil', phone: '9820041041', message: 'Still here' }))
  const release = await holdLead(t, body.data.id)
  await finish(() => new Date(Date.now() + 90_000_000))
  await release()
  const [row] = await rowsOf(webhook.id)
  assert.equal(row!.outcome, 'rejected')
  assert.equal((await admin.send('POST', `/web/deliveries/${row!.id}/replay`)).status, 200)
  assert.equal(mentions((await leadsWith('9820041041'))[0]!.notes, 'Still here'), 1)
})
