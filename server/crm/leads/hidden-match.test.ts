import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { type Player, people } from '#test/people.ts'
import { assertCountsHold, auditOf, timelineOf } from '#test/records.ts'
import { createWebhook } from '../../intake/webhooks/store.ts'
import { asActor } from '../../platform/database/actor.ts'

let now = new Date('2026-11-21T05:00:00Z')
const app = await testApp({}, () => now)
after(app.close)
const { acme, asha, meena, bela, chand } = await people(app)
const { owner } = app

const send = (player: Player, lead: object) => player.send('POST', '/api/v1/leads', lead)

/** A lead that Asha keeps for herself, or gives away. */
async function lead(fields: object) {
  const { status, body } = await send(asha, fields)
  assert.equal(status, 201, JSON.stringify(body))
  now = new Date(now.getTime() + 60_000)
  return body.data
}

const rowOf = async (id: string) => (await owner`select * from leads where id = ${id}`)[0]

let made = 0
const newPhone = () => `98${String(20_000_000 + ++made)}`

for (const [role, player, keeper] of [
  ['an Agent', bela, asha],
  ['an Agent of another team', chand, bela],
  ['a Manager', meena, chand],
] as const) {
  test(`what ${role} sends for a lead that is not visible changes nothing and is saved in full on its timeline`, async () => {
    const phone = newPhone()
    const hidden = await lead({
      name: 'Secret',
      phone,
      email: `secret${phone}@x.in`,
      company: 'Hidden Ltd',
      city: 'Pune',
      status: 'Won',
      notes: 'Private',
      tags: ['private'],
      deal_value: 99,
      assigned_to: keeper.email,
    })
    const before = await rowOf(hidden.id)
    const sent = {
      name: 'Mine',
      phone: `+91 ${phone}`,
      city: 'Goa',
      status: 'Lost',
      tags: ['x'],
      deal_value: 1.005,
    }
    const { status, body } = await send(player, { ...sent, company: ' ', unknown: 'field' })
    assert.equal(status, 200)
    const { id, created_at, updated_at } = hidden
    assert.deepEqual(body.data, { ...sent, id, status: 'Won', created_at, updated_at })
    // That the person enquired again is no field of the lead.
    assert.deepEqual({ ...(await rowOf(hidden.id)), enquired_again_at: null }, before)
    const entry = (await timelineOf(owner, hidden.id)).at(-1)!
    assert.equal(entry.kind, 'submitted')
    assert.match(entry.summary, /^Submitted again through the API key “\w+'s key”, without access to this lead\./)
    assert.deepEqual(entry.details, {
      via: 'api_key',
      via_id: player.key.id,
      submitted: { ...sent, deal_value: 1.01 },
    })
    assert.deepEqual((await auditOf(owner, hidden.id)).at(-1), {
      action: 'lead.submitted_again',
      user_id: player.id,
      via: 'api_key',
      via_id: player.key.id,
      details: {},
    })
    assert.doesNotMatch(JSON.stringify((await player.send('GET', '/api/v1/leads')).body), new RegExp(id))
    assert.equal((await player.send('DELETE', `/api/v1/leads/${id}`)).status, 404)
    const call = { lead_id: id, call_type: 'Inbound', duration_seconds: 0 }
    assert.equal((await player.send('POST', '/api/v1/call-logs', call)).status, 404)
    await assertCountsHold(owner)
  })
}

test('an unassigned lead is visible only to Admins', async () => {
  const webhook = await asActor(app.database, acme, (tx) =>
    createWebhook(tx, acme, {
      name: 'Site',
      source_label: 'Site',
    }),
  )
  await asha.send('POST', `/webhook/${webhook.token}`, { name: 'Nobody’s', email: 'nobodys@x.in' })
  for (const player of [meena, bela]) {
    const { status, body } = await send(player, { name: 'Mine', email: 'NOBODYS@x.in' })
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body.data).sort(), [
      'created_at',
      'email',
      'id',
      'name',
      'phone',
      'status',
      'updated_at',
    ])
    assert.deepEqual([body.data.phone, body.data.email], [null, 'NOBODYS@x.in'])
  }
  assert.equal((await send(asha, { name: 'Seen', email: 'nobodys@x.in' })).body.data.assigned_to, null)
})

test('naming yourself as the owner of a lead that is not visible does not make it visible', async () => {
  const phone = newPhone()
  const hidden = await lead({ name: 'Secret', phone })
  const answer = await send(bela, { name: 'Mine', phone, assigned_to: bela.email })
  assert.deepEqual([answer.status, answer.body.data.assigned_to], [200, bela.email])
  assert.equal((await rowOf(hidden.id))!.assigned_to, asha.id)
  const entry = (await timelineOf(owner, hidden.id)).at(-1)!
  assert.equal(entry.details.submitted.assigned_to, bela.email)
})

test('if the lead with the phone is not visible and the one with the email is, neither changes and both timelines say so', async () => {
  const phone = newPhone()
  const hidden = await lead({ name: 'Secret', phone })
  const seen = await lead({ name: 'Seen', email: `seen${phone}@x.in`, assigned_to: bela.email })
  const [hiddenRow, seenRow] = [await rowOf(hidden.id), await rowOf(seen.id)]
  const { status, body } = await send(bela, { name: 'Both', phone, email: `seen${phone}@x.in` })
  assert.deepEqual([status, body.data.id, body.data.name], [200, hidden.id, 'Both'])
  assert.deepEqual([await rowOf(hidden.id), await rowOf(seen.id)], [hiddenRow, seenRow])
  assert.equal((await timelineOf(owner, hidden.id)).at(-1)!.kind, 'submitted')
  const onSeen = (await timelineOf(owner, seen.id)).at(-1)!
  assert.equal(onSeen.kind, 'submitted')
  assert.doesNotMatch(onSeen.summary, /merged/)
})

test('if the lead with the phone is visible and the one with the email is not, the submission merges into the one with the phone', async () => {
  const phone = newPhone()
  const seen = await lead({ name: 'Seen', phone, assigned_to: bela.email })
  const hidden = await lead({ name: 'Secret', email: `hidden${phone}@x.in`, city: 'Pune' })
  const hiddenRow = await rowOf(hidden.id)
  const { status, body } = await send(bela, { name: 'Both', phone, email: `hidden${phone}@x.in` })
  assert.deepEqual([status, body.data.id, body.data.name, body.data.email], [200, seen.id, 'Both', null])
  assert.deepEqual(await rowOf(hidden.id), hiddenRow)
})
