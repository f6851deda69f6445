import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { enquiredEarlier } from '#test/enquired-earlier.ts'
import { people, signedIn } from '#test/people.ts'
import { timelineOf, world } from '#test/records.ts'
import { until } from '#test/until.ts'

let now = new Date('2026-11-24T05:00:00Z')
const app = await testApp({}, () => now)
after(app.close)
const { asha, bela } = await people(app)
const [admin, agent] = [(await signedIn(app, asha))!, (await signedIn(app, bela))!]

let phone = 9_830_000_000
const leadOf = async (more: object = {}) => {
  const lead = { name: 'Ravi', phone: String(++phone), assigned_to: bela.email, ...more }
  return (await asha.send('POST', '/api/v1/leads', lead)).body.data as { id: string; phone: string }
}
const change = async (id: string, body: object, browser = agent) => {
  const answer = await browser.send('PATCH', `/web/leads/${id}`, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.previous
}
const call = async (id: string, more: object = {}) => {
  const body = { call_type: 'Outbound', duration_seconds: 60, ...more }
  const answer = await agent.send('POST', `/web/leads/${id}/calls`, body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.previous
}
const stepOf = async (id: string) => {
  const { call_again_at, no_next_step } = (await admin.send('GET', `/web/leads/${id}`)).body.data
  return call_again_at ?? no_next_step
}
const lastEntry = async (id: string) => (await timelineOf(app.owner, id)).at(-1)!.summary
const later = (minutes = 1) => {
  now = new Date(now.getTime() + minutes * 60_000)
}
const at = '2026-11-25T05:00:00Z'
const why = 'Wait for the customer'

test('a user says why there is no next step, instead of a time to call again, and undoes it', async () => {
  const { id } = await leadOf()
  await change(id, { call_again_at: at })
  const previous = await change(id, { no_next_step: why })
  assert.deepEqual(previous, { call_again_at: at, no_next_step: null })
  assert.equal(await stepOf(id), why)
  const words = `Bela changed call again at: 25 Nov 2026, 10:30 → none, no next step: none → ${why}.`
  assert.equal(await lastEntry(id), words)
  assert.deepEqual(await change(id, { no_next_step: why }), {})
  assert.deepEqual(await change(id, previous), { call_again_at: null, no_next_step: why })
  assert.equal(await stepOf(id), at)
  const { body } = await asha.send('GET', `/api/v1/leads?limit=100`)
  assert.ok(body.data.every((lead: object) => !('no_next_step' in lead || 'closed_at' in lead)))
})

test('it comes with a call, and ends with a later call, an enquiry, another status and a time to call again', async () => {
  const { id, phone } = await leadOf()
  assert.deepEqual(await call(id, { no_next_step: why }), { no_next_step: null })
  assert.equal(await stepOf(id), why)
  // A call that was before the choice.
  await asha.send('POST', '/api/v1/call-logs', {
    lead_id: id,
    call_type: 'Outbound',
    duration_seconds: 9,
    called_at: new Date(now.getTime() - 60_000).toISOString(),
  })
  assert.equal(await stepOf(id), why)
  later()
  assert.deepEqual(await call(id), { no_next_step: why })
  assert.equal(await stepOf(id), null)

  await change(id, { no_next_step: why })
  later()
  await enquiredEarlier(app.owner)
  await asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone, notes: 'Wants a lift' })
  assert.equal(await stepOf(id), null)

  await change(id, { no_next_step: why })
  assert.deepEqual(await change(id, { status: 'Qualified' }), { status: 'New', no_next_step: why })
  assert.equal(await stepOf(id), null)
  await change(id, { status: 'Proposal', no_next_step: why })
  assert.equal(await stepOf(id), why)
  await asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone, status: 'Contacted' })
  assert.equal(await stepOf(id), null)
  assert.match(await lastEntry(id), /no next step: Wait for the customer → none/)

  await change(id, { no_next_step: why })
  assert.deepEqual(await change(id, { call_again_at: at }), { call_again_at: null, no_next_step: why })
  assert.equal(await stepOf(id), at)
})

test('a time and a reason at once, and a reason that is too long, are rejected', async () => {
  const { id } = await leadOf()
  const before = await world(app.owner)
  for (const wrong of [{ no_next_step: why, call_again_at: at }, { no_next_step: 'x'.repeat(201) }]) {
    const logged = { call_type: 'Outbound', duration_seconds: 60, ...wrong }
    for (const answer of [
      await agent.send('PATCH', `/web/leads/${id}`, wrong),
      await agent.send('POST', `/web/leads/${id}/calls`, logged),
    ])
      assert.deepEqual([answer.status, answer.body.error.field], [400, 'no_next_step'])
  }
  assert.deepEqual(await world(app.owner), before)
})

test('closing a lead ends its promise, undo brings it back, and opening the lead again does not', async () => {
  const { id, phone } = await leadOf()
  const rows = () =>
    app.owner`select closed_at = updated_at as closed, closed_at, remind_at, call_again_at from leads where id = ${id}`
  await change(id, { call_again_at: at })
  const closed = await change(id, { status: 'Lost' })
  assert.deepEqual(closed, { status: 'New', call_again_at: at })
  assert.equal(await lastEntry(id), 'Bela changed status: New → Lost, call again at: 25 Nov 2026, 10:30 → none.')
  const isClosed = async () => (await rows()).map(({ closed, remind_at }) => [closed, remind_at])
  assert.deepEqual(await isClosed(), [[true, null]])
  await change(id, closed)
  assert.deepEqual(
    [...(await rows())],
    [{ closed: null, closed_at: null, remind_at: new Date(at), call_again_at: new Date(at) }],
  )

  later()
  assert.equal((await asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone, status: 'Won' })).status, 200)
  assert.match(await lastEntry(id), /status: New → Won, call again at: 25 Nov 2026, 10:30 → none/)
  assert.equal(await stepOf(id), null)
  later()
  await change(id, { status: 'Lost' })
  assert.deepEqual(await isClosed(), [[true, null]])
  await change(id, { status: 'Contacted' })
  assert.deepEqual([...(await rows())], [{ closed: null, closed_at: null, remind_at: null, call_again_at: null }])
  // What is promised with or after closing is meant.
  await change(id, { status: 'Won', call_again_at: at })
  assert.equal(await stepOf(id), at)
})

test('a bulk change and a call that close leads end their promises, and their undo brings them back', async () => {
  const { id } = await leadOf()
  await change(id, { call_again_at: at })
  const closed = await call(id, { status: 'Won' })
  assert.deepEqual(closed, { status: 'New', call_again_at: at })
  await change(id, closed)

  const { body } = await admin.send('POST', '/web/bulk-changes', { ids: [id], change: { status: 'Lost' } })
  const ended = (wanted: string) =>
    until(async () => {
      const { data } = (await admin.send('GET', `/web/bulk-changes/${body.data.id}`)).body
      return data.state === wanted
    }, wanted)
  await ended('done')
  assert.equal(await stepOf(id), null)
  await admin.send('POST', `/web/bulk-changes/${body.data.id}/undo`, {})
  await ended('undone')
  assert.equal(await stepOf(id), at)
})

test('merging with a lead that is won ends the promise, and undoing the merge brings it back', async () => {
  const [kept, won] = [await leadOf(), await leadOf({ status: 'Won' })]
  await change(kept.id, { call_again_at: at })
  const { data } = (await admin.send('GET', `/web/leads/${kept.id}/comparison?other_id=${won.id}`)).body
  const versions = { updated_at: data.kept.updated_at, other_updated_at: data.other.updated_at }
  const merge = { other_id: won.id, take: ['status'], ...versions }
  const merged = await admin.send('POST', `/web/leads/${kept.id}/merge`, merge)
  assert.equal(merged.status, 200, JSON.stringify(merged.body))
  assert.equal(await stepOf(kept.id), null)
  assert.match(await lastEntry(kept.id), /status: New → Won, .*call again at: 25 Nov 2026, 10:30 → none/)
  assert.equal((await admin.send('DELETE', `/web/leads/${kept.id}/merge`)).status, 200)
  assert.equal(await stepOf(kept.id), at)
  const rows = await app.owner`select id, closed_at is null as is_open from leads where id in (${kept.id}, ${won.id})`
  assert.deepEqual(
    new Map(rows.map(({ id, is_open }) => [id, is_open])),
    new Map([
      [kept.id, true],
      [won.id, false],
    ]),
  )
})
