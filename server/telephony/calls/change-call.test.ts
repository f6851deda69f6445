import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { type Answer, type Player, people, signedIn } from '#test/people.ts'
import { assertCountsHold, assertLeadsKnowTheirCalls, auditOf, timelineOf, world } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { asActor } from '../../platform/database/actor.ts'
import { changeCall } from './change-call.ts'

let now = new Date('2026-11-21T05:00:00Z')
const app = await testApp({}, () => now)
after(app.close)
const { acme, asha, meena, bela, chand, zoya } = await people(app)
const { owner, database } = app
const [admin, manager, agent, other, stranger] = (await Promise.all(
  [asha, meena, bela, chand, zoya].map((person) => signedIn(app, person)),
)) as [Browser, Browser, Browser, Browser, Browser]
type Browser = Pick<Player, 'send'>

let made = 0
async function leadOf(player: Player): Promise<string> {
  const lead = { name: `Lead ${++made}`, phone: `98${70_000_000 + made}`, assigned_to: player.email }
  return (await asha.send('POST', '/api/v1/leads', lead)).body.data.id
}
const log = async (browser: Browser, lead: string, more: object = {}, headers = {}): Promise<Answer> =>
  browser.send(
    'POST',
    `/web/leads/${lead}/calls`,
    { call_type: 'Outbound', duration_seconds: 0, outcome: 'No Answer', notes: 'Rang', ...more },
    headers,
  )
const idOf = ({ status, body }: Answer): string => {
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}
/** The notes that the timeline shows beside its calls. */
const notesShown = async (browser: Browser, lead: string): Promise<string[]> => {
  const { body } = await browser.send('GET', `/web/leads/${lead}/timeline`)
  return body.data.entries.flatMap(({ call }: { call?: { notes: string } }) => call?.notes ?? [])
}
const storedCall = async (id: string) => (await owner`select * from call_logs where id = ${id}`)[0]!
const storedLead = async (id: string) =>
  (await owner`select status, call_again_at, attempts, last_call_outcome from leads where id = ${id}`)[0]!

async function assertAllHold() {
  await assertCountsHold(owner)
  await assertLeadsKnowTheirCalls(owner)
}

/** Rejected, and nothing changed. */
async function assertRejected(send: () => Promise<Answer>, status: number, field?: string) {
  const before = await world(owner)
  const answer = await send()
  assert.deepEqual([answer.status, answer.body.error?.field], [status, field], JSON.stringify(answer.body))
  assert.deepEqual(await world(owner), before)
}

beforeEach(() => {
  now = new Date('2026-11-21T05:00:00Z')
})

test('a correction changes the call, its counts, its lead, the timeline and the audit log', async () => {
  const lead = await leadOf(bela)
  const id = idOf(await log(agent, lead))
  const change = {
    call_type: 'Inbound',
    outcome: 'Completed',
    duration_seconds: 150,
    notes: 'Wants a visit',
    called_at: '2026-11-20T04:30:00Z',
  }
  const was = { call_type: 'Outbound', outcome: 'No Answer', duration_seconds: 0, notes: 'Rang' }
  const { status, body } = await agent.send('PATCH', `/web/calls/${id}`, { ...change, was })
  assert.deepEqual(
    [status, body.data],
    [200, { id, lead_id: lead, ...change, created_at: '2026-11-21T05:00:00Z', may_correct: true }],
  )
  assert.deepEqual(await notesShown(agent, lead), ['Wants a visit'])
  const call = await storedCall(id)
  assert.deepEqual([call.called_by, call.changed_at], [bela.id, new Date('2026-11-21T05:00:01Z')])
  assert.deepEqual((await storedLead(lead)).attempts, 0)
  const entry = (await timelineOf(owner, lead)).at(-1)!
  assert.deepEqual(
    [entry.kind, entry.assigned_to, entry.summary],
    [
      'call_changed',
      bela.id,
      'Bela corrected the call of 21 Nov 2026, 10:30: type: Outbound → Inbound, outcome: No answer → Spoke, duration: ' +
        '0 s → 2 min 30 s, time: 21 Nov 2026, 10:30 → 20 Nov 2026, 10:00, notes: replaced.',
    ],
  )
  assert.deepEqual(entry.details.changes.at(-1), { field: 'notes', before: 'Rang' })
  const { action, user_id, via, details } = (await auditOf(owner, id)).at(-1)!
  assert.deepEqual([action, user_id, via], ['call_log.changed', bela.id, 'web'])
  assert.deepEqual(details, { fields: Object.keys(change) })
  await assertAllHold()
  // Programs that keep in step see it.
  const since = await bela.send('GET', '/api/v1/call-logs?updated_since=2026-11-21T05:00:01Z')
  assert.deepEqual(
    since.body.data.map((one: { id: string }) => one.id),
    [id],
  )

  await agent.send('PATCH', `/web/calls/${id}`, { notes: null })
  assert.deepEqual((await storedCall(id)).changed_at, new Date('2026-11-21T05:00:02Z'))
  assert.match((await timelineOf(owner, lead)).at(-1)!.summary, /: notes: removed\.$/)
  await assertRejected(async () => {
    const same = await agent.send('PATCH', `/web/calls/${id}`, { outcome: 'Completed', notes: null })
    assert.equal(same.status, 200)
    return { ...same, status: 0, body: {} }
  }, 0)
})

test('a call moves to another lead, which the user sees, and both timelines say so without naming the other', async () => {
  const [from, to] = [await leadOf(bela), await leadOf(chand)]
  const id = idOf(await log(admin, from))
  await log(admin, from, { outcome: 'Busy', called_at: '2026-11-20T04:30:00Z', notes: 'Rang before' })
  const [phoneCall] = await phoneCallOf(id, from)
  const { status } = await admin.send('PATCH', `/web/calls/${id}`, { lead_id: to, outcome: 'Voicemail' })
  assert.equal(status, 200)
  assert.deepEqual(await notesShown(admin, from), ['Rang before'])
  const call = await storedCall(id)
  assert.deepEqual([call.lead_id, call.assigned_to, call.called_by], [to, chand.id, asha.id])
  const leads = [await storedLead(from), await storedLead(to)]
  assert.deepEqual(
    leads.map(({ attempts, last_call_outcome }) => [attempts, last_call_outcome]),
    [
      [1, 'Busy'],
      [1, 'Voicemail'],
    ],
  )
  const [before, after] = [(await timelineOf(owner, from)).at(-1)!, (await timelineOf(owner, to)).at(-1)!]
  assert.deepEqual(
    [before.summary, before.assigned_to, before.details.changes],
    ['Asha moved the call of 21 Nov 2026, 10:30 to another lead: Outbound call, no answer, 0 s.', bela.id, undefined],
  )
  assert.deepEqual(
    [after.summary, after.assigned_to],
    [
      'Asha moved the call of 21 Nov 2026, 10:30 here from another lead: Outbound call, no answer, 0 s. Corrected outcome: No ' +
        'answer → Voicemail.',
      chand.id,
    ],
  )
  await assertAllHold()
  const [moved] = await owner`select lead_id, assigned_to from phone_calls where id = ${phoneCall!.id}`
  assert.deepEqual({ ...moved }, { lead_id: to, assigned_to: chand.id })
})

/** As a telephone system would have reported the call. */
async function phoneCallOf(callLog: string, lead: string) {
  const { id: webhook } = await webhookOf(app, acme)
  return owner`insert into phone_calls
    (account_id, id, webhook_id, lead_id, assigned_to, state, call_type, started_at, facts, call_log_id, changed_at)
    select account_id, gen_random_uuid(), ${webhook}, id, assigned_to, 'ended', 'Inbound', now(),
      '{"recording_url": {"rank": 2, "value": "https://calls.example.com/1.mp3"}}', ${callLog}, now() from leads where id = ${lead}
    returning id`
}

test('a correction that may not be made is rejected, and nothing changes', async () => {
  const [belas, chands] = [await leadOf(bela), await leadOf(chand)]
  const mine = idOf(await log(agent, belas))
  const managers = idOf(await log(manager, belas))
  const patch = (browser: Browser, id: string, body: object) => () => browser.send('PATCH', `/web/calls/${id}`, body)
  const change = { outcome: 'Busy' }
  assert.equal((await storedCall(managers)).called_by, meena.id)
  await assertRejected(patch(agent, managers, change), 403)
  for (const browser of [other, stranger]) await assertRejected(patch(browser, mine, change), 404)
  await assertRejected(patch(manager, managers, { ...change, lead_id: chands }), 404, 'lead_id')
  await assertRejected(patch(agent, mine, { ...change, was: { outcome: 'Busy' } }), 400, 'outcome')
  for (const [field, value] of Object.entries({
    outcome: 'Great',
    call_type: 'Sideways',
    duration_seconds: -1,
    called_at: 'now',
    lead_id: 'x',
    notes: 'n'.repeat(20_001),
  }))
    await assertRejected(patch(agent, mine, { [field]: value }), 400, field)
  for (const browser of [manager, admin]) assert.equal((await patch(browser, mine, change)()).status, 200)
  const shown = await Promise.all([mine, managers].map((id) => agent.send('GET', `/web/calls/${id}`)))
  assert.deepEqual(
    shown.map(({ body }) => body.data.may_correct),
    [true, false],
  )
})

test('simultaneous corrections, moves and deletions of calls of two leads keep counts and leads right', async () => {
  const leads = [await leadOf(bela), await leadOf(chand)] as const
  const calls = await Promise.all(leads.flatMap((lead) => [0, 1, 2].map(async () => idOf(await log(admin, lead)))))
  const answers = await Promise.all(
    calls.flatMap((id, place) => [
      admin.send('PATCH', `/web/calls/${id}`, { lead_id: leads[place % 2]! }),
      admin.send('PATCH', `/web/calls/${id}`, { lead_id: leads[(place + 1) % 2]!, call_type: 'Inbound' }),
      ...(place === 0 ? [admin.send('DELETE', `/web/calls/${id}`)] : []),
    ]),
  )
  for (const { status } of answers) assert.ok([200, 404].includes(status), `${status}`)
  await assertAllHold()
})

test('a later event of a telephone system changes the call without a timeline entry', async () => {
  const lead = await leadOf(bela)
  const id = idOf(await log(agent, lead))
  const entries = (await timelineOf(owner, lead)).length
  const change = { duration_seconds: 90, outcome: 'Completed', recording_url: 'https://calls.example.com/1' } as const
  await asActor(database, acme, (tx) => changeCall(tx, acme, id, change, { at: now, by: null }))
  const { duration_seconds, recording_url, called_by } = await storedCall(id)
  assert.deepEqual([duration_seconds, recording_url, called_by], [90, change.recording_url, bela.id])
  assert.equal((await timelineOf(owner, lead)).length, entries)
  assert.equal((await auditOf(owner, id)).at(-1)!.action, 'call_log.changed')
  await assertAllHold()
})

test('deleting a call log empties the facts of its phone call', async () => {
  const lead = await leadOf(bela)
  const id = idOf(await log(agent, lead))
  const [phoneCall] = await phoneCallOf(id, lead)
  // Its telephone system reported it: it is not taken back.
  await assertRejected(() => agent.send('DELETE', `/web/calls/${id}`), 403)
  assert.equal((await admin.send('DELETE', `/web/calls/${id}`)).status, 200)
  const [kept] = await owner`select facts, call_log_id from phone_calls where id = ${phoneCall!.id}`
  assert.deepEqual({ ...kept }, { facts: {}, call_log_id: id })
})

test('for one minute, the user who logged a call may take it back', async () => {
  const lead = await leadOf(bela)
  const remove = (browser: Browser, id: string) => () => browser.send('DELETE', `/web/calls/${id}`)
  const soon = idOf(await log(agent, lead))
  now = new Date('2026-11-21T05:01:00Z')
  assert.equal((await remove(agent, soon)()).status, 200)
  const late = idOf(await log(agent, lead))
  now = new Date('2026-11-21T05:02:01Z')
  await assertRejected(remove(agent, late), 403)
  await assertRejected(remove(agent, idOf(await log(manager, lead))), 403)
  await assertRejected(remove(other, late), 404)
  await assertAllHold()
})

test('a call, the status of its lead and the next call are saved together, and answered for undo', async () => {
  const lead = await leadOf(bela)
  const due = '2026-11-21T04:00:00Z'
  await agent.send('PATCH', `/web/leads/${lead}`, { call_again_at: due })
  const again = '2026-11-22T04:30:00Z'
  const cleared = await log(agent, lead)
  assert.deepEqual(cleared.body.previous, { call_again_at: due })
  const { body } = await log(agent, lead, { status: 'Contacted', call_again_at: again })
  assert.deepEqual(body.previous, { status: 'New', call_again_at: null })
  const stored = await storedLead(lead)
  assert.deepEqual([stored.status, stored.call_again_at, stored.attempts], ['Contacted', new Date(again), 2])
  assert.deepEqual((await log(agent, lead)).body.previous, {})

  await agent.send('DELETE', `/web/calls/${body.data.id}`)
  await agent.send('PATCH', `/web/leads/${lead}`, body.previous)
  assert.deepEqual({ ...(await storedLead(lead)) }, { ...stored, status: 'New', call_again_at: null, attempts: 2 })
  for (const [field, value] of Object.entries({ status: 'Great', call_again_at: 'soon', outcome: 'Great' }))
    await assertRejected(() => log(agent, lead, { status: 'Won', call_again_at: again, [field]: value }), 400, field)
  await assertRejected(() => log(other, lead, { status: 'Won', call_again_at: again }), 404)
  await assertAllHold()
})

test('a call that was not answered says when Call next has the lead again', async () => {
  now = new Date('2026-11-24T05:00:00Z')
  const unanswered = { outcome: 'No Answer', duration_seconds: 0, called_at: now.toISOString() }
  for (const [what, call, expected] of [
    ['not answered', {}, '2026-11-24T07:00:00Z'],
    ['busy', { outcome: 'Busy' }, '2026-11-24T07:00:00Z'],
    ['spoken', { outcome: 'Completed', duration_seconds: 60 }, undefined],
    ['with a time to call again', { call_again_at: '2026-11-25T05:00:00Z' }, undefined],
    ['with a reason for no next step', { no_next_step: 'Wrong number' }, undefined],
    ['lost', { status: 'Lost' }, undefined],
  ] as const) {
    const { status, body } = await log(agent, await leadOf(bela), { ...unanswered, ...call })
    assert.deepEqual([status, body.retry_at], [201, expected], what)
  }
})

test('before a call is logged, its form reads when Call next would have the lead again', async () => {
  now = new Date('2026-11-24T05:00:00Z')
  const lead = await leadOf(bela)
  const retry = (browser: typeof agent) => browser.send('GET', `/web/leads/${lead}/retry`)
  const unanswered = { outcome: 'No Answer', duration_seconds: 0, called_at: now.toISOString() }
  for (let attempt = 0; attempt < 3; attempt++) {
    const { status, body } = await retry(agent)
    assert.deepEqual([status, body.data.retry_at], [200, (await log(agent, lead, unanswered)).body.retry_at])
  }
  await assertRejected(() => retry(other), 404)
})

test('a call sent again with the key of its form is logged once, and each user has keys of their own', async () => {
  const lead = await leadOf(bela)
  const sent = { status: 'Contacted', call_again_at: '2026-11-22T04:30:00Z' }
  const answers = await Promise.all([1, 2, 3].map(() => log(agent, lead, sent, { 'idempotency-key': 'form' })))
  assert.deepEqual(new Set(answers.map(idOf)).size, 1)
  assert.deepEqual(answers.map(({ headers }) => headers.get('idempotent-replayed')).sort(), [null, 'true', 'true'])
  for (const { body } of answers) assert.deepEqual(body, answers[0]!.body)
  assert.equal((await storedLead(lead)).attempts, 1)
  await assertRejected(() => log(agent, lead, { status: 'Won' }, { 'idempotency-key': 'form' }), 400, 'Idempotency-Key')
  await assertRejected(() => log(agent, lead, {}, { 'idempotency-key': 'two words' }), 400, 'Idempotency-Key')
  await assertRejected(() => log(other, lead, sent, { 'idempotency-key': 'form' }), 404)
  assert.notEqual(idOf(await log(manager, lead, sent, { 'idempotency-key': 'form' })), idOf(answers[0]!))
  await admin.send('DELETE', `/web/leads/${lead}`)
  assert.deepEqual([...(await owner`select 1 from idempotency_keys where lead_id = ${lead}`)], [])
})

test('who called: the user in the web app, else the owner of the lead, else the user of the key', async () => {
  const [belas, unassigned] = [await leadOf(bela), await leadOf(bela)]
  await admin.send('PATCH', `/web/leads/${unassigned}`, { assigned_to: null })
  const byKey = async (lead_id: string) => {
    const call = { lead_id, call_type: 'Inbound', duration_seconds: 1 }
    return (await asha.send('POST', '/api/v1/call-logs', call)).body.data
  }
  const calls = [idOf(await log(manager, belas)), (await byKey(belas)).id, (await byKey(unassigned)).id]
  const callers = await Promise.all(calls.map(async (id) => (await storedCall(id)).called_by))
  assert.deepEqual(callers, [meena.id, bela.id, asha.id])
  assert.deepEqual(Object.keys(await byKey(belas)).sort(), [
    'call_type',
    'called_at',
    'created_at',
    'duration_seconds',
    'id',
    'lead_id',
    'notes',
    'outcome',
  ])
})
