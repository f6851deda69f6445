import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { timelineOf, world } from '#test/records.ts'

const app = await testApp()
after(app.close)
const { asha, bela, meena } = await people(app)
const [admin, agent] = [await signedIn(app, asha), await signedIn(app, bela)]

const leadOf = async (number: number, more: object = {}) => {
  const lead = { name: 'Ravi', phone: `98300${String(number).padStart(5, '0')}`, assigned_to: bela.email, ...more }
  return (await asha.send('POST', '/api/v1/leads', lead)).body.data.id as string
}
const reasonOf = async (id: string) => (await admin.send('GET', `/web/leads/${id}`)).body.data.lost_reason

test('a user says why a lead is lost, which its timeline has, and undoes it; a lead that is open again has no reason', async () => {
  const id = await leadOf(1)
  const lost = await agent.send('PATCH', `/web/leads/${id}`, { status: 'Lost', lost_reason: 'Too expensive' })
  assert.deepEqual([lost.status, lost.body.previous], [200, { status: 'New', lost_reason: null }])
  assert.match((await timelineOf(app.owner, id)).at(-1)!.summary, /lost reason: none → Too expensive/)
  const reopened = await agent.send('PATCH', `/web/leads/${id}`, { status: 'Qualified' })
  assert.deepEqual(reopened.body.previous, { status: 'Lost', lost_reason: 'Too expensive' })
  assert.equal(await reasonOf(id), null)
  assert.equal((await agent.send('PATCH', `/web/leads/${id}`, reopened.body.previous)).status, 200)
  assert.equal(await reasonOf(id), 'Too expensive')
  // A merge knows no reasons, and opens the lead.
  const merge = { name: 'Ravi', phone: '9830000001', status: 'Contacted' }
  const { body } = await asha.send('POST', '/api/v1/leads', merge)
  assert.deepEqual([body.data.id, 'lost_reason' in body.data, await reasonOf(id)], [id, false, null])
})

test('a call that ends a lead brings the reason, and the list is filtered by it', async () => {
  const id = await leadOf(2)
  const call = { call_type: 'Outbound', duration_seconds: 5, status: 'Lost', lost_reason: 'Not reachable' }
  assert.equal((await agent.send('POST', `/web/leads/${id}/calls`, call)).status, 201)
  const list = async (reason: string) =>
    (await agent.send('GET', `/web/leads?lost_reason=${reason}`)).body.data.map(({ id }: { id: string }) => id)
  assert.deepEqual(await list('Not%20reachable'), [id])
  assert.deepEqual(await list('Bought%20elsewhere'), [])
})

test('a reason is one of the account, and of a lead in Lost', async () => {
  const id = await leadOf(3)
  const before = await world(app.owner)
  for (const change of [
    { lost_reason: 'Too expensive' },
    { status: 'Won', lost_reason: 'Too expensive' },
    { status: 'Lost', lost_reason: 'Of another account' },
    { status: 'Lost', lost_reason: 'x'.repeat(101) },
  ]) {
    const { status, body } = await agent.send('PATCH', `/web/leads/${id}`, change)
    assert.deepEqual([status, body.error.field], [400, 'lost_reason'])
  }
  assert.deepEqual(await world(app.owner), before)
})

test('deal values are summed of what the reader sees, of few leads and of a search', async () => {
  await leadOf(4, { deal_value: 100_000.25, city: 'Pune' })
  await leadOf(5, { deal_value: 250_000, status: 'Won', city: 'Pune' })
  await leadOf(6, { deal_value: 900, assigned_to: asha.email, city: 'Pune' })
  const sum = async (who: typeof admin, query: string) => (await who.send('GET', `/web/leads/value?${query}`)).body.data
  assert.deepEqual(await sum(admin, ''), { all: 350_900.25, won: 250_000 })
  assert.deepEqual(await sum(agent, 'city=Pune'), { all: 350_000.25, won: 250_000 })
  assert.deepEqual(await sum(await signedIn(app, meena), 'search=pune&status=Won'), { all: 250_000, won: 250_000 })
  assert.deepEqual(await sum(agent, 'search=zzz'), { all: 0, won: 0 })
})
