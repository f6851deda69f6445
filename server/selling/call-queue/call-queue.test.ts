import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { enquiredEarlier } from '#test/enquired-earlier.ts'
import { people, signedIn } from '#test/people.ts'
import { auditOf, timelineOf, world } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { retryAt } from '../../crm/leads/retry-at.ts'

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

test('the queue is of the owner: what came just now first, then promises, missed calls, retries, and what has no next step', async () => {
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
  assert.deepEqual(await queue(), ['missed Missed', 'new First', 'no_next_step Talked'])
  hours(24)
  await lead('Second')
  hours(0.1)
  await lead('Third')
  await lead('Contacted', { status: 'Contacted' })
  const reached = ['not_reached Unreached', 'not_reached Busy']
  const fresh = ['new Third', 'new Second']
  const recent = ['missed Missed', 'new First']
  const all = [...fresh, 'due Due', ...recent, ...reached, 'no_next_step Talked', 'never_called Contacted']
  assert.deepEqual(await queue(), all)
  const { body } = await agent!.send('GET', '/web/call-queue')
  const none = { enquired_again: 0, going_cold: 0 }
  const some = { due: 1, missed: 1, no_next_step: 1, never_called: 1 }
  assert.deepEqual(body.data.counts, { ...some, new: 3, not_reached: 2, ...none })
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
    [body.data.leads[2].since, body.data.leads[2].call_again_at, body.data.leads[5].attempts],
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

test('unassigned leads are in the own queue of an Admin only, unless they are offered to users', async () => {
  const webhook = await webhookOf(app, acme)
  const { body } = await webhook.send({ name: 'Of no one', phone: String(++phone) })
  const offer = async (due: Date | null) => {
    await app.owner`delete from lead_offers where lead_id = ${body.data.id}`
    if (due) {
      await app.owner`insert into lead_offers (account_id, lead_id, rule_id, offered_to, offered_at, due_at)
        values (${acme.account_id}, ${body.data.id}, gen_random_uuid(), '{}', ${now}, ${due})`
    }
  }
  assert.deepEqual(await queue(admin!), ['new Of no one'])
  await offer(now)
  assert.deepEqual(await queue(admin!), [])
  await offer(null)
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
  await call(body.data.id, { outcome: 'No Answer' })
  await call(body.data.id, { outcome: 'No Answer' })
  await call(body.data.id, { outcome: 'No Answer' })
  assert.deepEqual(await queue(admin!), [])
  hours(48)
  assert.deepEqual(await queue(admin!), ['not_reached Of no one'])
  await call(body.data.id, { outcome: 'Completed', duration_seconds: 5 })
  assert.deepEqual(await queue(admin!), ['no_next_step Of no one'])
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
  assert.ok((await queue()).includes('no_next_step Later'))
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

test('a promise is first ten minutes before its time, and overdue ones come after a hundred fresh leads', async () => {
  const [later, sooner, missed] = [await lead('Later due'), await lead('Sooner due'), await lead('Missed one')]
  await again(later, new Date(now.getTime() + 190 * 60_000).toISOString())
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
  assert.equal(listed[0], 'due Later due')
  assert.ok(listed.slice(1).every((one) => one.startsWith('new New')))
  assert.equal(listed.length, 50)
  assert.deepEqual(await queue(admin, `?assigned_to=${chand.email}&reason=due`), ['due Later due', 'due Sooner due'])
})

test('of a closed lead, only what the customer did since is in the queue', async () => {
  const id = await lead('Closed', { status: 'Qualified' })
  const reasons = async () => (await queue()).filter((one) => one.endsWith(' Closed'))
  await call(id, { call_type: 'Inbound', outcome: 'Missed' })
  await again(id, new Date(now.getTime() + 60_000).toISOString())
  hours(1)
  assert.deepEqual(await reasons(), ['missed Closed'])
  await agent!.send('PATCH', `/web/leads/${id}`, { status: 'Lost' })
  assert.deepEqual(await reasons(), [])
  hours(1)
  await call(id, { call_type: 'Inbound', outcome: 'Missed' })
  assert.deepEqual(await reasons(), ['missed Closed'])
  await call(id, { outcome: 'Completed', duration_seconds: 60 })
  hours(1)
  await call(id, { outcome: 'Completed', duration_seconds: 60 })
  assert.deepEqual(await reasons(), [])
  const [{ phone: number } = { phone: '' }] = await app.owner`select phone from leads where id = ${id}`
  hours(1)
  await enquiredEarlier(app.owner)
  await asha.send('POST', '/api/v1/leads', { name: 'Closed', phone: number, notes: 'Wants a lift' })
  assert.deepEqual(await reasons(), ['enquired_again Closed'])
  // Closing it deals with the enquiry.
  hours(1)
  await agent!.send('PATCH', `/web/leads/${id}`, { status: 'Won' })
  assert.deepEqual(await reasons(), [])
})

test('each open lead of an owner is in the queue, or its call is planned or waits to be retried, or a user chose that nothing follows', async () => {
  const own = { assigned_to: meena.email }
  const statuses = ['New', 'Contacted', 'Qualified', 'Proposal', 'Won', 'Lost']
  const outcomes = ['Completed', 'Busy', 'No Answer', 'Voicemail', 'Missed']
  // A fixed sequence: a failure is the same in each run.
  let seed = 56
  const random = (n: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(seed / 65_536) % n
  }
  const days = (n: number) => new Date(now.getTime() + n * 86_400_000)
  const ids = await Promise.all(Array.from({ length: 45 }, (_, n) => lead(`Any ${n}`, own)))
  for (let round = 0; round < 6; round++) {
    for (const id of ids) {
      const change = [
        { status: statuses[random(statuses.length)]! },
        { call_again_at: days(random(6) - 2).toISOString() },
        { call_again_at: null },
        { no_next_step: 'Wait for the customer' },
        null,
      ][random(5)]
      if (change) await admin!.send('PATCH', `/web/leads/${id}`, change)
      if (random(3) > 0) continue
      const outcome = outcomes[random(outcomes.length)]!
      const call_type = outcome === 'Missed' || random(4) === 0 ? 'Inbound' : 'Outbound'
      await call(id, { call_type, outcome, duration_seconds: random(2) * 60 })
    }
    hours([0.2, 3, 20, 50, 200, 900][round]!)
    const listed = new Set((await queue(manager!)).map((one) => one.slice(one.indexOf(' ') + 1)))
    const rows = await app.owner<
      { name: string; attempts: number; last_call_at: Date; planned: boolean; decided: boolean; unreached: boolean }[]
    >`select name, attempts, last_call_at, coalesce(call_again_at > ${now}, false) as planned, no_next_step is not null as decided,
        coalesce(last_call_outcome in ('No Answer', 'Busy', 'Voicemail') and last_call_at >= ${days(-30)}, false) as unreached
      from leads where assigned_to = ${meena.id} and status not in ('Won', 'Lost')`
    const setting = { firstRetryAfter: 120, hours: { days: [1, 2, 3, 4, 5, 6], from: 540, until: 1140 } }
    const waits = (row: (typeof rows)[number]) => row.unreached && retryAt(row, setting) > now
    const forgotten = rows.filter((row) => !(listed.has(row.name) || row.planned || row.decided || waits(row)))
    assert.deepEqual([...forgotten], [])
    assert.ok(rows.length > 15 && listed.size > 10)
  }
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
  assert.equal(body.data.leads.find(({ id }: { id: string }) => id === called).last_call_notes.notes, notes)
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
