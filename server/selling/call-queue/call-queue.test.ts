import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { auditOf, timelineOf, world } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'

let now = new Date('2026-11-21T05:00:00Z')
const app = await testApp({}, () => now)
after(app.close)
const { acme, asha, meena, bela, chand, zoya } = await people(app)
const [admin, manager, agent, stranger] = await Promise.all(
  [asha, meena, bela, zoya].map(async (person) => (await signedIn(app, person))!),
)

const hours = (n: number) => {
  now = new Date(now.getTime() + n * 3_600_000)
}
let phone = 9_820_000_000
async function lead(name: string, more: object = {}): Promise<string> {
  const body = { name, phone: String(++phone), assigned_to: bela.email, ...more }
  const { status, body: answer } = await asha.send('POST', '/api/v1/leads', body)
  assert.equal(status, 201, JSON.stringify(answer))
  return answer.data.id
}
const call = async (id: string, more: object) => {
  const body = { lead_id: id, call_type: 'Outbound', duration_seconds: 0, ...more }
  assert.equal((await asha.send('POST', '/api/v1/call-logs', body)).status, 201)
}
async function queue(browser = agent!, query = ''): Promise<string[]> {
  const { status, body } = await browser.send('GET', `/web/call-queue${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data.leads.map(({ name, reason }: { name: string; reason: string }) => `${reason} ${name}`)
}
const again = (id: string, at: string | null, browser = agent!) =>
  browser.send('PATCH', `/web/leads/${id}`, { call_again_at: at })

test('the queue is of the owner: promised calls first, then missed calls, new leads, leads not reached and never called', async () => {
  const unreached = await lead('Unreached')
  const busy = await lead('Busy')
  const lost = await lead('Lost', { status: 'Lost' })
  const talked = await lead('Talked')
  const due = await lead('Due', { status: 'Qualified' })
  const missed = await lead('Missed', { status: 'Contacted' })
  await lead('Of Chand', { assigned_to: chand.email })
  await call(unreached, { outcome: 'No Answer' })
  await call(lost, { outcome: 'No Answer' })
  await call(talked, { outcome: 'Completed', duration_seconds: 90 })
  hours(1)
  await call(busy, { outcome: 'Busy' })
  assert.equal((await again(due, '2026-11-21T09:00:00Z')).status, 200)
  await call(missed, { call_type: 'Inbound', outcome: 'Missed' })
  await lead('First')
  assert.deepEqual(await queue(), ['missed Missed', 'new First'])
  hours(24)
  await lead('Second')
  hours(0.1)
  await lead('Third')
  await lead('Contacted', { status: 'Contacted' })
  const reached = ['not_reached Unreached', 'not_reached Busy']
  const all = ['due Due', 'missed Missed', 'new Third', 'new Second', 'new First', ...reached, 'never_called Contacted']
  assert.deepEqual(await queue(), all)
  const { body } = await agent!.send('GET', '/web/call-queue')
  const none = { enquired_again: 0, going_cold: 0 }
  assert.deepEqual(body.data.counts, { due: 1, missed: 1, new: 3, not_reached: 2, never_called: 1, ...none })
  for (const [reason, listed] of [
    ['missed', ['missed Missed']],
    ['not_reached', reached],
    ['going_cold', []],
  ] as const) {
    const group = await agent!.send('GET', `/web/call-queue?reason=${reason}`)
    assert.deepEqual(await queue(agent, `?reason=${reason}`), listed)
    assert.deepEqual(group.body.data.counts, body.data.counts)
  }
  assert.equal((await agent!.send('GET', '/web/call-queue?reason=old')).status, 400)
  assert.deepEqual(
    [body.data.leads[0].since, body.data.leads[0].call_again_at, body.data.leads[5].attempts],
    ['2026-11-21T09:00:00Z', '2026-11-21T09:00:00Z', 1],
  )
  for (const browser of [admin!, manager!]) {
    assert.deepEqual(await queue(browser), [])
    assert.deepEqual(await queue(browser, `?assigned_to=${bela.email}`), all)
  }
})

test('a missed call stays until a conversation or three tries', async () => {
  const [spoken, tried] = [await lead('Spoken', { status: 'Qualified' }), await lead('Tried', { status: 'Qualified' })]
  await call(spoken, { call_type: 'Inbound', outcome: 'Voicemail' })
  await call(tried, { call_type: 'Inbound', outcome: 'Missed' })
  const isQueued = async (name: string) => (await queue()).includes(`missed ${name}`)
  const tries = [{ outcome: 'No Answer' }, { outcome: 'Completed' }, { outcome: 'Busy' }]
  for (const more of tries) {
    assert.deepEqual([await isQueued('Spoken'), await isQueued('Tried')], [true, true])
    hours(0.1)
    await call(tried, more)
  }
  await call(spoken, { call_type: 'Inbound', outcome: 'Missed' })
  assert.deepEqual([await isQueued('Spoken'), await isQueued('Tried')], [true, false])
  hours(0.1)
  await call(spoken, { call_type: 'Inbound', outcome: 'Completed', duration_seconds: 5 })
  assert.equal(await isQueued('Spoken'), false)
})

test('missed calls of unassigned leads are in the own queue of an Admin only', async () => {
  const webhook = await webhookOf(app, acme)
  const { body } = await webhook.send({ name: 'Of no one', phone: String(++phone) })
  await call(body.data.id, { call_type: 'Inbound', outcome: 'Missed' })
  assert.deepEqual(await queue(admin!), ['missed Of no one'])
  for (const [browser, query] of [
    [agent!, ''],
    [manager!, ''],
    [admin!, `?assigned_to=${bela.email}`],
  ] as const) {
    assert.ok(!(await queue(browser, query)).includes('missed Of no one'))
  }
  hours(0.1)
  await call(body.data.id, { outcome: 'Completed', duration_seconds: 5 })
  assert.deepEqual(await queue(admin!), [])
})

test('a lead waits for its time to call again, and a call at that time empties it', async () => {
  const id = await lead('Later')
  assert.ok((await queue()).includes('new Later'))
  const at = new Date(now.getTime() + 2 * 3_600_000).toISOString()
  const { body } = await again(id, at)
  assert.deepEqual([body.data.call_again_at, body.previous], [`${at.slice(0, 19)}Z`, { call_again_at: null }])
  assert.ok(!(await queue()).some((one) => one.endsWith('Later')))
  await call(id, { outcome: 'No Answer' })
  assert.equal((await agent!.send('GET', `/web/leads/${id}`)).body.data.call_again_at, `${at.slice(0, 19)}Z`)
  hours(3)
  assert.ok((await queue()).includes('due Later'))
  await call(id, { outcome: 'Completed', duration_seconds: 30 })
  assert.ok(!(await queue()).some((one) => one.endsWith('Later')))
  assert.equal((await agent!.send('GET', `/web/leads/${id}`)).body.data.call_again_at, null)
})

test('a time to call again is on the timeline and in the audit log, can be emptied, and is not in the API', async () => {
  const id = await lead('Planned')
  await again(id, '2026-12-01T04:30:00+05:30')
  await again(id, '2026-12-01T04:30:00+05:30')
  await again(id, null)
  const entries = await timelineOf(app.owner, id)
  assert.deepEqual(entries.map(({ summary }) => summary).slice(1), [
    'Bela changed call again at: none → 1 Dec 2026, 04:30.',
    'Bela changed call again at: 1 Dec 2026, 04:30 → none.',
  ])
  assert.deepEqual(
    (await auditOf(app.owner, id)).map(({ details }) => details.fields),
    [undefined, ['call_again_at'], ['call_again_at']],
  )
  const { body } = await asha.send('GET', '/api/v1/leads')
  assert.ok(body.data.every((one: object) => !('call_again_at' in one || 'attempts' in one)))
})

test('promises and missed calls come before a hundred new leads, the oldest promise first', async () => {
  const [later, sooner, missed] = [await lead('Later due'), await lead('Sooner due'), await lead('Missed one')]
  await again(later, new Date(now.getTime() + 2 * 3_600_000).toISOString())
  await again(sooner, new Date(now.getTime() + 3_600_000).toISOString())
  await call(missed, { call_type: 'Inbound', outcome: 'Missed' })
  hours(3)
  const leads = Array.from({ length: 110 }, (_, n) => ({ name: `New ${n}`, phone: String(9_830_000_000 + n) }))
  await Promise.all(leads.map((one) => asha.send('POST', '/api/v1/leads', { ...one, assigned_to: chand.email })))
  for (const id of [later, sooner, missed]) {
    const { status } = await admin!.send('PATCH', `/web/leads/${id}`, { assigned_to: chand.email })
    assert.equal(status, 200)
  }
  const listed = await queue(admin, `?assigned_to=${chand.email}`)
  assert.deepEqual(listed.slice(0, 3), ['due Sooner due', 'due Later due', 'missed Missed one'])
  assert.equal(listed.length, 50)
})

test('a lead going cold is called again, after the days of the account', async () => {
  const called = await lead('Called', { status: 'Proposal' })
  const planned = await lead('Planned call', { status: 'Proposal' })
  await lead('Contacted only', { status: 'Contacted' })
  const notes = 'Wants two rooms, asked for the price list'
  for (const id of [called, planned]) await call(id, { outcome: 'Completed', duration_seconds: 60, notes })
  hours(6 * 24)
  await again(planned, new Date(now.getTime() + 90 * 24 * 3_600_000).toISOString())
  const cold = async () => (await queue(agent, '?reason=going_cold')).filter((one) => /Called|Planned call/.test(one))
  const figure = async (browser = manager!) => (await browser.send('GET', '/web/overview?days=1')).body.data.going_cold
  const listed = async () => {
    const { body } = await admin!.send('GET', `/web/leads?follow_up=going_cold&assigned_to=${bela.email}`)
    return body.data
      .map(({ name }: { name: string }) => name)
      .filter((name: string) => /Called|Planned call/.test(name))
  }
  assert.deepEqual([await cold(), await listed()], [[], []])
  assert.equal((await admin!.send('PATCH', '/web/account', { going_cold_after: 6 })).body.data.going_cold_after, 6)
  assert.deepEqual([await cold(), await listed()], [['going_cold Called'], ['Called']])
  const { body: list } = await admin!.send('GET', '/web/leads?follow_up=going_cold')
  assert.ok(list.pagination.total > 1)
  assert.equal(await figure(admin), list.pagination.total)
  assert.equal(await figure(agent), undefined)
  const { body } = await agent!.send('GET', '/web/call-queue?reason=going_cold')
  assert.equal(body.data.leads.find(({ id }: { id: string }) => id === called).last_call_notes, notes)
  for (const days of [0, 91, 1.5]) {
    const { status, body } = await admin!.send('PATCH', '/web/account', { going_cold_after: days })
    assert.deepEqual([status, body.error.field], [400, 'going_cold_after'])
  }
  await call(called, { outcome: 'Completed', duration_seconds: 60 })
  assert.deepEqual([await cold(), await listed()], [[], []])
  await admin!.send('PATCH', '/web/account', { going_cold_after: 7 })
})

test('nobody reads the queue or plans the calls of leads that they do not see', async () => {
  const id = await lead('Not yours', { assigned_to: chand.email })
  const before = await world(app.owner)
  for (const [browser, email] of [
    [agent!, chand.email],
    [manager!, chand.email],
    [stranger!, bela.email],
    [admin!, 'nobody'],
  ] as const) {
    const { status, body } = await browser.send('GET', `/web/call-queue?assigned_to=${email}`)
    assert.deepEqual([status, body.error.field], [400, 'assigned_to'])
  }
  for (const browser of [agent!, manager!, stranger!]) {
    assert.equal((await again(id, '2026-12-01T04:30:00Z', browser)).status, 404)
  }
  const { status, body } = await again(id, 'tomorrow', admin!)
  assert.deepEqual([status, body.error.field], [400, 'call_again_at'])
  assert.deepEqual(await world(app.owner), before)
})
