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
