import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { type Player, people, signedIn } from '#test/people.ts'
import { assertCountsHold, assertLeadsKnowTheirCalls, timelineOf } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import type { RingingCall } from './contract.ts'

const app = await testApp()
after(app.close)
const { asha, bela, chand, zoya, acme } = await people(app)
const [admin, owner, agent, stranger] = await Promise.all(
  [asha, bela, chand, zoya].map((player) => signedIn(app, player)),
)
type Browser = Pick<Player, 'send'>
const system = await webhookOf(app, acme)

let made = 0
let raw_digits: string
/** Reports the state of the newest call, which began a minute ago, as Aircall does. */
const report = async (status: 'initial' | 'answered' | 'done', user: Player, more = {}) => {
  const start = Math.floor(Date.now() / 1000) - 60
  const times = { started_at: start, answered_at: status === 'initial' ? null : start + 5 }
  const ended_at = status === 'done' ? start + 50 : null
  const call = { id: 4000 + made, direction: 'inbound', status, raw_digits, user: { email: user.email } }
  const data = { ...call, ...times, ended_at, number: { digits: '+91 80471 00000' }, ...more }
  const event = { initial: 'ringing_on_agent', answered: 'answered', done: 'ended' }[status]
  const sent = await system.send({ resource: 'call', event: `call.${event}`, timestamp: start, token: 't', data })
  assert.equal(sent.status, 200, JSON.stringify(sent.body))
}
const ringing = async (browser: Browser): Promise<RingingCall | undefined> =>
  (await browser.send('GET', '/web/ringing')).body.data.at(0)
const note = (browser: Browser, id: string, notes: string | null) =>
  browser.send('PUT', `/web/ringing/${id}/note`, { notes })
const stored = async () =>
  (
    await app.owner`select call_logs.notes, outcome, duration_seconds > 0 as spoke, called_by, leads.assigned_to, leads.status
      from leads left join call_logs on call_logs.lead_id = leads.id where phone_key = ${raw_digits.replaceAll(' ', '')}`
  ).map((row) => ({ ...row }))

before(() => admin!.send('PATCH', '/web/account', { answering_user_owns: false }))
beforeEach(async () => {
  await app.owner`delete from phone_calls`
  raw_digits = `+91 98200 7${String(++made).padStart(4, '0')}`
})

const logged = { outcome: 'Completed', spoke: true, called_by: chand.id, assigned_to: null, status: 'New' }

test('who answers an unknown caller whose lead is unassigned notes it during the call or afterwards', async () => {
  await report('initial', chand)
  assert.equal((await ringing(agent!))!.may_note, false)
  await report('answered', chand)
  const during = (await ringing(agent!))!
  assert.deepEqual([during.may_note, during.lead, during.is_unassigned], [true, null, true])
  assert.equal((await ringing(admin!))!.may_note, false)
  assert.equal((await note(agent!, during.id, 'Wants a visit')).status, 200)
  await report('done', chand)
  assert.deepEqual(await stored(), [{ ...logged, notes: 'Wants a visit' }])
  assert.equal(await ringing(agent!), undefined)
  // Another note replaces it, and the same one again changes nothing.
  for (const notes of ['Wants a visit on Saturday', 'Wants a visit on Saturday'])
    assert.equal((await note(agent!, during.id, notes)).status, 200)
  assert.deepEqual(await stored(), [{ ...logged, notes: 'Wants a visit on Saturday' }])

  raw_digits = `+91 98200 7${String(++made).padStart(4, '0')}`
  await report('answered', chand)
  await report('done', chand)
  const after = (await ringing(agent!))!
  assert.deepEqual([after.state, after.may_note, after.call_log_id, after.lead], ['ended', true, null, null])
  assert.equal((await note(agent!, after.id, ' Asks for the price ')).status, 200)
  assert.deepEqual(await stored(), [{ ...logged, notes: 'Asks for the price' }])
  const [lead] = await app.owner`select id from leads where phone_key = ${raw_digits.replaceAll(' ', '')}`
  assert.match((await timelineOf(app.owner, lead!.id)).at(-1)!.summary, /^Chand corrected the call of .*notes: added/)
  // Neither the lead nor the call is visible.
  for (const path of [`/web/leads/${lead!.id}`, `/web/calls/${(await logOf(lead!.id)).id}`])
    assert.equal((await agent!.send('GET', path)).status, 404)
  assert.equal(await ringing(agent!), undefined)
  await assertLeadsKnowTheirCalls(app.owner)
  await assertCountsHold(app.owner)
})

const logOf = async (leadId: string) => (await app.owner`select id from call_logs where lead_id = ${leadId}`)[0]!

test('no one else notes a call, and no one a call that was missed, is older than a day, or was logged by another user', async () => {
  const rejects = async (browser: Browser, id: string, why: string) => {
    const before = [await stored(), await app.owner`select * from phone_calls`]
    const { status, body } = await note(browser, id, 'Not mine')
    assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'], why)
    assert.deepEqual([await stored(), await app.owner`select * from phone_calls`], before, why)
  }
  await report('initial', chand)
  const { id } = (await ringing(agent!))!
  await rejects(agent!, id, 'it rings')
  await report('answered', chand)
  for (const [browser, why] of [
    [admin!, 'an Admin who sees the lead'],
    [owner!, 'a colleague'],
    [stranger!, 'another account'],
  ] as const)
    await rejects(browser, id, why)
  await report('done', chand)
  for (const browser of [admin!, owner!, stranger!]) await rejects(browser, id, 'after the call')
  assert.equal(await ringing(owner!), undefined)
  await app.owner`update phone_calls set started_at = started_at - interval '1 day'`
  await rejects(agent!, id, 'older than a day')
  await app.owner`update phone_calls set started_at = started_at + interval '1 day'`
  const [lead] = await app.owner`select id from leads where phone_key = ${raw_digits.replaceAll(' ', '')}`
  const call = { call_type: 'Inbound', duration_seconds: 40, notes: 'By an Admin' }
  assert.equal((await admin!.send('POST', `/web/leads/${lead!.id}/calls`, call)).status, 201)
  await rejects(agent!, id, 'logged by another user')

  raw_digits = `+91 98200 7${String(++made).padStart(4, '0')}`
  await report('initial', chand)
  await report('done', chand, { answered_at: null, missed_call_reason: 'no_available_agent' })
  const [missed] = await app.owner`select id from phone_calls order by started_at desc, changed_at desc limit 1`
  await rejects(agent!, missed!.id, 'missed')
})

test('who was rung by an unassigned lead and missed it can call back by its number, until it calls again or has an owner', async () => {
  const missed = { answered_at: null, missed_call_reason: 'no_available_agent' }
  await report('initial', chand)
  await report('done', chand, missed)
  const call = (await ringing(agent!))!
  assert.deepEqual([call.state, call.outcome, call.lead, call.call_log_id], ['ended', 'Missed', null, null])
  assert.deepEqual([call.is_own, call.is_unassigned, call.may_note], [true, true, false])
  assert.equal(call.phone?.replaceAll(' ', ''), raw_digits.replaceAll(' ', ''))
  for (const browser of [owner!, stranger!]) assert.equal(await ringing(browser), undefined)
  const [lead] = await app.owner`select id from leads where phone_key = ${raw_digits.replaceAll(' ', '')}`
  assert.equal((await agent!.send('GET', `/web/leads/${lead!.id}`)).status, 404)

  await report('initial', chand, { id: 9000 + made, started_at: Math.floor(Date.now() / 1000) - 5 })
  const both = (await agent!.send('GET', '/web/ringing')).body.data as RingingCall[]
  assert.deepEqual(
    both.map(({ state }) => state),
    ['ringing'],
  )
  await app.owner`delete from phone_calls where state <> 'ended'`
  assert.equal((await ringing(agent!))!.id, call.id)
  const assigned = await admin!.send('PATCH', `/web/leads/${lead!.id}`, { assigned_to: bela.email })
  assert.equal(assigned.status, 200)
  assert.equal(await ringing(agent!), undefined)
})

test('a call whose end is long ago is shown no more, also if a recording comes later', async () => {
  await report('answered', chand)
  await report('done', chand)
  assert.equal((await ringing(agent!))!.may_note, true)
  await app.owner`update phone_calls set facts = jsonb_set(facts, '{end_received,value}', '"2026-01-01T00:00:00.000Z"')`
  assert.equal(await ringing(agent!), undefined)
})
