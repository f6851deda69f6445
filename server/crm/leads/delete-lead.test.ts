import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { type Player, people } from '#test/people.ts'
import { assertCountsHold, world } from '#test/records.ts'
import { createWebhook } from '../../intake/webhooks/store.ts'
import { asActor } from '../../platform/database/actor.ts'

const app = await testApp()
after(app.close)
const { acme, asha, meena, bela, chand, zoya } = await people(app)
const { owner, database } = app

let made = 0
async function newLead(player: Player, headers = {}) {
  const lead = { name: 'Personal Name', phone: `98${30_000_000 + ++made}`, city: 'Personal City' }
  const { status, body } = await player.send('POST', '/api/v1/leads', lead, headers)
  assert.equal(status, 201)
  return { id: body.data.id as string, ...lead }
}

const call = (player: Player, lead_id: string, fields = {}) =>
  player.send('POST', '/api/v1/call-logs', { lead_id, call_type: 'Inbound', duration_seconds: 60, ...fields })

test('deleting a lead deletes its calls, timeline, stored answers and counts, and changes no other lead', async () => {
  const other = await newLead(bela)
  await call(bela, other.id)
  const before = await world(owner)
  const lead = await newLead(bela, { 'idempotency-key': 'lead' })
  await call(bela, lead.id)
  await call(bela, lead.id, { call_type: 'Outbound', called_at: '2026-01-01T00:00:00Z' })
  const key = { lead_id: lead.id, call_type: 'Inbound', duration_seconds: 1 }
  await bela.send('POST', '/api/v1/call-logs', key, { 'idempotency-key': 'call' })
  const answer = await bela.send('DELETE', `/api/v1/leads/${lead.id}`)
  assert.deepEqual([answer.status, answer.body], [200, { data: { id: lead.id, deleted: true } }])
  const after = await world(owner)
  for (const table of ['leads', 'call_logs', 'timeline_entries', 'idempotency_keys']) {
    assert.deepEqual(after[table], before[table])
  }
  await assertCountsHold(owner)
  assert.equal((await bela.send('DELETE', `/api/v1/leads/${lead.id}`)).status, 404)
  assert.equal((await call(bela, lead.id)).status, 404)
  const list = await bela.send('GET', `/api/v1/call-logs?lead_id=${lead.id}`)
  assert.deepEqual(list.body.pagination.total, 0)
})

test('the audit log contains who deleted which id, and no data of the lead', async () => {
  const lead = await newLead(chand)
  await asha.send('DELETE', `/api/v1/leads/${lead.id}`)
  const entries = await owner`select * from audit_log where subject_id = ${lead.id} order by id`
  assert.deepEqual(
    entries.map(({ action, user_id, via_id }) => [action, user_id, via_id]),
    [
      ['lead.created', chand.id, chand.key.id],
      ['lead.deleted', asha.id, asha.key.id],
    ],
  )
  assert.doesNotMatch(JSON.stringify(await world(owner)), new RegExp(lead.phone))
})

test('deleting a lead removes its data from deliveries for every role, and keeps the deliveries', async () => {
  const webhook = await asActor(database, acme, (tx) =>
    createWebhook(tx, acme, {
      name: 'Site',
      source_label: 'Site',
      default_assignee: bela.id,
    }),
  )
  const body = { name: 'Delivered', phone: '9811223344', message: 'Secret message' }
  for (const sent of [body, { ...body, message: 'Another' }, { name: 'Kept', phone: '9811223355' }]) {
    const { status } = await asha.send('POST', `/webhook/${webhook.token}`, sent)
    assert.equal(status, 200)
  }
  const [first, kept] =
    await owner`select lead_id as id, body from deliveries where outcome = 'created' order by received_at`
  assert.equal((await bela.send('DELETE', `/api/v1/leads/${first!.id}`)).status, 200)
  const left = await owner`select outcome, body, picks, warnings, error from deliveries where lead_id = ${first!.id}`
  assert.deepEqual(left.map(({ outcome }) => outcome).sort(), ['created', 'merged'])
  for (const { body, picks, warnings, error } of left) {
    assert.deepEqual([body, picks, warnings, error], [null, [], [], null])
  }
  assert.deepEqual((await owner`select body from deliveries where lead_id = ${kept!.id}`)[0]!.body, kept!.body)
  assert.doesNotMatch(JSON.stringify(await world(owner)), /Secret message|Delivered/)
})

test('a submission after its lead was deleted creates a new lead', async () => {
  const lead = await newLead(asha)
  await asha.send('DELETE', `/api/v1/leads/${lead.id}`)
  const again = await asha.send('POST', '/api/v1/leads', { name: 'Again', phone: lead.phone })
  assert.equal(again.status, 201)
  assert.notEqual(again.body.data.id, lead.id)
})

test('a lead that is not visible, unknown or misspelled is not deleted, and nothing changes', async () => {
  const [ofAsha, ofBela, ofChand] = [await newLead(asha), await newLead(bela), await newLead(chand)]
  const before = await world(owner)
  for (const [player, id, status, field] of [
    [bela, ofAsha.id, 404],
    [bela, ofChand.id, 404],
    [meena, ofAsha.id, 404],
    [meena, ofChand.id, 404],
    [zoya, ofAsha.id, 404],
    [zoya, ofBela.id, 404],
    [asha, randomUUID(), 404],
    [asha, '00000000-0000-0000-0000-000000000000', 404],
    [asha, 'not-a-uuid', 400, 'id'],
    [asha, `${ofAsha.id}0`, 400, 'id'],
    [asha, '%00', 400, 'id'],
  ] as const) {
    const answer = await player.send('DELETE', `/api/v1/leads/${id}`)
    assert.deepEqual([answer.status, answer.body.error.field], [status, field], JSON.stringify(answer.body))
    assert.equal(answer.body.error.code, status === 404 ? 'NOT_FOUND' : 'INVALID_PARAM')
  }
  assert.deepEqual(await world(owner), before)
  assert.equal((await meena.send('DELETE', `/api/v1/leads/${ofBela.id.toUpperCase()}`)).status, 200)
})

test('a lead and its calls can be deleted at the same moment', async () => {
  for (let round = 0; round < 6; round++) {
    const lead = await newLead(asha)
    const calls = await Promise.all(Array.from({ length: 6 }, () => call(asha, lead.id)))
    const answers = await Promise.all([
      ...calls.slice(0, 3).map(({ body }) => asha.send('DELETE', `/api/v1/call-logs/${body.data.id}`)),
      asha.send('DELETE', `/api/v1/leads/${lead.id}`),
      ...calls.slice(3).map(({ body }) => asha.send('DELETE', `/api/v1/call-logs/${body.data.id}`)),
      call(asha, lead.id),
    ])
    assert.deepEqual(
      answers.filter(({ status }) => ![200, 201, 404].includes(status)),
      [],
    )
    await assertCountsHold(owner)
  }
})
