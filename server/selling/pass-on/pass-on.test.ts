import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { type Player, people, signedIn } from '#test/people.ts'
import { phoneCalls } from '#test/phone-calls.ts'
import { assertCountsHold, lockLead, timelineOf } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { connect } from '../../platform/database/connect.ts'
import { passOnDue } from './pass-on.ts'

/** Monday, 11:00 in India. */
let now = new Date('2026-11-23T05:30:00Z')
const later = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000)
}
const app = await testApp({}, () => now)
const { owner, database } = app
const second = connect(app.signIns)
after(async () => {
  await second.close()
  await app.close()
})
const { acme, asha, meena, bela, chand } = await people(app)
const [admin, agent] = await Promise.all([asha, bela].map((one) => signedIn(app, one)))
const webhook = await webhookOf(app, acme)
const run = (one = database) => passOnDue(one, () => now)

let ruleId: string
before(async () => {
  const rule = {
    name: 'Pune',
    people: [bela, chand, meena].map(({ id }) => ({ user_id: id, weight: 1 })),
    pass_on_after: 10,
  }
  const { body } = await admin!.send('POST', '/web/distribution-rules', rule)
  ruleId = body.data[0].id
  assert.equal(body.data[0].pass_on_after, 10)
})

let made = 0
/** A lead of Bela: the credits of the others are taken away. */
async function lead(fields: object = {}): Promise<string> {
  await owner`update distribution_turns set credits = ${owner.json({ [bela.id]: 9 })} where rule_id = ${ruleId}`
  const { body } = await webhook.send({ name: 'Ravi', phone: `98640${String(++made).padStart(5, '0')}`, ...fields })
  assert.equal(await ownerOf(body.data.id), bela.id)
  return body.data.id
}
const ownerOf = async (id: string) => (await owner`select assigned_to from leads where id = ${id}`)[0]!.assigned_to
const isWaiting = async (id: string) => (await owner`select 1 from pass_ons where lead_id = ${id}`).length > 0
const others = [chand.id, meena.id]

test('an untouched lead passes on in time, from one user to the next, until all had it', async () => {
  const id = await lead()
  later(9)
  await run()
  assert.equal(await ownerOf(id), bela.id)
  later(1)
  await Promise.all([run(), run(second)])
  const next = await ownerOf(id)
  assert.ok(others.includes(next))
  const [entry] = (await timelineOf(owner, id)).toReversed()
  const name = next === chand.id ? 'Chand' : 'Meena'
  assert.equal(
    entry!.summary,
    `Passed on from Bela to ${name} by the rule “Pune”: no call and no change within 10 minutes.`,
  )
  const notices =
    await owner`select user_id, about->>'user_id' as passed_on_to from notices where lead_id = ${id} order by id`
  assert.deepEqual(
    new Set(notices.map((one) => `${one.user_id} ${one.passed_on_to}`)),
    new Set([`${next} null`, `${bela.id} ${next}`]),
  )
  const notice = (await agent!.send('GET', '/web/notices?after=0')).body.data.notices[0]
  assert.deepEqual([notice.name, notice.kind, notice.user], ['Ravi', 'passed_on', name])
  assert.equal((await agent!.send('GET', `/web/leads/${id}`)).status, 404)
  later(10)
  await run()
  assert.equal(
    await ownerOf(id),
    others.find((one) => one !== next),
  )
  later(10)
  await run()
  assert.deepEqual([await isWaiting(id), (await timelineOf(owner, id)).length], [false, 3])
  await assertCountsHold(owner)
})

test('a lead that passed on counts for the user who has it, and not for the one who lost it, nor for who is away', async () => {
  const absence = (await admin!.send('POST', `/web/availability/${meena.id}/absences`, {})).body.data.id
  const id = await lead()
  const [one] = await owner`select credits from distribution_turns where rule_id = ${ruleId}`
  later(10)
  await run()
  const next = await ownerOf(id)
  const [other] = await owner`select credits from distribution_turns where rule_id = ${ruleId}`
  const moved = (userId: string) => other!.credits[userId] - one!.credits[userId]
  assert.deepEqual([next, moved(bela.id), moved(next)], [chand.id, 0.5, -0.5], JSON.stringify([one, other]))
  assert.equal(other!.credits[meena.id] ?? 0, 0)
  assert.equal((await admin!.send('DELETE', `/web/availability/${meena.id}/absences/${absence}`)).status, 200)
})

test('a call, a change, a note or WhatsApp keeps the lead with its owner; what a webhook sends does not', async () => {
  const touches: ((id: string) => Promise<unknown>)[] = [
    (id) => bela.send('POST', '/api/v1/call-logs', { lead_id: id, call_type: 'Outbound', duration_seconds: 0 }),
    (id) => agent!.send('PATCH', `/web/leads/${id}`, { city: 'Pune' }),
    (id) => agent!.send('PATCH', `/web/leads/${id}`, { status: 'Contacted' }),
    (id) => agent!.send('POST', `/web/leads/${id}/notes`, { text: 'Calls back' }),
    (id) => agent!.send('POST', `/web/leads/${id}/whatsapp`, { quick_reply_id: null }),
    (id) => admin!.send('PATCH', `/web/leads/${id}`, { assigned_to: chand.email }),
  ]
  const ids = []
  for (const touch of touches) {
    const id = await lead()
    later(1)
    const { status } = (await touch(id)) as { status: number }
    assert.ok(status < 300, `${touch}: ${status}`)
    ids.push(id)
  }
  const again = await lead({ phone: '98650 00001' })
  await webhook.send({ name: 'Ravi', phone: '98650 00001', message: 'Is it free?' })
  later(20)
  await run()
  const owners = await Promise.all(ids.map(ownerOf))
  assert.deepEqual(owners, [...Array(5).fill(bela.id), chand.id])
  assert.deepEqual(await Promise.all(ids.map(isWaiting)), Array(6).fill(false))
  assert.ok(others.includes(await ownerOf(again)))
})

test('a lead that is called at that moment stays, and passes on if nothing comes of it', async () => {
  const id = await lead()
  later(10)
  const calls = phoneCalls(owner, acme, webhook)
  const call = await calls.add({ lead_id: id, assigned_to: bela.id, changed_at: now, started_at: now })
  await run()
  assert.equal(await ownerOf(id), bela.id)
  await owner`update phone_calls set state = 'ended' where id = ${call}`
  later(2)
  await run()
  assert.ok(others.includes(await ownerOf(id)))
})

test('a lead that another transaction holds is left for the next round', async () => {
  const id = await lead()
  later(10)
  const free = await lockLead(owner, id)
  await run()
  await free()
  assert.equal(await ownerOf(id), bela.id)
  await run()
  assert.ok(others.includes(await ownerOf(id)))
})

test('leads that another transaction holds do not keep others waiting, however many they are', async () => {
  const held: string[] = []
  for (let n = 0; n < 50; n++) held.push(await lead())
  later(1)
  const id = await lead()
  later(10)
  const free = await lockLead(owner, ...held)
  await run()
  await free()
  assert.ok(others.includes(await ownerOf(id)))
  assert.equal(await ownerOf(held[0]!), bela.id)
  await owner`delete from pass_ons where lead_id = any (${[...held, id]}::uuid[])`
})

test('at night nothing passes on, and the minutes of the evening count in the morning', async () => {
  now = new Date('2026-11-23T13:25:00Z')
  const id = await lead()
  now = new Date('2026-11-23T16:00:00Z')
  await run()
  assert.equal(await ownerOf(id), bela.id)
  now = new Date('2026-11-24T03:34:00Z')
  await run()
  assert.equal(await ownerOf(id), bela.id)
  later(2)
  await run()
  assert.ok(others.includes(await ownerOf(id)))
})

test('leads of a paused rule stay, and pass on when it is resumed', async () => {
  const id = await lead()
  later(9)
  await admin!.send('PATCH', `/web/distribution-rules/${ruleId}`, { paused: true })
  later(30)
  await run()
  assert.deepEqual([await ownerOf(id), await isWaiting(id)], [bela.id, true])
  await admin!.send('PATCH', `/web/distribution-rules/${ruleId}`, { paused: false })
  await run()
  assert.ok(others.includes(await ownerOf(id)))
})

test('users who have reached the daily limit are skipped; a lead that passes on counts for its last owner', async () => {
  await owner`delete from pass_ons`
  await admin!.send('PATCH', `/web/distribution-rules/${ruleId}`, { daily_limit: 2 })
  const limits = async () =>
    (await owner`select taken from distribution_turns where rule_id = ${ruleId}`)[0]!.taken.leads as Record<
      string,
      number
    >
  const id = await lead()
  assert.deepEqual(await limits(), { [bela.id]: 1 })
  later(10)
  await run()
  const next = await ownerOf(id)
  assert.deepEqual(await limits(), { [bela.id]: 0, [next]: 1 })
  const [last] = others.filter((one) => one !== next)
  await owner`update distribution_turns set taken = jsonb_set(taken, '{leads}', ${owner.json({ [bela.id]: 0, [next]: 1, [last!]: 2 })})
    where rule_id = ${ruleId}`
  later(10)
  await run()
  assert.deepEqual([await ownerOf(id), await isWaiting(id)], [next, true])
  await admin!.send('PATCH', `/web/distribution-rules/${ruleId}`, { daily_limit: null })
  later(60)
  await run()
  assert.equal(await ownerOf(id), last)
})

test('leads of other rules, of files and with an owner do not wait; those of a deleted lead are forgotten', async () => {
  const given = await asha.send('POST', '/api/v1/leads', { name: 'Own', phone: '98650 00002', assigned_to: bela.email })
  assert.equal(await isWaiting(given.body.data.id), false)
  const id = await lead()
  assert.equal(await isWaiting(id), true)
  assert.equal((await admin!.send('DELETE', `/web/leads/${id}`)).status, 200)
  assert.equal(await isWaiting(id), false)
})

test('a missed call of a deactivated owner’s lead goes to the Admins', async () => {
  const toBela = { name: 'Missed', phone: '98650 00003', assigned_to: bela.email }
  const lead_id = (await asha.send('POST', '/api/v1/leads', toBela)).body.data.id
  await admin!.send('POST', `/web/users/${bela.id}/deactivation`, {})
  const call = { lead_id, call_type: 'Inbound', duration_seconds: 0, outcome: 'Missed' }
  assert.equal((await asha.send('POST', '/api/v1/call-logs', call)).status, 201)
  const notices = await owner<{ user_id: string }[]>`
    select user_id from notices where lead_id = ${lead_id} and kind = 'missed_call'`
  assert.deepEqual(
    notices.map(({ user_id }) => user_id),
    [(asha as Player).id],
  )
})
