import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { ask, people, signedIn } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'

const app = await testApp()
after(app.close)
const { acme, asha } = await people(app)
const admin = await signedIn(app, asha)

let number = 9_830_100_000
const leadWith = async (phone: string) =>
  (await app.owner`select * from leads where account_id = ${acme.account_id} and phone = ${phone}`)[0]
const deliveriesOf = (id: string) =>
  app.owner`select outcome, attention, error from deliveries where webhook_id = ${id} order by received_at`

test('the only contact makes a lead although it is uncertain', async () => {
  const webhook = await webhookOf(app, acme)
  const phone = String(number++)
  const { status, body } = await webhook.send({ ref_no: phone, name: 'Asha Rao' })
  assert.deepEqual([status, body.data.status], [200, 'created'])
  assert.equal((await leadWith(phone))!.name, 'Asha Rao')
})

test('an uncertain contact changes no lead: the delivery is kept, needs attention, and is merged once it is mapped', async () => {
  const webhook = await webhookOf(app, acme)
  const phone = String(number++)
  const created = await ask(app.url, asha.key.secret, 'POST', '/api/v1/leads', { name: 'Ravi Bose', phone })
  assert.equal(created.status, 201)
  const before = await leadWith(phone)
  const { status, body } = await webhook.send({ ref_no: phone, name: 'Asha Rao', city: 'Pune' })
  assert.deepEqual([status, body.data], [200, { id: null, status: 'ignored' }])
  assert.deepEqual(await leadWith(phone), before)
  const [delivery] = await deliveriesOf(webhook.id)
  assert.deepEqual([delivery!.outcome, delivery!.attention], ['ignored', true])
  assert.match(delivery!.error, /uncertain/)
  const mapping = [{ path: 'ref_no', field: 'phone' }]
  await admin!.send('PATCH', `/web/webhooks/${webhook.id}`, { mapping, was: { mapping: [] } })
  const replay = await admin!.send('POST', `/web/webhooks/${webhook.id}/replay`, {})
  assert.deepEqual(
    replay.body.data.results.map(({ outcome }: { outcome: string }) => outcome),
    ['merged'],
  )
  assert.equal((await leadWith(phone))!.city, 'Pune')
})

/** Payloads of a school's form, in which the father's number is uncertain beside the email. */
const admission = (email: string, father_mobile: string) => ({ student_name: 'Ira Kulkarni', email, father_mobile })
const leadOf = async (email: string) =>
  (await app.owner`select * from leads where account_id = ${acme.account_id} and email = ${email}`)[0]
const answersOf = (id: string) =>
  app.owner`select answers from enquiries where lead_id = ${id} order by at desc, id desc`

test('an uncertain contact beside a sure one creates the lead with both', async () => {
  const webhook = await webhookOf(app, acme)
  const phone = String(number++)
  assert.equal((await webhook.send(admission('ira@home.example', phone))).body.data.status, 'created')
  assert.equal((await leadOf('ira@home.example'))!.phone, phone)
  const [saved] = await app.owner`select proposal from webhooks where id = ${webhook.id}`
  const confidences = saved!.proposal.map(({ field, confidence }: { field: string; confidence: string }) => [
    field,
    confidence,
  ])
  assert.equal(new Map(confidences).get('phone'), 'unsure')
})

test('it is another lead’s: the lead is created without it, and it is an answer', async () => {
  const webhook = await webhookOf(app, acme)
  const phone = String(number++)
  await ask(app.url, asha.key.secret, 'POST', '/api/v1/leads', { name: 'Ravi Bose', phone })
  const before = await leadWith(phone)
  assert.equal((await webhook.send(admission('tara@home.example', phone))).body.data.status, 'created')
  assert.deepEqual(await leadWith(phone), before)
  const tara = await leadOf('tara@home.example')
  assert.equal(tara!.phone, null)
  assert.deepEqual((await answersOf(tara!.id))[0]!.answers, [{ question: 'father_mobile', answer: phone }])
  const [delivery] = await app.owner`select picks from deliveries where webhook_id = ${webhook.id}`
  const pick = delivery!.picks.find(({ field }: { field: string }) => field === 'phone')
  assert.equal(pick.confidence, 'suggested')
})

test('the sure contact merges, and the uncertain one goes to no lead', async () => {
  const webhook = await webhookOf(app, acme)
  const [phone, other] = [String(number++), String(number++)]
  const created = await ask(app.url, asha.key.secret, 'POST', '/api/v1/leads', {
    name: 'Meher Dadi',
    email: 'meher@home.example',
  })
  await ask(app.url, asha.key.secret, 'POST', '/api/v1/leads', { name: 'Ravi Bose', phone })
  const before = await leadWith(phone)
  for (const number of [phone, other]) {
    const { status, body } = await webhook.send(admission('meher@home.example', number))
    assert.deepEqual([status, body.data.status, body.data.id], [200, 'merged', created.body.data.id])
  }
  assert.deepEqual(await leadWith(phone), before)
  assert.equal((await leadOf('meher@home.example'))!.phone, null)
  assert.equal(await leadWith(other), undefined)
  const answers = JSON.stringify(await answersOf(created.body.data.id))
  for (const number of [phone, other]) assert.ok(answers.includes(number), answers)
})
