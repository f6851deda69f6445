import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { assertCountsHold, assertLeadsKnowTheirCalls, auditOf, timelineOf, world } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { cleanUp } from '../../cleanup.ts'
import { migrationTexts } from '../../platform/database/migrate.ts'
import { maxMoved } from './belongings.ts'

let now = new Date('2026-11-24T05:00:00Z')
const app = await testApp({}, () => now)
after(app.close)
const { owner } = app
const { acme, asha, meena, bela, chand, zoya } = await people(app)
const [admin, manager, agent, stranger] = await Promise.all(
  [asha, meena, bela, zoya].map(async (person) => (await signedIn(app, person))!),
)
const webhook = await webhookOf(app, acme)

let made = 0
const newPhone = () => `98${String(40_000_000 + ++made)}`
const newEmail = () => `person${++made}@example.com`

async function newLead(fields: object = {}, headers = {}): Promise<string> {
  const lead = { name: `Lead ${++made}`, phone: newPhone(), assigned_to: bela.email, ...fields }
  const { status, body } = await asha.send('POST', '/api/v1/leads', lead, headers)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}
const read = async (id: string, browser = admin!) => (await browser.send('GET', `/web/leads/${id}`)).body.data
const compare = async (id: string, other: string, browser = admin!) =>
  browser.send('GET', `/web/leads/${id}/comparison?other_id=${other}`)

async function merge(id: string, other: string, take?: string[], browser = admin!) {
  const { body } = await compare(id, other)
  const versions = { updated_at: body.data.kept.updated_at, other_updated_at: body.data.other.updated_at }
  return browser.send('POST', `/web/leads/${id}/merge`, { other_id: other, take: take ?? body.data.take, ...versions })
}
async function merged(id: string, other: string, take?: string[]) {
  const answer = await merge(id, other, take)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}
const undo = (id: string, browser = admin!) => browser.send('DELETE', `/web/leads/${id}/merge`)

/** Everything of the leads, without what moves with each change. */
async function stateOf(...ids: string[]) {
  const rows = (table: string, key = 'lead_id') =>
    owner.unsafe(
      `select to_json(t)::jsonb - 'updated_at' - 'answer_start' - 'changed_at' as row from ${table} t
      where ${key} = any ($1) order by t.${table === 'lead_contacts' ? 'key' : 'id'}`,
      [ids],
    )
  const [leads, contacts, calls, timeline, deliveries] = await Promise.all([
    rows('leads', 'id'),
    rows('lead_contacts'),
    rows('call_logs'),
    rows('timeline_entries'),
    rows('deliveries'),
  ])
  return {
    leads: [...leads],
    contacts: [...contacts],
    calls: [...calls],
    timeline: [...timeline],
    deliveries: [...deliveries],
  }
}

/** Two leads with all that a lead can have. */
async function twoLeads() {
  const [phone, second, email] = [newPhone(), newPhone(), newEmail()]
  const kept = await newLead({ name: 'Ravi', phone, tags: ['a', 'B'], notes: 'First', city: 'Pune', status: 'New' })
  const sent = await webhook.send({ name: 'Ravi Kumar', phone: second, email, message: 'Second', city: 'Goa' })
  const other = sent.body.data.id as string
  const change = {
    add_tags: ['b', 'c'],
    status: 'Qualified',
    call_again_at: '2026-11-25T05:00:00Z',
    add_contacts: [newPhone()],
  }
  assert.equal((await admin!.send('PATCH', `/web/leads/${other}`, { ...change, assigned_to: chand.email })).status, 200)
  for (const [lead_id, call_type] of [
    [kept, 'Outbound'],
    [other, 'Outbound'],
    [other, 'Inbound'],
  ] as const) {
    const call = { lead_id, call_type, duration_seconds: 30, called_at: '2026-11-23T05:00:00Z' }
    assert.equal((await asha.send('POST', '/api/v1/call-logs', call)).status, 201)
  }
  await webhook.send({ name: 'Ravi Kumar', phone: second, message: 'Again' })
  return { kept, other, phone, second, email }
}

test('two leads become one: fields are chosen, and contacts, calls, timeline and deliveries of both are kept', async () => {
  const { kept, other, phone, second, email } = await twoLeads()
  const { body } = await compare(kept, other)
  assert.deepEqual([body.data.kept.id, body.data.other.id], [kept, other])
  assert.deepEqual([...body.data.take].sort(), ['call_again_at', 'email', 'name', 'status'].concat('city').sort())
  const [before, othersBefore] = [await read(kept), await read(other)]
  await merged(kept, other, ['name', 'status', 'email', 'call_again_at'])

  const lead = await read(kept)
  assert.deepEqual(
    [lead.name, lead.phone, lead.email, lead.status, lead.city, lead.tags, lead.call_again_at, lead.assigned_to],
    ['Ravi Kumar', phone, email, 'Qualified', 'Pune', ['a', 'B', 'c'], '2026-11-25T05:00:00Z', bela.email],
  )
  assert.match(lead.notes, /^First\n\n\[.*\]\nSecond/)
  assert.ok(lead.other_contacts.some(({ value }: { value: string }) => value === second))
  assert.equal(lead.other_contacts.length, 2)
  assert.equal(lead.calls.total, 3)
  assert.equal(lead.timeline.total, before.timeline.total + othersBefore.timeline.total + 1)
  assert.deepEqual([lead.attempts, lead.enquired_again_at], [2, othersBefore.enquired_again_at])
  assert.ok(lead.updated_at > before.updated_at)
  assert.equal(lead.created_at, before.created_at)
  assert.match(lead.timeline.entries[0].summary, /^Asha merged another lead into this one\./)
  assert.equal((await owner`select from deliveries where lead_id = ${kept}`).length, 2)
  assert.deepEqual(
    (await owner`select distinct assigned_to from call_logs where lead_id = ${kept}`).map(
      ({ assigned_to }) => assigned_to,
    ),
    [bela.id],
  )
  await assertCountsHold(owner)
  await assertLeadsKnowTheirCalls(owner)
  const [entry] = (await auditOf(owner, kept)).slice(-1)
  assert.deepEqual([entry!.action, entry!.user_id, entry!.details.merged_lead], ['leads.merged', asha.id, other])

  // The other id ends, as that of a deleted lead does, and the web app is led to the kept one.
  assert.equal((await asha.send('DELETE', `/api/v1/leads/${other}`)).status, 404)
  const call = { lead_id: other, call_type: 'Outbound', duration_seconds: 1 }
  assert.equal((await asha.send('POST', '/api/v1/call-logs', call)).status, 404)
  assert.equal((await admin!.send('PATCH', `/web/leads/${other}`, { city: 'X' })).status, 404)
  const led = await agent!.send('GET', `/web/leads/${other}`)
  assert.deepEqual([led.status, led.headers.get('location')], [307, `/web/leads/${kept}`])
  assert.equal((await stranger!.send('GET', `/web/leads/${other}`)).status, 404)
  const chands = await signedIn(app, chand)
  assert.equal((await chands.send('GET', `/web/leads/${other}`)).status, 404)
  for (const contact of [{ phone: second }, { email }, { phone }]) {
    const again = await webhook.send({ name: 'Ravi', ...contact })
    assert.deepEqual(again.body.data, { id: kept, status: 'merged' })
  }
})

test('the first call of the merged lead is that of the kept lead, and its own again after undo', async () => {
  const [kept, other] = [await newLead(), await newLead()]
  const call = { lead_id: other, call_type: 'Outbound', duration_seconds: 5, called_at: now.toISOString() }
  assert.equal((await asha.send('POST', '/api/v1/call-logs', call)).status, 201)
  await merged(kept, other)
  await assertLeadsKnowTheirCalls(owner)
  assert.equal((await undo(kept)).status, 200)
  await assertLeadsKnowTheirCalls(owner)
})

test('undo restores both leads as they were, and what happened since stays with the kept lead', async () => {
  const { kept, other, second, email } = await twoLeads()
  const before = await stateOf(kept, other)
  await merged(kept, other)
  assert.equal((await undo(kept)).status, 200)
  const undone = await stateOf(kept, other)
  const isNew = ({ row }: { row?: { summary?: string } }) => /merge/.test(row?.summary ?? '')
  assert.deepEqual({ ...undone, timeline: undone.timeline.filter((row) => !isNew(row)) }, before)
  assert.deepEqual(
    (await timelineOf(owner, other)).slice(-1).map(({ summary }) => summary),
    ['Asha undid the merge of this lead into another one.'],
  )
  await assertCountsHold(owner)
  await assertLeadsKnowTheirCalls(owner)
  assert.equal((await admin!.send('GET', `/web/leads/${other}`)).status, 200)
  assert.equal((await undo(kept)).status, 404)

  await merged(kept, other)
  const call = { lead_id: kept, call_type: 'Outbound', duration_seconds: 1, called_at: now.toISOString() }
  await asha.send('POST', '/api/v1/call-logs', call)
  const change = { city: 'Surat', add_tags: ['since'], remove_contacts: [second] }
  assert.equal((await admin!.send('PATCH', `/web/leads/${kept}`, change)).status, 200)
  await admin!.send('POST', `/web/leads/${kept}/notes`, { text: 'Since the merge' })
  assert.equal((await undo(kept)).status, 200)
  const [one, two] = [await read(kept), await read(other)]
  assert.deepEqual([one.name, one.status, one.email, one.city], ['Ravi', 'New', null, 'Surat'])
  assert.deepEqual(one.tags, ['a', 'B', 'since'])
  assert.match(one.notes, /^First\n\n\[.*, Asha\]\nSince the merge$/)
  assert.deepEqual([one.calls.total, two.calls.total], [2, 2])
  assert.deepEqual([two.phone, two.email, two.city, two.status], [second, email, 'Goa', 'Qualified'])
  assert.deepEqual((await webhook.send({ name: 'Ravi', phone: second })).body.data.id, other)
  await assertCountsHold(owner)
  await assertLeadsKnowTheirCalls(owner)
})

test('after an undo, the entries of the kept lead contain ids and no data of the other person', async () => {
  const { kept, other, second, email } = await twoLeads()
  assert.equal((await admin!.send('PATCH', `/web/leads/${other}`, { company: 'Personal Company' })).status, 200)
  assert.equal((await admin!.send('POST', `/web/leads/${other}/notes`, { text: 'Personal note' })).status, 201)
  await merged(kept, other, ['name', 'status', 'email', 'city', 'company'])
  assert.match(JSON.stringify(await timelineOf(owner, kept)), /Personal Company/)
  assert.equal((await undo(kept)).status, 200)
  const entries = (await timelineOf(owner, kept)).slice(-2)
  assert.deepEqual(
    entries.map(({ summary }) => summary),
    [
      'Asha merged another lead into this one. Changed status: New → Qualified.',
      'Asha undid the merge of another lead into this one. Changed status: Qualified → New.',
    ],
  )
  assert.deepEqual([entries[0]!.details.merged_lead, entries[1]!.details.unmerged_lead], [other, other])
  const left = JSON.stringify(await timelineOf(owner, kept))
  for (const data of ['Ravi Kumar', second, email, 'Personal', 'Goa']) assert.ok(!left.includes(data), data)
})

test('entries of merges that were undone before an upgrade lose the data of the other person', async () => {
  const [kept, other] = [await newLead({ name: 'Kept' }), await newLead({ name: 'Ravi “R” Kumar' })]
  await owner`delete from timeline_entries where lead_id in (${kept}, ${other})`
  const changes = [
    { field: 'name', before: 'Kept', after: 'Ravi “R” Kumar' },
    { field: 'status', before: 'New', after: 'Won' },
  ]
  const not_taken = [{ field: 'city', offered: 'Goa', reason: 'x' }]
  const merge = 'Asha merged the lead “Ravi “R” Kumar” into this one. Changed name: Kept → Ravi “R” Kumar.'
  const undone = 'Asha undid the merge of the lead “Ravi “R” Kumar” into this one. Nothing changed.'
  const living = { changes, not_taken, merged_lead: '00000000-0000-0000-0000-000000000001' }
  for (const [id, kind, summary, details] of [
    [kept, 'merged', merge, { changes, not_taken, merged_lead: other }],
    [kept, 'changed', undone, { changes, unmerged_lead: other }],
    [other, 'changed', 'Asha undid the merge of this lead into “Kept”.', { changes: [] }],
    [kept, 'merged', merge, living],
  ] as const)
    await owner`insert into timeline_entries (account_id, lead_id, at, kind, summary, details)
      values (${acme.account_id}, ${id}, now(), ${kind}, ${summary}, ${owner.json(details)})`
  await owner.unsafe(/^update timeline_entries[^;]*;/m.exec(migrationTexts.get('0094_persons_in_timelines.sql')!)![0])
  const entries = [...(await timelineOf(owner, kept)), ...(await timelineOf(owner, other))]
  assert.deepEqual(
    entries.map(({ summary, details }) => [summary, details]),
    [
      ['Asha merged another lead into this one.', { changes: [changes[1]], merged_lead: other }],
      ['Asha undid the merge of another lead into this one.', { changes: [changes[1]], unmerged_lead: other }],
      [merge, living],
      ['Asha undid the merge of this lead into another one.', { changes: [] }],
    ],
  )
})

test('merges are undone in reverse order, within a day, and not while another lead has a contact', async () => {
  const [a, b, c] = [await newLead(), await newLead(), await newLead()]
  await merged(b, a)
  now = new Date(now.getTime() + 1000)
  await merged(c, b)
  assert.equal((await agent!.send('GET', `/web/leads/${a}`)).headers.get('location'), `/web/leads/${c}`)
  assert.equal((await undo(b)).status, 404)
  assert.deepEqual((await undo(c)).body.data, { id: c, restored_id: b })
  assert.equal((await agent!.send('GET', `/web/leads/${a}`)).headers.get('location'), `/web/leads/${b}`)
  assert.deepEqual((await undo(b)).body.data, { id: b, restored_id: a })

  const phone = newPhone()
  const d = await newLead({ phone })
  await merged(c, d)
  await admin!.send('PATCH', `/web/leads/${c}`, { remove_contacts: [phone] })
  const holder = await newLead({ phone })
  const unchanged = await world(owner)
  const rejected = await undo(c)
  assert.deepEqual([rejected.status, rejected.body.error.field], [400, 'contacts'])
  assert.deepEqual(await world(owner), unchanged)
  assert.equal((await admin!.send('PATCH', `/web/leads/${holder}`, { phone: newPhone() })).status, 200)
  await admin!.send('PATCH', `/web/leads/${holder}`, { remove_contacts: [phone] })
  assert.equal((await undo(c)).status, 200)

  // Who has the contact by now is erased with it.
  await merged(c, d)
  await admin!.send('PATCH', `/web/leads/${c}`, { remove_contacts: [phone] })
  await asha.send('DELETE', `/api/v1/leads/${await newLead({ phone })}`)
  assert.equal((await undo(c)).status, 404)

  const e = await newLead()
  await merged(c, e)
  now = new Date(now.getTime() + 86_400_001)
  assert.equal((await undo(c)).status, 404)
  const failed: unknown[] = []
  const sink = {
    removed: () => {},
    failed: (error: unknown) => failed.push(error),
    progress: () => {},
    signal: new AbortController().signal,
  }
  await cleanUp(app.database, 30, now, sink)
  assert.deepEqual(failed, [])
  assert.equal((await owner`select from merged_leads where undo is not null`).length, 0)
  assert.equal((await agent!.send('GET', `/web/leads/${e}`)).status, 307)
})

test('deleting the kept lead deletes everything of both, and ends the undo', async () => {
  const { kept, other, second, email } = await twoLeads()
  await merged(kept, other)
  assert.equal((await asha.send('DELETE', `/api/v1/leads/${kept}`)).status, 200)
  const left = JSON.stringify(await world(owner))
  for (const data of [second, email, 'Ravi Kumar']) {
    const others = data === 'Ravi Kumar' ? null : data
    if (others) assert.ok(!left.includes(others), data)
  }
  assert.equal((await owner`select from erased_leads where lead_id in (${kept}, ${other})`).length, 2)
  assert.equal((await undo(kept)).status, 404)
  assert.equal((await admin!.send('GET', `/web/leads/${other}`)).status, 404)
  const again = await webhook.send({ name: 'New', phone: second })
  assert.equal(again.body.data.status, 'created')
})

test('a merge that may not be is rejected, and changes nothing', async () => {
  const [kept, other, chands] = [await newLead(), await newLead(), await newLead({ assigned_to: chand.email })]
  const foreign = (await zoya.send('POST', '/api/v1/leads', { name: 'Z', phone: newPhone() })).body.data.id
  const { body } = await compare(kept, other)
  const good = {
    other_id: other,
    take: [],
    updated_at: body.data.kept.updated_at,
    other_updated_at: body.data.other.updated_at,
  }
  const unchanged = await world(owner)
  for (const [browser, id, change, status, field] of [
    [agent!, kept, {}, 403, undefined],
    [stranger!, kept, {}, 404, undefined],
    [manager!, kept, { other_id: chands }, 404, 'other_id'],
    [manager!, chands, { other_id: kept }, 404, undefined],
    [admin!, kept, { other_id: foreign }, 404, 'other_id'],
    [admin!, kept, { other_id: kept }, 400, 'other_id'],
    [admin!, kept, { other_id: 'x' }, 400, 'other_id'],
    [admin!, kept, { take: ['notes'] }, 400, 'take'],
    [admin!, kept, { updated_at: '2026-01-01T00:00:00Z' }, 409, 'other_id'],
    [admin!, kept, { other_updated_at: '2026-01-01T00:00:00Z' }, 409, 'other_id'],
  ] as const) {
    const answer = await browser.send('POST', `/web/leads/${id}/merge`, { ...good, ...change })
    assert.deepEqual([answer.status, answer.body.error.field], [status, field], JSON.stringify([change, answer.body]))
  }
  assert.equal((await compare(kept, chands, manager!)).status, 404)
  assert.equal((await compare(kept, other, agent!)).status, 403)
  for (const [browser, status] of [
    [agent!, 403],
    [manager!, 404],
    [stranger!, 404],
  ] as const)
    assert.equal((await undo(chands, browser)).status, status)
  assert.deepEqual(await world(owner), unchanged)
  assert.equal((await merge(kept, other, [], manager!)).status, 200)
  assert.equal((await undo(kept, manager!)).status, 200)
})

test('a lead with too much that would move is kept instead', async () => {
  const [kept, other] = [await newLead(), await newLead()]
  await owner`insert into timeline_entries (account_id, lead_id, at, kind, summary, details, assigned_to)
    select ${acme.account_id}, ${other}, now(), 'changed', 'x', '{}', ${bela.id} from generate_series(1, ${maxMoved})`
  const unchanged = await owner`select * from leads where id in (${kept}, ${other}) order by id`
  const rejected = await merge(kept, other)
  assert.match(rejected.body.error.message, /more than 5,000 calls.*Keep this lead/)
  assert.deepEqual(await owner`select * from leads where id in (${kept}, ${other}) order by id`, unchanged)
  await merged(other, kept)
})

test('an answer that was stored for an idempotency key brings the other lead not back', async () => {
  const phone = newPhone()
  const lead = { name: 'Stored', phone, assigned_to: bela.email }
  const kept = await newLead()
  const first = await asha.send('POST', '/api/v1/leads', lead, { 'idempotency-key': 'stored' })
  await merged(kept, first.body.data.id)
  const again = await asha.send('POST', '/api/v1/leads', lead, { 'idempotency-key': 'stored' })
  assert.equal(again.body.data.id, first.body.data.id)
  assert.equal((await asha.send('DELETE', `/api/v1/leads/${first.body.data.id}`)).status, 404)
  const other = await asha.send('POST', '/api/v1/leads', lead, { 'idempotency-key': 'another' })
  assert.deepEqual([other.status, other.body.data.id], [200, kept])
})

test('a merge and its undo keep the first call and the lost reason in step', async () => {
  const kept = await newLead()
  const other = await newLead()
  const lost = (id: string, lost_reason: string) =>
    admin!.send('PATCH', `/web/leads/${id}`, { status: 'Lost', lost_reason })
  assert.equal((await lost(kept, 'Too expensive')).status, 200)
  assert.equal((await lost(other, 'Not reachable')).status, 200)
  const call = { call_type: 'Outbound', duration_seconds: 5, outcome: 'Completed' }
  assert.equal((await admin!.send('POST', `/web/leads/${other}/calls`, call)).status, 201)
  const stored = async (id: string) => (await owner`select status, lost_reason from leads where id = ${id}`)[0]
  await merged(kept, other, ['status'])
  assert.deepEqual({ ...(await stored(kept)) }, { status: 'Lost', lost_reason: 'Not reachable' })
  await assertLeadsKnowTheirCalls(owner)
  assert.equal((await undo(kept)).status, 200)
  assert.deepEqual({ ...(await stored(kept)) }, { status: 'Lost', lost_reason: 'Too expensive' })
  await assertLeadsKnowTheirCalls(owner)

  // An open lead has no reason.
  const open = await newLead()
  await merged(open, other, ['status'])
  assert.deepEqual({ ...(await stored(open)) }, { status: 'Lost', lost_reason: 'Not reachable' })
  assert.equal((await undo(open)).status, 200)
  assert.deepEqual({ ...(await stored(open)) }, { status: 'New', lost_reason: null })
})

test('undo restores how the other lead was closed before, and when it is expected to be won', async () => {
  const [kept, other] = [await newLead(), await newLead()]
  const change = (fields: object) => admin!.send('PATCH', `/web/leads/${other}`, fields)
  for (const fields of [{ status: 'Won' }, { status: 'Qualified', expected_close: '2026-12-15', deal_value: 500 }])
    assert.equal((await change(fields)).status, 200)
  const before = await stateOf(other)
  assert.notEqual((before.leads[0] as { row: { former_closing: object | null } }).row.former_closing, null)
  await merged(kept, other)
  assert.equal((await undo(kept)).status, 200)
  assert.deepEqual((await stateOf(other)).leads, before.leads)
  assert.equal((await change({ status: 'Won' })).status, 200)
  await assertCountsHold(owner)
})
