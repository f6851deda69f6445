import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { phoneCalls } from '#test/phone-calls.ts'
import { webhookOf } from '#test/webhooks.ts'
import { findAccount } from '../../access/account/users.ts'
import type { ConcerningCall } from './concerned-users.ts'
import { concernedUsers } from './concerned-users.ts'
import type { RingingCall } from './contract.ts'
import { lastNote } from './last-note.ts'

const now = new Date('2026-11-21T05:00:00Z')
const app = await testApp({}, () => now)
after(app.close)
const { asha, meena, bela, chand, zoya, acme } = await people(app)
const players = { asha, meena, bela, chand, zoya }
type Name = keyof typeof players
const names = Object.keys(players) as Name[]
const browsers = Object.fromEntries(
  await Promise.all(names.map(async (name) => [name, await signedIn(app, players[name])] as const)),
)
const calls = phoneCalls(app.owner, acme, await webhookOf(app, acme))
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)

async function ringing(name: Name): Promise<RingingCall[]> {
  const { status, body } = await browsers[name]!.send('GET', '/web/ringing')
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}
/** Adds a call, and returns who is shown it. */
async function seenBy(call: object): Promise<string> {
  const id = await calls.add({ started_at: now, changed_at: now, ...call })
  const seen: Name[] = []
  for (const name of names) if ((await ringing(name)).some((one) => one.id === id)) seen.push(name)
  return seen.join(' ')
}

let ofBela: string
let unassigned: string
before(async () => {
  const lead = { name: 'Meera Iyer', phone: '98200 11223', city: 'Pune', source: 'IVR', notes: 'Wants 2 BHK' }
  ofBela = (await asha.send('POST', '/api/v1/leads', { ...lead, assigned_to: bela.email })).body.data.id
  const other = { name: 'Ravi', phone: '98200 11224', assigned_to: bela.email }
  unassigned = (await asha.send('POST', '/api/v1/leads', other)).body.data.id
  await app.owner`update leads set assigned_to = null where id = ${unassigned}`
})
beforeEach(() => app.owner`delete from phone_calls`)

test('a call is shown to the owner of the lead and to the users who are rung; without an owner, to Admins', async () => {
  const owned = { lead_id: ofBela, assigned_to: bela.id }
  const free = { lead_id: unassigned, assigned_to: null }
  const table: [Partial<ConcerningCall> & { lead_id: string | null; assigned_to: string | null }, string][] = [
    [owned, 'bela'],
    [{ ...owned, user_ids: [chand.id] }, 'bela chand'],
    [{ ...owned, user_ids: [meena.id, asha.id] }, 'asha meena bela'],
    [free, 'asha'],
    [{ ...free, user_ids: [chand.id] }, 'asha chand'],
    [{ lead_id: null, assigned_to: null }, ''],
    [{ lead_id: null, assigned_to: null, user_ids: [chand.id] }, 'chand'],
    [{ ...owned, call_type: 'Outbound', user_ids: [chand.id] }, 'chand'],
    [{ ...free, call_type: 'Outbound' }, ''],
  ]
  const account = await findAccount(app.database, acme.account_id)
  for (const [call, expected] of table) {
    assert.equal(await seenBy(call), expected, JSON.stringify(call))
    const concerned = concernedUsers(account, { call_type: 'Inbound', user_ids: [], ...call })
    assert.deepEqual(
      names.filter((name) => concerned.includes(players[name].id)).join(' '),
      expected,
      JSON.stringify(call),
    )
  }
})

test('who is rung and does not see the lead gets its short name and its owner, without contacts and texts', async () => {
  const notes = 'Wants 2 BHK'
  await asha.send('POST', '/api/v1/call-logs', {
    lead_id: ofBela,
    call_type: 'Outbound',
    duration_seconds: 0,
    outcome: 'Busy',
    notes: 'Try later',
    called_at: '2026-11-20T05:00:00Z',
  })
  const facts = { answered_at: { rank: 1, value: '2026-11-21T04:59:50Z' } }
  const sent = { name: 'Meera Iyer', phone: '98200 11223', project: 'Skyline', budget: '60 lakh' }
  assert.equal((await (await webhookOf(app, acme)).send(sent)).status, 200)
  const call = { lead_id: ofBela, assigned_to: bela.id, user_ids: [chand.id], phone: '+919820011223', facts }
  const id = await calls.add({ ...call, state: 'answered', started_at: ago(30), changed_at: ago(10) })
  const expected = {
    id,
    state: 'answered',
    call_type: 'Inbound',
    started_at: '2026-11-21T04:59:30Z',
    answered_at: '2026-11-21T04:59:50Z',
    ended_at: null,
    outcome: null,
    duration_seconds: null,
    call_log_id: null,
    is_own: true,
    may_note: true,
    users: ['Chand'],
    phone: null,
    owner: 'Bela',
    is_unassigned: false,
    lead: null,
    unseen_lead: { name: 'Meera I.', product: 'Skyline', source: 'IVR', city: 'Pune' },
  }
  assert.deepEqual(await ringing('chand'), [expected])
  await browsers.asha!.send('PATCH', '/web/account', { names_owner: false })
  assert.deepEqual(await ringing('chand'), [{ ...expected, owner: null }])
  await browsers.asha!.send('PATCH', '/web/account', { names_owner: true })
  const lead = {
    id: ofBela,
    name: 'Meera Iyer',
    phone: '98200 11223',
    status: 'New',
    source: 'IVR',
    city: 'Pune',
    call_again_at: null,
  }
  const last_call = { called_at: '2026-11-20T05:00:00Z', outcome: 'Busy' }
  const last_call_notes = { called_at: '2026-11-20T05:00:00Z', notes: 'Try later' }
  const [seen] = await ringing('bela')
  const { enquiry, ...shown } = seen!.lead!
  assert.deepEqual(
    { ...seen, lead: shown },
    {
      ...expected,
      is_own: false,
      may_note: false,
      phone: '+919820011223',
      lead: { ...lead, last_note: notes, last_call, last_call_notes },
      unseen_lead: null,
    },
  )
  assert.deepEqual([enquiry?.product, enquiry?.answers], ['Skyline', [{ question: 'budget', answer: '60 lakh' }]])
  // A later call without notes does not hide them.
  const called_at = '2026-11-20T06:00:00Z'
  const later = { lead_id: ofBela, call_type: 'Outbound', duration_seconds: 0, outcome: 'Busy', called_at }
  await asha.send('POST', '/api/v1/call-logs', later)
  const { lead: then } = (await ringing('bela'))[0]!
  assert.deepEqual([then!.last_call, then!.last_call_notes], [{ called_at, outcome: 'Busy' }, last_call_notes])
  // Nor by its id.
  assert.equal((await browsers.chand!.send('GET', `/web/leads/${ofBela}`)).status, 404)
})

test('a call that has ended has its length and its log, until the log is corrected', async () => {
  const log = { lead_id: ofBela, call_type: 'Inbound', duration_seconds: 192 }
  const call_log_id = (await asha.send('POST', '/api/v1/call-logs', log)).body.data.id
  const facts = {
    ended_at: { rank: 2, value: '2026-11-21T04:59:00Z' },
    talk_seconds: { rank: 2, value: 192 },
  }
  const call = { lead_id: ofBela, assigned_to: bela.id, user_ids: [bela.id, chand.id], facts, call_log_id }
  await calls.add({ ...call, state: 'ended', started_at: ago(250), changed_at: ago(30) })
  const [own] = await ringing('bela')
  assert.deepEqual(
    [own!.duration_seconds, own!.outcome, own!.ended_at, own!.call_log_id],
    [192, 'Completed', '2026-11-21T04:59:00Z', call_log_id],
  )
  // Who does not see the log does not see the end.
  assert.deepEqual(await ringing('chand'), [])
  // Later events, such as of a recording, change both, and do not show an old call again.
  await app.owner`update call_logs set changed_at = now() where id = ${call_log_id}`
  assert.equal((await ringing('bela')).length, 1)
  await app.owner`update call_logs set created_at = ${ago(130)} where id = ${call_log_id}`
  assert.deepEqual(await ringing('bela'), [])
  await app.owner`update call_logs set created_at = ${now} where id = ${call_log_id}`
  assert.equal((await ringing('bela')).length, 1)
  await app.owner`update call_logs set notes = 'Visit on Saturday' where id = ${call_log_id}`
  assert.deepEqual(await ringing('bela'), [])
})

test('who is rung learns that the lead is unassigned, with the number that the phone shows, and a call that was logged during it ends without a card', async () => {
  const call = { lead_id: unassigned, assigned_to: null, user_ids: [chand.id], phone: '+919820011224' }
  await calls.add({ ...call, started_at: ago(30), changed_at: ago(10) })
  const [seen] = await ringing('chand')
  assert.deepEqual([seen!.is_unassigned, seen!.owner, seen!.lead, seen!.phone], [true, null, null, call.phone])
  await app.owner`update leads set name = 'Caller +91 98200 11224' where id = ${unassigned}`
  assert.deepEqual(
    (await ringing('chand')).map(({ phone, unseen_lead }) => [phone, unseen_lead!.name]),
    [['+919820011224', 'Caller']],
  )
  await app.owner`update leads set assigned_to = ${bela.id} where id = ${unassigned}`
  await app.owner`update phone_calls set assigned_to = ${bela.id}`
  assert.equal((await ringing('chand'))[0]!.phone, null)
  await app.owner`update leads set assigned_to = null, name = 'Ravi' where id = ${unassigned}`
  await app.owner`delete from phone_calls`
  const log = { lead_id: ofBela, call_type: 'Inbound', duration_seconds: 60 }
  const call_log_id = (await asha.send('POST', '/api/v1/call-logs', log)).body.data.id
  const ended = { lead_id: ofBela, assigned_to: bela.id, user_ids: [bela.id], call_log_id, state: 'ended' }
  const facts = { talk_seconds: { rank: 2, value: 60 } }
  await calls.add({ ...ended, facts, started_at: ago(90), changed_at: ago(20) })
  assert.equal((await ringing('bela')).length, 1)
  await app.owner`update phone_calls set facts = ${app.owner.json({ ...facts, logged: { rank: 0, value: {} } })}`
  assert.deepEqual(await ringing('bela'), [])
})

test('old calls are not shown, and the newest five are', async () => {
  const call = { lead_id: ofBela, assigned_to: bela.id }
  for (const [state, seconds, expected] of [
    ['ringing', 590, 'bela'],
    ['ringing', 610, ''],
    ['answered', 7190, 'bela'],
    ['answered', 7210, ''],
    ['ended', 110, 'bela'],
    ['ended', 130, ''],
  ] as const)
    assert.equal(await seenBy({ ...call, state, changed_at: ago(seconds) }), expected, `${state} ${seconds}`)
  const ids: string[] = []
  for (let n = 0; n < 7; n++) ids.unshift(await calls.add({ ...call, started_at: ago(-n), changed_at: ago(-n) }))
  assert.deepEqual(
    (await ringing('bela')).map(({ id }) => id),
    ids.slice(0, 5),
  )
})

test('the last note is the beginning of what was noted last', () => {
  for (const [notes, expected] of [
    [null, null],
    ['', null],
    ['Wants 2 BHK', 'Wants 2 BHK'],
    ['Wants 2 BHK\n\n[21 Nov 2026, 10:30, Bela]\nCall after five\nor six', 'Call after five\nor six'],
    ['One\n\ntwo', 'One\n\ntwo'],
    ['x'.repeat(400), `${'x'.repeat(300)}…`],
    [`${'x'.repeat(299)}😀😀`, `${'x'.repeat(299)}😀…`],
  ] as const)
    assert.equal(lastNote(notes), expected)
})
