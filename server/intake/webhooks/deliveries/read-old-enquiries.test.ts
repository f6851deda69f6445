import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'
import { readOldEnquiries } from './read-old-enquiries.ts'

const app = await testApp()
after(app.close)
const { acme } = await people(app)
const webhook = await webhookOf(app, acme)
const { owner } = app

const enquiries = () =>
  owner`select lead_id, is_repeat, message, origin, answers from enquiries order by lead_id, at, id`.then((rows) => [
    ...rows,
  ])

test('deliveries that were kept before become enquiries, once, as if they came now', async () => {
  const sendADayAgo = async (body: object) => {
    await webhook.send(body)
    await owner`update enquiries set at = at - interval '1 day', last_at = last_at - interval '1 day'`
    await owner`update deliveries set received_at = received_at - interval '1 day'`
    await owner`update leads set created_at = created_at - interval '1 day'`
  }
  await sendADayAgo({ name: 'Asha', phone: '9810077701', budget: '1 crore', campaign: 'Wakad' })
  await sendADayAgo({ name: 'Asha', phone: '9810077701', message: 'Is it free?', floor: '4' })
  await webhook.send({ name: 'Ravi', phone: '9810077702', gclid: 'Cj0', visit: 'Sunday' })
  await webhook.send({ event: 'ping' })
  const before = await enquiries()
  const kept = [...(await owner`select id, product, campaign from leads order by id`)]
  assert.equal(before.length, 3)
  // As a migration leaves them: only the last repeat enquiry is there, without its answers.
  await owner`delete from enquiries where not is_repeat`
  await owner`update enquiries set origin = '{}', answers = '[]', via_id = null`
  await owner`update leads set campaign = null`
  await owner`insert into enquiry_readings (account_id) values (${acme.account_id})`
  await readOldEnquiries(app.database, (error) => assert.fail(String(error)))
  assert.deepEqual(await enquiries(), before)
  assert.deepEqual([...(await owner`select id, product, campaign from leads order by id`)], kept)
  const [left] = await owner`select count(*)::int as n from enquiry_readings where account_id = ${acme.account_id}`
  assert.equal(left!.n, 0)
  const [notice] =
    await owner`select count(*)::int as n from notices where kind = 'enquired_again' and at > now() - interval '1 minute'`
  await readOldEnquiries(app.database, (error) => assert.fail(String(error)))
  assert.deepEqual(await enquiries(), before)
  assert.ok(notice!.n <= 1)
})

test('a delivery whose lead is locked is read in the next run', async () => {
  await webhook.send({ name: 'Meera', phone: '9810077703', visit: 'Monday' })
  const [lead] = await owner`select id from leads where name = 'Meera'`
  const enquiry = () => owner`select answers from enquiries where lead_id = ${lead!.id}`.then((rows) => [...rows])
  const before = await enquiry()
  await owner`delete from enquiries where lead_id = ${lead!.id}`
  await owner`insert into enquiry_readings (account_id) values (${acme.account_id})`
  const errors: unknown[] = []
  await owner.begin(async (tx) => {
    await tx`select from leads where id = ${lead!.id} for update`
    await readOldEnquiries(app.database, (error) => errors.push(error))
  })
  assert.equal(errors.length, 1)
  assert.deepEqual(await enquiry(), [])
  await readOldEnquiries(app.database, (error) => assert.fail(String(error)))
  assert.deepEqual(await enquiry(), before)
})
