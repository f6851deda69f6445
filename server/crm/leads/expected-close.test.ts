import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { timelineOf, world } from '#test/records.ts'

let now = new Date('2026-11-30T05:00:00Z')
const app = await testApp({}, () => now)
after(app.close)
const { asha, bela } = await people(app)
const [admin, agent] = [await signedIn(app, asha), await signedIn(app, bela)]

const leadOf = async (number: number, more: object = {}) => {
  const lead = { name: 'Ravi', phone: `98300${String(number).padStart(5, '0')}`, assigned_to: bela.email, ...more }
  return (await asha.send('POST', '/api/v1/leads', lead)).body.data.id as string
}
const forecastOf = async () => (await admin.send('GET', '/web/reports/users')).body.data.forecast

test('the owner says when a lead is expected to be won, which the timeline and the forecast have, and undoes it', async () => {
  const id = await leadOf(1, { deal_value: 200_000, status: 'Proposal' })
  await leadOf(2, { deal_value: 100_000 })
  const set = (expected_close: string | null) => agent.send('PATCH', `/web/leads/${id}`, { expected_close })
  const { status, body } = await set('2026-12-15')
  assert.deepEqual([status, body.previous, body.data.expected_close], [200, { expected_close: null }, '2026-12-15'])
  assert.match((await timelineOf(app.owner, id)).at(-1)!.summary, /expected close: none → 15 Dec 2026/)
  assert.deepEqual(await forecastOf(), {
    by_status: [
      { status: 'New', probability: 5, leads: 1, value: 100_000, weighted: 5_000 },
      { status: 'Contacted', probability: 10, leads: 0, value: 0, weighted: 0 },
      { status: 'Qualified', probability: 30, leads: 0, value: 0, weighted: 0 },
      { status: 'Proposal', probability: 60, leads: 1, value: 200_000, weighted: 120_000 },
    ],
    by_month: [
      { month: '2026-12', leads: 1, value: 200_000, weighted: 120_000 },
      { month: null, leads: 1, value: 100_000, weighted: 5_000 },
    ],
  })
  now = new Date('2026-12-15T18:30:00Z')
  assert.equal((await forecastOf()).by_month[0].month, 'overdue')
  const undone = await agent.send('PATCH', `/web/leads/${id}`, body.previous)
  assert.deepEqual([undone.status, undone.body.previous], [200, { expected_close: '2026-12-15' }])
  // The REST API does not know it, and a merge keeps it.
  await set('2027-01-01')
  const merged = await asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone: '9830000001', city: 'Pune' })
  assert.equal('expected_close' in merged.body.data, false)
  assert.equal((await agent.send('GET', `/web/leads/${id}`)).body.data.expected_close, '2027-01-01')
  // A closed lead is no part of the forecast.
  assert.equal((await agent.send('PATCH', `/web/leads/${id}`, { status: 'Won' })).status, 200)
  assert.deepEqual((await forecastOf()).by_month, [{ month: null, leads: 1, value: 100_000, weighted: 5_000 }])
})

test('a day that does not exist is rejected', async () => {
  const id = await leadOf(3)
  const before = await world(app.owner)
  for (const expected_close of ['2026-02-30', '15.12.2026', 'soon', 5]) {
    const { status, body } = await agent.send('PATCH', `/web/leads/${id}`, { expected_close })
    assert.deepEqual([status, body.error.field], [400, 'expected_close'])
  }
  assert.deepEqual(await world(app.owner), before)
})
