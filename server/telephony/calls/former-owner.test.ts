import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { type Player, people, signedIn } from '#test/people.ts'
import { assertCountsHold, assertLeadsKnowTheirCalls, timelineOf } from '#test/records.ts'

let now = new Date('2026-11-21T05:00:00Z')
const app = await testApp({}, () => now)
after(app.close)
const { asha, meena, bela, chand, zoya } = await people(app)
const [admin, manager, agent, colleague, stranger] = await Promise.all(
  [asha, meena, bela, chand, zoya].map((player) => signedIn(app, player)),
)
type Browser = Pick<Player, 'send'>

const minutes = (n: number) => new Date(Date.parse('2026-11-21T05:00:00Z') + n * 60_000)
let made = 0
let leadId: string
beforeEach(async () => {
  now = minutes(0)
  const lead = { name: 'Meera Iyer', phone: `98200 4${String(++made).padStart(4, '0')}`, assigned_to: bela.email }
  leadId = (await asha.send('POST', '/api/v1/leads', lead)).body.data.id
})

/** What is stored of the lead and its calls. */
async function stored() {
  const [lead] = await app.owner`select status, call_again_at, assigned_to, attempts from leads where id = ${leadId}`
  const calls = await app.owner`select notes, called_by, assigned_to from call_logs where lead_id = ${leadId}`
  return { lead: { ...lead }, calls: calls.map((call) => ({ ...call })) }
}
const reassign = async (to: Player | null) => {
  const { status } = await admin!.send('PATCH', `/web/leads/${leadId}`, { assigned_to: to?.email ?? null })
  assert.equal(status, 200)
}
const makeNew = async () => {
  const change = { status: 'New', call_again_at: null }
  assert.equal((await admin!.send('PATCH', `/web/leads/${leadId}`, change)).status, 200)
}
const promised = '2026-11-25T05:00:00Z'
/** Logs a call that began at that minute. */
const log = (browser: Browser, minute: number, more = {}) =>
  browser.send('POST', `/web/leads/${leadId}/calls`, {
    call_type: 'Outbound',
    duration_seconds: 60,
    notes: 'Wants a visit',
    status: 'Contacted',
    call_again_at: promised,
    called_at: minutes(minute).toISOString(),
    ...more,
  })

test('a call that began before its lead was reassigned is logged for who called, with what the customer was promised', async () => {
  for (const [name, browser, caller] of [
    ['owner', agent!, bela],
    ['manager of the owner', manager!, meena],
  ] as const) {
    now = minutes(10)
    await reassign(bela)
    await reassign(chand)
    now = minutes(12)
    const before = await stored()
    const { status, body } = await log(browser, 9)
    assert.deepEqual([status, body.previous, body.is_reassigned], [201, {}, true], name)
    assert.deepEqual([body.planned_at, body.is_rest_noted, body.data.notes], [promised, undefined, 'Wants a visit'])
    const { lead, calls } = await stored()
    const attempts = (before.lead.attempts as number) + 1
    const call_again_at = new Date(promised)
    assert.deepEqual(lead, { ...before.lead, attempts, assigned_to: chand.id, status: 'Contacted', call_again_at })
    const own = calls.filter(({ called_by }) => called_by === caller.id)
    assert.deepEqual(own, [{ notes: 'Wants a visit', called_by: caller.id, assigned_to: chand.id }])
    const [changed, logged] = (await timelineOf(app.owner, leadId)).slice(-2)
    assert.match(
      changed!.summary,
      /^(Bela|Meena) changed status: New → Contacted, call again at: none → 25 Nov 2026, 10:30\.$/,
    )
    assert.equal(logged!.kind, 'call_logged')
    await makeNew()
    // They see the lead no more than before.
    for (const [method, path] of [
      ['GET', `/web/leads/${leadId}`],
      ['GET', `/web/calls/${body.data.id}`],
      ['DELETE', `/web/calls/${body.data.id}`],
    ] as const)
      assert.equal((await browser.send(method, path)).status, 404, path)
  }
  await assertLeadsKnowTheirCalls(app.owner)
  await assertCountsHold(app.owner)
})

test('what the new owner has decided stays, and the notes of the call say the rest', async () => {
  const own = '2026-11-23T05:00:00Z'
  for (const [name, byOwner, more, notes] of [
    ['planned', { call_again_at: own }, {}, 'Wants a visit\nCall again: 25 Nov 2026, 10:30'],
    ['closed', { status: 'Won' }, {}, 'Wants a visit\nStatus: Contacted\nCall again: 25 Nov 2026, 10:30'],
    [
      'lost',
      { call_again_at: own },
      { notes: undefined, status: 'Lost', lost_reason: 'Too expensive', call_again_at: undefined },
      'Status: Lost\nLost reason: Too expensive',
    ],
    [
      'no next step',
      { call_again_at: own },
      { no_next_step: 'Customer will call back', call_again_at: undefined, status: undefined },
      'Wants a visit\nNo next step: Customer will call back',
    ],
  ] as const) {
    now = minutes(10)
    await makeNew()
    await reassign(bela)
    await reassign(chand)
    assert.equal((await colleague!.send('PATCH', `/web/leads/${leadId}`, byOwner)).status, 200)
    const before = await stored()
    const { status, body } = await log(agent!, 9, more)
    assert.deepEqual(
      [status, body.planned_at, body.is_rest_noted, body.data.notes],
      [201, undefined, true, notes],
      name,
    )
    const { lead } = await stored()
    const contacted = name === 'planned' ? 'Contacted' : before.lead.status
    assert.deepEqual(lead, { ...before.lead, attempts: (before.lead.attempts as number) + 1, status: contacted }, name)
  }
  await assertLeadsKnowTheirCalls(app.owner)
})

test('also of leads that are unassigned now, and of all leads of a deactivated user', async () => {
  await reassign(null)
  assert.equal((await log(agent!, -1)).body.is_reassigned, true)
  await reassign(chand)
  // In the background, as a deactivation does.
  const details = { from: bela.id, to: chand.id }
  await app.owner`delete from timeline_entries where lead_id = ${leadId}`
  await app.owner`insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
    select account_id, id, assigned_to, ${now}, 'reassigned', 'Reassigned', ${app.owner.json(details)} from leads where id = ${leadId}`
  assert.equal((await log(agent!, -1)).body.is_reassigned, true)
})

test('no other call of a lead that the user does not see is logged', async () => {
  now = minutes(10)
  await reassign(chand)
  for (const [why, browser, minute, at] of [
    ['it began after the lead was reassigned', agent!, 16, 16],
    ['the lead was reassigned a day ago', agent!, 9, 10 + 24 * 60],
    ['of another account', stranger!, 9, 12],
  ] as const) {
    now = minutes(at)
    const before = await stored()
    const { status, body } = await log(browser, minute)
    assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'], why)
    assert.deepEqual(await stored(), before, why)
  }
  // A user who never had it.
  now = minutes(20)
  await reassign(asha)
  await reassign(meena)
  const before = await stored()
  const other = (await asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone: '98200 59999' })).body.data.id
  assert.equal(
    (await colleague!.send('POST', `/web/leads/${other}/calls`, { call_type: 'Outbound', duration_seconds: 1 })).status,
    404,
  )
  assert.deepEqual(await stored(), before)
  assert.equal((await app.owner`select from call_logs where lead_id = ${other}`).length, 0)
})
