import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { enquiredEarlier } from '#test/enquired-earlier.ts'
import { people, signedIn } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'

const app = await testApp()
after(app.close)
const { acme, asha, bela, chand } = await people(app)
const [admin, agent] = await Promise.all([asha, bela].map(async (person) => (await signedIn(app, person))!))
const webhook = await webhookOf(app, acme, { default_assignee: bela.id, default_source: 'Housing' })

let phone = 9_840_000_000
async function lead(name: string, more: object = {}) {
  const { status, body } = await asha.send('POST', '/api/v1/leads', {
    name,
    phone: String(++phone),
    assigned_to: bela.email,
    source: 'Fair',
    ...more,
  })
  assert.equal(status, 201, JSON.stringify(body))
  return { id: body.data.id as string, name, phone: String(phone) }
}
const stored = async (id: string) => {
  const [row] = await app.owner`
    select leads.status, leads.source, leads.assigned_to, enquired_again_at is not null as enquired, enquiries.source as from_source,
      message from leads left join enquiries on lead_id = leads.id and is_repeat
    where leads.id = ${id} order by enquiries.id desc`
  return row!
}
const anHourLater = (id: string) => enquiredEarlier(app.owner, id)
const notices = async (id: string) => {
  const rows = await app.owner`select user_id from notices where lead_id = ${id} and kind = 'enquired_again'`
  return rows.map(({ user_id }) => user_id)
}
async function queued(name: string, browser = agent!) {
  const { body } = await browser.send('GET', '/web/call-queue')
  const one = body.data.leads.find((each: { name: string }) => each.name === name)
  return one && [one.reason, one.enquiry.message]
}
async function listed(followUp: string, browser = agent!): Promise<string[]> {
  const { status, body } = await browser.send('GET', `/web/leads?follow_up=${followUp}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data.map(({ name }: { name: string }) => name)
}

for (const status of ['Won', 'Lost', 'Contacted', 'New']) {
  test(`a ${status} lead who enquires again is in the queue and the list, unchanged, until a call is logged`, async () => {
    const { id, name, phone } = await lead(`Venkat ${status}`, { status })
    await app.owner`update leads set created_at = created_at - interval '90 days' where id = ${id}`
    await anHourLater(id)
    assert.ok(!(await listed('enquired_again')).includes(name))
    const { body } = await webhook.send({ name, phone, message: 'Three rooms in Baner' })
    assert.deepEqual([body.data.id, body.data.status], [id, 'merged'])
    assert.deepEqual(await stored(id), {
      status,
      source: 'Fair',
      assigned_to: bela.id,
      enquired: true,
      from_source: 'Housing',
      message: 'Three rooms in Baner',
    })
    assert.deepEqual(await notices(id), [bela.id])
    assert.deepEqual(await queued(name), ['enquired_again', 'Three rooms in Baner'])
    for (const filter of ['enquired_again', 'to_answer']) assert.ok((await listed(filter)).includes(name))
    const call = { lead_id: id, call_type: 'Outbound', outcome: 'Completed', duration_seconds: 60 }
    assert.equal((await asha.send('POST', '/api/v1/call-logs', call)).status, 201)
    assert.notEqual((await queued(name))?.[0], 'enquired_again')
    assert.ok(!(await listed('to_answer')).includes(name))
    assert.ok((await listed('enquired_again')).includes(name))
  })
}

test('repeat enquiries are counted by their source, and shown in the app with their message', async () => {
  const newest = (await agent!.send('GET', '/web/notices')).body.data.newest
  const { id, name, phone } = await lead('Counted')
  const before = (await admin!.send('GET', '/web/overview')).body.data.repeat_enquiries
  await anHourLater(id)
  await webhook.send({ name, phone, message: 'Is it free?', source: 'Portal two' })
  const { total, by_source } = (await admin!.send('GET', '/web/overview')).body.data.repeat_enquiries
  assert.equal(total, before.total + 1)
  assert.equal(by_source['Portal two'], 1)
  const { body } = await agent!.send('GET', `/web/notices?after=${newest}`)
  assert.deepEqual(
    body.data.notices.map(({ lead_id, kind }: Record<string, unknown>) => [lead_id, kind]),
    [
      [id, 'enquired_again'],
      [id, 'assigned'],
    ],
  )
})

test('through the API, a new message is an enquiry, and an update is none', async () => {
  const { id, name, phone } = await lead('Of the API', { notes: 'First message' })
  const send = (more: object) => asha.send('POST', '/api/v1/leads', { name, phone, ...more })
  for (const update of [{ status: 'Contacted' }, { notes: 'First message' }, { city: 'Pune', tags: ['Hot'] }]) {
    assert.equal((await send(update)).status, 200)
  }
  assert.deepEqual([(await stored(id)).enquired, await notices(id)], [false, []])
  await anHourLater(id)
  assert.equal((await send({ notes: 'Second message' })).status, 200)
  assert.deepEqual([(await stored(id)).message, await notices(id)], ['Second message', [bela.id]])
  assert.equal((await stored(id)).status, 'Contacted')
})

test('the owner hears of an enquiry through a key that does not see the lead, whose answer says nothing of it', async () => {
  const { id, name, phone } = await lead('Hidden', { assigned_to: chand.email })
  const { status, body } = await bela.send('POST', '/api/v1/leads', { name, phone, notes: 'From elsewhere' })
  assert.deepEqual([status, body.data.id, body.data.notes], [200, id, 'From elsewhere'])
  assert.ok(!JSON.stringify(body).includes('enquired'))
  assert.deepEqual([(await stored(id)).message, await notices(id)], ['From elsewhere', [chand.id]])
})

test('events of calls, users of the web app and replays are no enquiries', async () => {
  const { id, name, phone } = await lead('Quiet', { status: 'Won' })
  const event = {
    call_id: 'c-1',
    event: 'call.completed',
    direction: 'inbound',
    from: phone,
    duration: 40,
    status: 'answered',
  }
  assert.equal((await webhook.send(event)).status, 200)
  assert.equal((await agent!.send('POST', '/web/leads', { name, phone, notes: 'A walk-in' })).status, 200)
  assert.deepEqual([(await stored(id)).enquired, await notices(id)], [false, []])
  await webhook.send({ name: 'Replayed', phone: '9849999999', message: 'Once' })
  const [delivery] = await app.owner`select id, lead_id from deliveries order by received_at desc limit 1`
  const { status } = await admin!.send('POST', `/web/deliveries/${delivery!.id}/replay`)
  assert.equal(status, 200)
  assert.deepEqual([(await stored(delivery!.lead_id)).enquired, await notices(delivery!.lead_id)], [false, []])
})

test('an unassigned lead who enquires again is in the own queue of an Admin, and notifies no one', async () => {
  const open = await webhookOf(app, acme)
  const person = { name: 'Unassigned Uma', phone: String(++phone) }
  const { id } = (await open.send(person)).body.data
  await anHourLater(id)
  await open.send({ ...person, message: 'Still looking' })
  assert.deepEqual(await notices(id), [])
  assert.deepEqual(await queued(person.name, admin), ['enquired_again', 'Still looking'])
  assert.equal(await queued(person.name, agent), undefined)
})

test('deleting the lead removes its enquiry', async () => {
  const { id, name, phone } = await lead('Deleted')
  await webhook.send({ name, phone, message: 'Gone soon' })
  assert.equal((await admin!.send('DELETE', `/web/leads/${id}`)).status, 200)
  assert.deepEqual(await notices(id), [])
  assert.ok(!(await listed('enquired_again', admin!)).includes(name))
})
