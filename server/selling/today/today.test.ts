import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { world } from '#test/records.ts'
import { type PromisedCall, promiseGroups, type Today } from './contract.ts'

/** Tuesday, 10:30 in India. */
let now = new Date('2026-11-24T05:00:00Z')
const app = await testApp({}, () => now)
after(app.close)
const { asha, meena, bela, chand, zoya } = await people(app)
const [admin, manager, agent, stranger] = await Promise.all(
  [asha, meena, bela, zoya].map(async (person) => (await signedIn(app, person))!),
)

let phone = 9_820_000_000
async function promised(name: string, at: string, assigned_to: string | null = bela.email): Promise<string> {
  const body = { name, phone: String(++phone), assigned_to: assigned_to ?? bela.email }
  const { body: answer } = await asha.send('POST', '/api/v1/leads', body)
  const { id } = answer.data
  const change = { call_again_at: at, ...(assigned_to === null ? { assigned_to } : {}) }
  assert.equal((await admin!.send('PATCH', `/web/leads/${id}`, change)).status, 200)
  return id
}
async function today(browser = agent!, query = ''): Promise<Today> {
  const { status, body } = await browser.send('GET', `/web/today${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}
const names = (data: Today) =>
  Object.fromEntries(promiseGroups.map((group) => [group, data[group].calls.map(({ name }) => name).join()]))

test('promised calls are overdue, today, tomorrow and in the days after, each owner sees their own, and a team those of all', async () => {
  await promised('Now', '2026-11-24T05:00:00Z')
  await promised('Last week', '2026-11-17T05:00:00Z')
  await promised('Soon', '2026-11-24T05:00:01Z')
  await promised('Before midnight', '2026-11-24T18:29:59Z')
  await promised('Midnight', '2026-11-24T18:30:00Z')
  await promised('Sunday', '2026-11-29T18:00:00Z')
  await promised('Next week', '2026-12-01T05:00:00Z')
  await promised('In a month', '2026-12-24T05:00:00Z')
  await promised('Of Chand', '2026-11-24T06:00:00Z', chand.email)
  await promised('Of no one', '2026-11-24T07:00:00Z', null)
  const own = { overdue: 'Last week,Now', today: 'Soon,Before midnight', tomorrow: 'Midnight', later: 'Sunday' }
  assert.deepEqual(names(await today()), own)
  assert.deepEqual(names(await today(manager!, `?assigned_to=${bela.email}`)), own)
  assert.deepEqual(names(await today(manager!, '?team=true')), own)
  assert.deepEqual(names(await today(agent!, '?team=true')), own)
  const nothing = { overdue: '', today: '', tomorrow: '', later: '' }
  for (const browser of [admin!, manager!]) assert.deepEqual(names(await today(browser)), nothing)
  assert.deepEqual(names(await today(stranger!, '?team=true')), nothing)
  const all = await today(admin!, '?team=true')
  assert.deepEqual(names(all), { ...own, today: 'Soon,Of Chand,Of no one,Before midnight' })
  assert.deepEqual(
    all.today.calls.map(({ owner, assigned_to }) => [owner, assigned_to]),
    [bela, chand, null, bela].map((user) => (user ? [user === bela ? 'Bela' : 'Chand', user.email] : [null, null])),
  )
})

test('an entry has the note of the last call, and a call that is moved or made leaves its group', async () => {
  const id = await promised('Noted', '2026-11-24T08:00:00Z')
  const find = async (group: keyof Today) => (await today())[group].calls.find((call: PromisedCall) => call.id === id)
  for (const notes of ['First', 'Wants a visit']) {
    const call = { call_type: 'Outbound', outcome: 'Busy', duration_seconds: 0, notes, called_at: now.toISOString() }
    assert.equal((await agent!.send('POST', `/web/leads/${id}/calls`, call)).status, 201)
    now = new Date(now.getTime() + 60_000)
  }
  const noted = { last_call_notes: { called_at: '2026-11-24T05:01:00Z', notes: 'Wants a visit' } }
  const kept = async () => {
    const { last_call_notes, last_call_at } = (await find('today'))!
    return { last_call_notes, last_call_at }
  }
  assert.deepEqual(await kept(), { ...noted, last_call_at: '2026-11-24T05:01:00Z' })
  // A later call without notes does not hide them.
  const later = { call_type: 'Outbound', outcome: 'Busy', duration_seconds: 0, called_at: now.toISOString() }
  assert.equal((await agent!.send('POST', `/web/leads/${id}/calls`, later)).status, 201)
  assert.deepEqual(await kept(), { ...noted, last_call_at: '2026-11-24T05:02:00Z' })
  await agent!.send('PATCH', `/web/leads/${id}`, { call_again_at: '2026-11-25T08:00:00Z' })
  assert.equal((await find('tomorrow'))?.name, 'Noted')
  now = new Date('2026-11-25T08:10:00Z')
  assert.equal((await find('overdue'))?.name, 'Noted')
  const call = { call_type: 'Outbound', outcome: 'No Answer', duration_seconds: 0 }
  assert.equal((await agent!.send('POST', `/web/leads/${id}/calls`, call)).status, 201)
  assert.equal(await find('overdue'), undefined)
})

test('a group shows 100 calls and counts 1,000', async () => {
  await app.owner`update leads set call_again_at = '2026-11-26T08:00:00Z' where assigned_to = ${chand.id}`
  await app.owner`insert into leads (account_id, id, name, phone, phone_key, source, status, priority, assigned_to, created_at,
      updated_at, call_again_at)
    select account_id, gen_random_uuid(), 'Lead ' || n, n, n, 'API', 'New', 'Low', assigned_to, now(), now(),
      ${now}::timestamptz + interval '1 second' * (n % 7200) from leads, generate_series(1, 1200) as n where name = 'Of Chand'`
  const { today: group } = await today(admin!, `?assigned_to=${chand.email}`)
  assert.deepEqual([group.calls.length, group.count], [100, 1000])
})

test('nobody reads the promised calls of users whose leads they do not see', async () => {
  const before = await world(app.owner)
  for (const [browser, email] of [
    [agent!, chand.email],
    [manager!, chand.email],
    [stranger!, bela.email],
    [admin!, 'nobody'],
  ] as const) {
    const { status, body } = await browser.send('GET', `/web/today?assigned_to=${email}`)
    assert.deepEqual([status, body.error.field], [400, 'assigned_to'])
  }
  assert.deepEqual(await world(app.owner), before)
})
