import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { assertCountsHold, assertLeadsKnowTheirCalls } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { phoneKey } from '../../crm/contacts/contact.ts'
import { samplesAtOnce } from './contract.ts'

const app = await testApp()
after(app.close)
const { owner } = app
const { acme, other, asha, bela, zoya } = await people(app)
const admin = await signedIn(app, asha)
const agent = await signedIn(app, bela)
const leadsOf = (accountId: string) => owner`select * from leads where account_id = ${accountId} order by id`
const own = await asha.send('POST', '/api/v1/leads', { name: 'Own', phone: '9820011223', tags: ['sample'] })

test('samples are added once, tagged, with numbers reserved for fiction, and no user is notified', async () => {
  const added = await Promise.all([1, 2].map(() => admin.send('POST', '/web/samples')))
  for (const { status, body } of added) assert.deepEqual([status, body.data], [200, { leads: samplesAtOnce, kept: 0 }])
  const leads = (await leadsOf(acme.account_id)).filter(({ name }) => name !== 'Own')
  assert.equal(leads.length, samplesAtOnce)
  for (const { phone, phone_key, email, tags } of leads) {
    assert.ok(tags.includes('sample'))
    assert.match(phone ?? '+1 202 555 0100', /^\+1 202 555 01\d\d$/)
    assert.equal(phone_key, phone && phoneKey(phone, 'IN'))
    assert.match(email ?? 'x@mail.example.com', /example\.(com|org|net)$/)
  }
  const enquiries = await owner`
    select leads.campaign is not distinct from enquiries.campaign and leads.product is not distinct from enquiries.product
      and leads.created_at = at and not is_repeat and jsonb_array_length(answers) > 0 as is_kept
    from enquiries join leads on leads.id = lead_id where enquiries.account_id = ${acme.account_id} and leads.name <> 'Own'`
  assert.ok(enquiries.length > samplesAtOnce / 2 && enquiries.every(({ is_kept }) => is_kept))
  assert.equal((await owner`select from notices where lead_id <> ${own.body.data.id}`).length, 0)
  assert.equal((await leadsOf(other.account_id)).length, 0)
  await assertCountsHold(owner)
  await assertLeadsKnowTheirCalls(owner)
  const { body } = await admin.send('GET', '/web/audit?limit=10')
  assert.deepEqual(
    body.data.filter(({ action }: { action: string }) => action.startsWith('demo')).map((entry: object) => entry),
    body.data.slice(0, 1),
    'one entry, and none for each lead',
  )
})

type Sample = Awaited<ReturnType<typeof leadsOf>>[number]

test('their removal deletes them whatever users changed, and no lead with real data', async () => {
  const samples = (await leadsOf(acme.account_id)).filter(({ name, phone }) => name !== 'Own' && phone)
  const [changed, merged, byWebhook, renumbered] = samples as [Sample, Sample, Sample, Sample]
  const change = { name: 'Renamed', tags: [], status: 'Won' }
  assert.equal((await admin.send('PATCH', `/web/leads/${changed.id}`, change)).status, 200)
  const call = { lead_id: changed.id, call_type: 'Outbound', duration_seconds: 5 }
  assert.equal((await asha.send('POST', '/api/v1/call-logs', call)).status, 201)
  const real = { name: 'Real customer', phone: '98200 44556' }
  assert.equal((await admin.send('PATCH', `/web/leads/${renumbered.id}`, real)).status, 200)
  const again = await asha.send('POST', '/api/v1/leads', { name: 'Real', phone: merged.phone, city: 'Pune' })
  assert.equal(again.body.data.id, merged.id)
  const webhook = await webhookOf(app, acme)
  await webhook.send({ name: 'Real too', phone: byWebhook.phone })
  assert.deepEqual((await admin.send('GET', '/web/samples')).body.data, { leads: samplesAtOnce - 3, kept: 3 })
  assert.equal((await agent.send('DELETE', '/web/samples')).status, 403)
  assert.deepEqual((await (await signedIn(app, zoya)).send('DELETE', '/web/samples')).body.data, {
    removed: 0,
    kept: 0,
  })
  assert.equal((await leadsOf(acme.account_id)).length, samplesAtOnce + 1)

  const { body } = await admin.send('DELETE', '/web/samples')
  assert.deepEqual(body.data, { removed: samplesAtOnce - 3, kept: 3 })
  const left = (await leadsOf(acme.account_id)).map(({ id }) => id)
  assert.deepEqual(left, [own.body.data.id, merged.id, byWebhook.id, renumbered.id].sort())
  assert.deepEqual((await admin.send('GET', '/web/samples')).body.data, { leads: 0, kept: 3 })
  await assertCountsHold(owner)
  await assertLeadsKnowTheirCalls(owner)

  const { leads, kept } = (await admin.send('POST', '/web/samples')).body.data
  assert.ok(leads >= samplesAtOnce - 3 && kept === 3, 'those whose phone a kept lead has are left out')
})
