import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testApp } from '#test/app.ts'
import { addPlayer, people, signedIn } from '#test/people.ts'
import { assertCountsHold, auditOf, countAllRows, lockLead, timelineOf, world } from '#test/records.ts'
import { deactivateUser } from '../../setup/team/change-user.ts'
import { evenShares } from '../../setup/team/contract.ts'
import { runReassignment } from '../../setup/team/reassign-leads.ts'

const app = await testApp()
after(app.close)
const { owner } = app
const { acme, asha, meena, bela, chand, zoya } = await people(app)
const admin = await signedIn(app, asha)
const deactivation = (id: string) => `/web/users/${id}/deactivation`

async function leadWithCalls(of: typeof bela, phone: string): Promise<string> {
  const { body } = await of.send('POST', '/api/v1/leads', { name: `Of ${phone}`, phone })
  const lead_id = body.data.id
  for (const call_type of ['Inbound', 'Outbound', 'Outbound']) {
    await of.send('POST', '/api/v1/call-logs', { lead_id, call_type, duration_seconds: 5 })
  }
  return lead_id
}

const owned = (id: string | null) =>
  owner`select (select count(*) from leads where assigned_to is not distinct from ${id})::int as leads,
    (select count(*) from call_logs where assigned_to is not distinct from ${id})::int as calls,
    (select count(*) from timeline_entries where assigned_to is not distinct from ${id})::int as entries`.then(
    ([row]) => ({ ...row }),
  )

test('deactivating a user reassigns leads, calls, timelines and counts, and ends the user’s sessions', async () => {
  const ids = [await leadWithCalls(bela, '9810000001'), await leadWithCalls(bela, '9810000002')]
  await leadWithCalls(chand, '9810000003')
  const browser = await signedIn(app, bela)
  const { status, body } = await admin.send('POST', deactivation(bela.id), { reassign_to: [chand.id] })
  const reassignment = { state: 'done', total: 2, moved: 2, to_users: [chand.id], error: null }
  assert.deepEqual([status, body.data], [200, { id: bela.id, active: false, leads_reassigned: 2, reassignment }])
  assert.deepEqual(await owned(bela.id), { leads: 0, calls: 0, entries: 0 })
  assert.deepEqual(await owned(chand.id), { leads: 3, calls: 9, entries: 14 })
  await assertCountsHold(owner)
  const newest = (await timelineOf(owner, ids[0]!)).at(-1)!
  assert.deepEqual([newest.kind, newest.summary], ['reassigned', 'Owner Bela → Chand: Asha deactivated Bela.'])
  assert.equal((await chand.send('GET', '/api/v1/leads')).body.pagination.total, 3)
  assert.equal((await chand.send('GET', '/api/v1/call-logs')).body.pagination.total, 9)
  assert.equal((await bela.send('GET', '/api/v1/leads')).status, 401)
  assert.equal((await browser.send('GET', '/web/me')).status, 401)
  assert.deepEqual(
    (await auditOf(owner, bela.id)).slice(-2).map(({ action, details }) => [action, details]),
    [
      ['user.deactivated', {}],
      ['user.leads_reassigned', { to: chand.id, leads: 2 }],
    ],
  )
})

test('a reactivated user signs in again, and their leads stay with the new owner', async () => {
  const browser = await signedIn(app, chand)
  assert.equal((await admin.send('POST', deactivation(chand.id), {})).body.data.leads_reassigned, 0)
  assert.equal((await owned(chand.id)).leads, 3)
  assert.equal((await admin.send('DELETE', deactivation(chand.id))).body.data.active, true)
  assert.equal((await browser.send('GET', '/web/me')).status, 401)
  assert.equal((await chand.send('GET', '/api/v1/leads')).status, 200)
})

test('leads can be left unassigned, and only Admins see them', async () => {
  const { body } = await admin.send('POST', deactivation(chand.id), { reassign_to: null })
  assert.equal(body.data.leads_reassigned, 3)
  assert.deepEqual(await owned(null), { leads: 3, calls: 9, entries: 17 })
  await assertCountsHold(owner)
  await admin.send('DELETE', deactivation(chand.id))
  assert.equal((await chand.send('GET', '/api/v1/leads')).body.pagination.total, 0)
})

test('open leads are shared evenly, also to users with many; closed ones stay, and reports as they were', async () => {
  const [leaver, busy, ...free] = [
    await addAgent('Gita'),
    await addAgent('Hari'),
    await addAgent('Indu'),
    await addAgent('Jaya'),
  ]
  const create = (of: { email: string }, phone: number, status: string) =>
    asha.send('POST', '/api/v1/leads', {
      name: 'Lead',
      phone: String(phone),
      assigned_to: of.email,
      status,
      deal_value: 100_000,
    })
  for (let n = 0; n < 6; n++) await create(busy!, 9820010000 + n, 'Contacted')
  const made = []
  for (const [n, status] of ['New', 'Won', 'Contacted', 'Lost', 'Qualified', 'Won', 'Proposal'].entries())
    made.push((await create(leaver!, 9820020000 + n, status)).body.data.id)
  for (const lead_id of made)
    await asha.send('POST', '/api/v1/call-logs', {
      lead_id,
      call_type: 'Inbound',
      duration_seconds: 0,
      outcome: 'Missed',
    })
  const figures = async () => {
    const { rows } = (await admin.send('GET', '/web/reports/users')).body.data
    const of = ({ email }: { email: string }) => {
      const { leads, converted, won, won_value, lost, missed } = rows.find(
        ({ key }: { key: string }) => key === email,
      ).figures
      return { leads, converted, won, won_value, lost, missed }
    }
    return [leaver!, busy!, ...free].map(of)
  }
  const before = await figures()
  assert.deepEqual(before[0], { leads: 7, converted: 2, won: 2, won_value: 200_000, lost: 1, missed: 7 })
  const to = [busy!, ...free].map(({ id }) => id)
  const { body } = await admin.send('POST', deactivation(leaver!.id), { reassign_to: to })
  assert.deepEqual([body.data.leads_reassigned, body.data.reassignment.to_users], [4, to])
  const counts = async () => Promise.all([leaver!, busy!, ...free].map(async ({ id }) => (await owned(id)).leads))
  assert.deepEqual(await counts(), [3, 8, 1, 1])
  assert.deepEqual(await figures(), before)
  await assertCountsHold(owner)
  const entries = await Promise.all(made.map(async (id) => (await timelineOf(owner, id)).at(-1)!))
  assert.equal(
    entries.filter(({ summary }) => /^Owner Gita → (Hari|Indu|Jaya): Asha deactivated Gita\.$/.test(summary)).length,
    4,
  )
  const { details } = (await auditOf(owner, leaver!.id)).at(-1)!
  const to_users = to.map((user_id, n) => ({ user_id, leads: n === 0 ? 2 : 1 }))
  assert.deepEqual(details, { to_users, leads: 4 })
  // Closed leads too, if they are chosen. What was won stays with who won it.
  const rest = await admin.send('POST', deactivation(leaver!.id), { reassign_to: [free[0]!.id], with_closed: true })
  assert.equal(rest.body.data.leads_reassigned, 3)
  assert.deepEqual(await counts(), [0, 8, 4, 1])
  assert.deepEqual(await figures(), before)
})

test('leads cannot be reassigned to an inactive user, the same user or another account, and nothing changes', async () => {
  await leadWithCalls(meena, '9810000004')
  const before = await world(owner)
  for (const assignee of [bela.id, meena.id, zoya.id]) {
    const rejected = await admin.send('POST', deactivation(meena.id), { reassign_to: [chand.id, assignee] })
    assert.deepEqual([rejected.status, rejected.body.error.field], [400, 'reassign_to'])
    assert.deepEqual(await world(owner), before)
  }
  assert.equal((await meena.send('GET', '/api/v1/leads')).status, 200)
})

test('counts stay exact while leads are created, merged and called during a reassignment', async () => {
  const lead = await leadWithCalls(meena, '9810000005')
  const [handed, ...others] = await Promise.all([
    admin.send('POST', deactivation(meena.id), { reassign_to: [chand.id] }),
    ...Array.from({ length: 12 }, (_, n) =>
      asha.send('POST', '/api/v1/leads', { name: 'New', phone: `98200000${10 + n}`, assigned_to: chand.email }),
    ),
    ...['Pune', 'Goa'].map((city) => asha.send('POST', '/api/v1/leads', { name: 'M', phone: '9810000005', city })),
    ...[1, 2, 3].map(() =>
      asha.send('POST', '/api/v1/call-logs', { lead_id: lead, call_type: 'Inbound', duration_seconds: 1 }),
    ),
  ])
  assert.equal(handed!.status, 200, JSON.stringify(handed!.body))
  for (const { status } of others) assert.ok(status < 300)
  await assertCountsHold(owner)
})

test('four thousand leads are reassigned in batches, and the counts stay exact', { timeout: 150_000 }, async (t) => {
  await admin.send('DELETE', deactivation(meena.id))
  const { account_id } = asha.actor
  await owner`insert into leads (account_id, id, name, phone, phone_key, source, status, priority, assigned_to, created_at,
      updated_at)
    select ${account_id}, gen_random_uuid(), 'Many', n::text, 'many' || n, 'IVR ' || n % 7, 'New', 'Low', ${meena.id},
      now() - n % 400 * interval '1 day', now() from generate_series(1, 4000) n`
  await owner`insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
    select account_id, id, assigned_to, now(), 'created', 'Created', '{}' from leads, generate_series(1, 3)
    where name = 'Many'`
  await owner`insert into call_logs (account_id, id, lead_id, assigned_to, call_type, duration_seconds, outcome, called_at,
      created_at)
    select account_id, gen_random_uuid(), id, assigned_to, 'Inbound', 5, 'Completed', now(), now() from leads
    where name = 'Many'`
  await countAllRows(owner)
  await assertCountsHold(owner)
  const start = performance.now()
  const { body } = await admin.send('POST', deactivation(meena.id), { reassign_to: [chand.id] })
  const { state, total } = body.data.reassignment
  assert.deepEqual([state, total], ['running', 4_000])
  // Meanwhile leads can be changed, and the counts hold after each batch.
  for (let round = 0; (await reassignmentOf(meena)).state === 'running'; round++) {
    const made = await asha.send('POST', '/api/v1/leads', { name: 'M', email: `m${round % 3}@x.in`, city: `${round}` })
    assert.ok(made.status < 300)
    await assertCountsHold(owner)
  }
  const { state: end, moved } = await reassignmentOf(meena)
  assert.deepEqual([end, moved], ['done', 4_000])
  t.diagnostic(`${Math.round(performance.now() - start)} ms`)
  const entries = await owner`select count(*)::int as n from timeline_entries where kind = 'reassigned'
    and lead_id in (select id from leads where name = 'Many') group by lead_id`
  assert.deepEqual([entries.length, entries.every(({ n }) => n === 1)], [4_000, true])
  assert.deepEqual((await auditOf(owner, meena.id)).at(-1)!.details, { to: chand.id, leads: 4_000 })
})

test('another process continues an unfinished reassignment, and a locked lead is reassigned last', async () => {
  const person = await addAgent('Dev')
  const ids = [await leadWithCalls(person, '9810000021'), await leadWithCalls(person, '9810000022')]
  const job = await deactivateUser(app.database, asha.actor, person.id, { to: [chand.id], withClosed: true })
  const release = await lockLead(owner, ids[0]!)
  const run = runReassignment(app.database, asha.actor.account_id, job!)
  while ((await reassignmentOf(person)).moved < 1) await sleep(5)
  assert.equal((await reassignmentOf(person)).state, 'running')
  await release()
  await run
  assert.deepEqual(await reassignmentOf(person), {
    state: 'done',
    total: 2,
    moved: 2,
    to_users: [chand.id],
    error: null,
  })
  assert.deepEqual((await owned(person.id)).leads, 0)
  await assertCountsHold(owner)
})

test('shares are exact when another process continues a reassignment after its first batches', async () => {
  const leaver = await addAgent('Kiran')
  const to = [await addAgent('Lata'), await addAgent('Mohan'), await addAgent('Nina')].map(({ id }) => id)
  await owner`insert into leads (account_id, id, name, phone, phone_key, source, status, priority, assigned_to, created_at, updated_at)
    select ${asha.actor.account_id}, gen_random_uuid(), 'Shared', n::text, 'shared' || n, 'IVR', 'New', 'Low', ${leaver.id},
      now() - n * interval '1 minute', now() from generate_series(1, 1255) n`
  await countAllRows(owner)
  const job = await deactivateUser(app.database, asha.actor, leaver.id, { to, withClosed: false })
  // The first process skips a locked lead, and ends before the last one.
  const [second] =
    await owner`select id from leads where assigned_to = ${leaver.id} order by created_at desc offset 700 limit 1`
  const release = await lockLead(owner, second!.id)
  const batches: number[] = []
  const first = runReassignment(app.database, asha.actor.account_id, job!, (moved) => {
    batches.push(moved)
    if (batches.length === 3) throw new Error('killed')
  })
  await assert.rejects(first, /killed/)
  assert.deepEqual(batches, [500, 500, 254])
  await release()
  await runReassignment(app.database, asha.actor.account_id, job!)
  assert.deepEqual(await Promise.all(to.map(async (id) => (await owned(id)).leads)), [419, 418, 418])
  const shares = evenShares(to, 1255)
  assert.deepEqual((await auditOf(owner, leaver.id)).at(-1)!.details, { to_users: shares, leads: 1255 })
  assert.deepEqual(
    shares.map(({ leads }) => leads),
    [419, 418, 418],
  )
  await assertCountsHold(owner)
})

test('a reassignment stops if the new owner is deactivated or the previous owner is activated', async () => {
  for (const [name, stop, error] of [
    ['Esha', (_from: string, to: string) => admin.send('POST', deactivation(to), {}), 'Friend was deactivated.'],
    ['Farid', (from: string) => admin.send('DELETE', deactivation(from)), 'Farid was activated.'],
  ] as const) {
    const person = await addAgent(name)
    const friend = await addAgent('Friend', name)
    await leadWithCalls(person, name === 'Esha' ? '9810000031' : '9810000032')
    const job = await deactivateUser(app.database, asha.actor, person.id, { to: [friend.id], withClosed: true })
    assert.equal((await stop(person.id, friend.id)).status, 200)
    await runReassignment(app.database, asha.actor.account_id, job!)
    assert.deepEqual(await reassignmentOf(person), {
      state: 'stopped',
      total: 1,
      moved: 0,
      to_users: [friend.id],
      error,
    })
    assert.equal((await owned(person.id)).leads, 1)
    // And again, to another.
    const again = await admin.send('POST', deactivation(person.id), { reassign_to: [chand.id] })
    assert.deepEqual([again.body.data.leads_reassigned, again.body.data.reassignment.state], [1, 'done'])
    await assertCountsHold(owner)
    await owner`update users set name = name || id, email = id || email where id = ${friend.id}`
  }
})

async function addAgent(name: string, team: string | null = null) {
  const person = await addPlayer(app.database, app.url, acme, name, 'Agent', team)
  app.database.cache.invalidate(acme.account_id)
  return person
}

/** As the team page shows it. */
async function reassignmentOf({ id }: { id: string }) {
  const { body } = await admin.send('GET', '/web/users')
  return body.data.find((person: { id: string }) => person.id === id).reassignment
}
