import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { type Player, people } from '#test/people.ts'
import { assertCountsHold, auditOf, timelineOf } from '#test/records.ts'

let now = new Date('2026-11-21T05:00:00Z')
const later = () => {
  now = new Date(now.getTime() + 60_000)
}
const app = await testApp({}, () => now)
after(app.close)
const { asha, meena, bela, zoya } = await people(app)
const { owner } = app

const send = (player: Player, lead: object) => player.send('POST', '/api/v1/leads', lead)

async function made(player: Player, lead: object) {
  const { status, body } = await send(player, lead)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

async function merged(player: Player, lead: object) {
  later()
  const { status, body } = await send(player, lead)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

async function listed(id: string) {
  const { body } = await asha.send('GET', '/api/v1/leads?limit=500')
  return body.data.find((lead: { id: string }) => lead.id === id)
}

test('a merge replaces only given fields, and writes neither defaults nor blanks', async () => {
  const lead = await made(asha, {
    name: 'Ravi',
    phone: '98100 44321',
    email: 'ravi@x.in',
    company: 'Acme',
    city: 'Pune',
    source: 'Fair',
    status: 'Won',
    priority: 'High',
    tags: ['b', 'a'],
    deal_value: 10,
    notes: 'First.',
    assigned_to: bela.email,
  })
  const answer = await merged(asha, {
    name: 'Ravi Kumar',
    phone: '+919810044321',
    city: 'Goa',
    tags: ['c', 'a'],
    notes: 'Second.',
    company: null,
    source: ' ',
    status: '',
    priority: null,
    deal_value: null,
    assigned_to: '',
  })
  const expected = {
    ...lead,
    name: 'Ravi Kumar',
    phone: '+919810044321',
    city: 'Goa',
    tags: ['b', 'a', 'c'],
    notes: 'Second.',
    updated_at: '2026-11-21T05:01:00Z',
  }
  assert.deepEqual(answer, expected)
  assert.deepEqual(await listed(lead.id), expected)
})

test('a merge writes a readable timeline entry, and no personal data to the audit log', async () => {
  const lead = await made(bela, { name: 'Sita', email: 'sita@x.in', city: 'Agra', tags: ['old'] })
  const answer = await merged(asha, {
    name: 'Sita',
    email: 'SITA@x.in',
    phone: '9820011223',
    city: 'Delhi',
    tags: ['new'],
    deal_value: 5,
    notes: 'Hello',
    status: 'Lost',
    assigned_to: meena.email,
  })
  assert.equal(answer.id, lead.id)
  const [, entry] = await timelineOf(owner, lead.id)
  assert.equal(entry!.kind, 'merged')
  assert.equal(
    entry!.summary,
    "Merged through the API key “Asha's key”, matched by email. Changed email: sita@x.in → SITA@x.in, phone: none → 9820011223, " +
      'city: Agra → Delhi, status: New → Lost, deal value: none → ₹5, notes: added, ' +
      `owner: ${bela.email} → ${meena.email}, tags: +new.`,
  )
  assert.deepEqual(entry!.details, {
    via: 'api_key',
    via_id: asha.key.id,
    matched: ['email'],
    changes: [
      { field: 'email', before: 'sita@x.in', after: 'SITA@x.in' },
      { field: 'phone', before: null, after: '9820011223' },
      { field: 'city', before: 'Agra', after: 'Delhi' },
      { field: 'status', before: 'New', after: 'Lost' },
      { field: 'deal_value', before: null, after: 5 },
      { field: 'notes', before: null, after: 'Hello' },
      { field: 'assigned_to', before: bela.email, after: meena.email },
      { field: 'tags', added: ['new'], removed: [] },
    ],
    not_taken: [],
  })
  assert.deepEqual((await auditOf(owner, lead.id)).at(-1), {
    action: 'lead.merged',
    user_id: asha.id,
    via: 'api_key',
    via_id: asha.key.id,
    details: { fields: ['email', 'phone', 'city', 'status', 'deal_value', 'notes', 'assigned_to', 'tags'] },
  })
  await assertCountsHold(owner)
})

test('a merge without changes says so, and still updates updated_at', async () => {
  const lead = await made(asha, { name: 'Same', phone: '9811111111' })
  const answer = await merged(asha, { name: 'Same', phone: '9811111111' })
  assert.deepEqual(answer, { ...lead, updated_at: answer.updated_at })
  assert.notEqual(answer.updated_at, lead.updated_at)
  const entries = await timelineOf(owner, lead.id)
  assert.match(entries[1]!.summary, /matched by phone\. Nothing changed\.$/)
})

for (const [first, again] of [
  ['9812200001', '+91 98122 00001'],
  ['+919812200002', '098122-00002'],
  ['09812200003', '919812200003'],
  ['91 98122 00004', '(98122) 00004'],
  ['00919812200005', '9812200005'],
  ['+1 415-555-2671', '001 415 555 2671'],
  ['020 2612 3456', '+91 20 2612 3456'],
  ['1234567', '123-45.67'],
]) {
  test(`the phone ${first} is the phone ${again}`, async () => {
    const lead = await made(asha, { name: 'Phone', phone: first })
    const answer = await merged(asha, { name: 'Phone', phone: again })
    assert.deepEqual([answer.id, answer.phone], [lead.id, again])
  })
}

test('an email in another case or with surrounding blanks is the same email', async () => {
  const lead = await made(asha, { name: 'E', email: 'Mixed.Case@Example.COM' })
  const answer = await merged(asha, { name: 'E', email: '  mixed.case@example.com ' })
  assert.deepEqual([answer.id, answer.email], [lead.id, 'mixed.case@example.com'])
  assert.equal((await send(asha, { name: 'E', email: 'mixed.case+1@example.com' })).status, 201)
})

test('a contact that a merge added belongs to the lead, and so does the one that it replaced', async () => {
  const lead = await made(asha, { name: 'Moves', phone: '9813300001', email: 'moves@x.in' })
  await merged(asha, { name: 'Moves', phone: '9813300002', email: 'moves@x.in' })
  assert.equal((await merged(asha, { name: 'Moves', phone: '9813300002' })).id, lead.id)
  assert.equal((await merged(asha, { name: 'Other', phone: '9813300001' })).id, lead.id)
})

test('if phone and email belong to two leads, the submission merges into the one with the phone, and the email stays', async () => {
  const byPhone = await made(asha, { name: 'Phone', phone: '9814400001', email: 'own@x.in' })
  const byEmail = await made(asha, { name: 'Email', phone: '9814400002', email: 'two@x.in' })
  const answer = await merged(asha, { name: 'Both', phone: '+919814400001', email: 'TWO@x.in', city: 'Pune' })
  assert.deepEqual([answer.id, answer.name, answer.email, answer.city], [byPhone.id, 'Both', 'own@x.in', 'Pune'])
  assert.deepEqual(await listed(byEmail.id), byEmail)
  const [, onPhone] = await timelineOf(owner, byPhone.id)
  assert.match(onPhone!.summary, /matched by phone\. Changed name: Phone → Both, .*Not taken: email\.$/)
  assert.deepEqual(onPhone!.details.matched, ['phone'])
  const reason = 'it belongs to another lead'
  assert.deepEqual(onPhone!.details.not_taken, [{ field: 'email', offered: 'TWO@x.in', reason }])
  const [, onEmail] = await timelineOf(owner, byEmail.id)
  assert.equal(onEmail!.kind, 'submitted')
  assert.match(onEmail!.summary, /had this lead's email and matched another lead/)
  assert.equal(onEmail!.details.merged_into, byPhone.id)
})

test('a merge moves a lead’s calls and timeline to its new owner, and the old owner no longer sees them', async () => {
  const lead = await made(bela, { name: 'Given away', phone: '9815500001' })
  const call = { lead_id: lead.id, call_type: 'Inbound', duration_seconds: 5 }
  assert.equal((await bela.send('POST', '/api/v1/call-logs', call)).status, 201)
  await merged(asha, { name: 'Given away', phone: '9815500001', assigned_to: meena.email })
  for (const [player, seen] of [
    [bela, 0],
    [meena, 1],
    [asha, 1],
  ] as const) {
    const { body } = await player.send('GET', `/api/v1/call-logs?lead_id=${lead.id}`)
    assert.deepEqual([body.data.length, body.pagination.total], [seen, seen])
  }
  for (const entry of await timelineOf(owner, lead.id)) assert.equal(entry.assigned_to, meena.id)
  await assertCountsHold(owner)
})

test('a rejected merge changes nothing', async () => {
  const lead = await made(bela, { name: 'Kept', phone: '9816600001', city: 'Pune' })
  for (const fields of [{ status: 'won' }, { assigned_to: asha.email }, { deal_value: -1 }, { tags: 'x' }]) {
    later()
    assert.equal((await send(bela, { name: 'New', phone: '9816600001', ...fields })).status, 400)
  }
  assert.deepEqual(await listed(lead.id), lead)
  assert.equal((await timelineOf(owner, lead.id)).length, 1)
})

test('the same person is a different lead in another account', async () => {
  const ours = await made(asha, { name: 'Shared', phone: '9817700001', email: 'shared@x.in' })
  const theirs = await made(zoya, { name: 'Shared', phone: '9817700001', email: 'shared@x.in' })
  assert.notEqual(theirs.id, ours.id)
  assert.deepEqual(await listed(ours.id), ours)
})
