import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { assertAnswersHold, assertCountsHold, lockLead, timelineOf, world } from '#test/records.ts'
import { until } from '#test/until.ts'
import { accountActor, asActor } from '../../platform/database/actor.ts'
import { deleteOldValues } from './store.ts'

let now = new Date()
const app = await testApp({}, () => now)
after(() => app.close())
const { owner, database } = app
const { acme, asha, meena, bela, chand, zoya } = await people(app)
const [admin, manager, agent, south, stranger] = await Promise.all(
  [asha, meena, bela, chand, zoya].map((player) => signedIn(app, player)),
)
type Web = NonNullable<typeof admin>

let phones = 9_870_000_000
async function newLeads(count: number, fields: object = {}): Promise<string[]> {
  const answers = await Promise.all(
    Array.from({ length: count }, () =>
      asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone: String(phones++), assigned_to: bela.email, ...fields }),
    ),
  )
  return answers.map(({ body }) => body.data.id)
}

beforeEach(async () => {
  await owner`delete from bulk_changes`
})

const start = (web: Web | undefined, body: object) => web!.send('POST', '/web/bulk-changes', body)

async function ended(web: Web | undefined, id: string) {
  let job: Record<string, unknown> = {}
  await until(async () => {
    job = (await web!.send('GET', `/web/bulk-changes/${id}`)).body.data
    return job.state !== 'running' && job.state !== 'undoing'
  }, 'the end of the bulk change')
  return job as { id: string; state: string; error: string; change: object } & Record<
    'total' | 'changed' | 'unchanged' | 'skipped' | 'restored' | 'kept',
    number
  >
}

async function done(web: Web | undefined, body: object) {
  const started = await start(web, body)
  assert.equal(started.status, 201, JSON.stringify(started.body))
  return ended(web, started.body.data.id)
}

const undo = async (web: Web | undefined, id: string) => {
  assert.equal((await web!.send('POST', `/web/bulk-changes/${id}/undo`, {})).status, 200)
  return ended(web, id)
}

const leadsOf = (ids: string[]) =>
  owner`select status, priority, tags, assigned_to, call_again_at from leads where id = any (${ids}) order by id`

test('many leads are split by weight, with one audit entry, a timeline entry for each, and one notification', async () => {
  const ids = await newLeads(8, { tags: ['Fair', 'Old'] })
  await owner`delete from notices`
  const change = {
    assign_to: [
      { email: meena.email, weight: 1 },
      { email: chand.email, weight: 3 },
    ],
    status: 'Contacted',
    priority: 'High',
    call_again_at: new Date(now.getTime() + 3_600_000).toISOString(),
    add_tags: ['Hot', 'fair'],
    remove_tags: ['Old'],
  }
  const audited =
    await owner`select count(*)::int as n from audit_log where via_id is null and action like 'leads.bulk%'`
  const job = await done(admin, { ids, change })
  assert.deepEqual([job.state, job.total, job.changed, job.skipped], ['done', 8, 8, 0])
  const rows = await leadsOf(ids)
  const ofUser = (id: string) => rows.filter(({ assigned_to }) => assigned_to === id).length
  assert.deepEqual([ofUser(meena.id), ofUser(chand.id)], [2, 6])
  assert.ok(
    rows.every(({ status, priority, call_again_at }) => status === 'Contacted' && priority === 'High' && call_again_at),
  )
  assert.deepEqual(rows[0]!.tags, ['Fair', 'Hot'])
  for (const id of ids) {
    const entries = await timelineOf(owner, id)
    assert.equal(entries.length, 2)
    assert.match(entries[1]!.summary, /^Asha changed status: New → Contacted/)
  }
  const assigned = await owner`select user_id, (about->>'leads')::int as leads from notices order by leads`
  assert.deepEqual(
    [...assigned],
    [
      { user_id: meena.id, leads: 2 },
      { user_id: chand.id, leads: 6 },
    ],
  )
  const entries = await owner`select details from audit_log where via_id is null and action = 'leads.bulk_changed'`
  assert.equal(entries.length, audited[0]!.n + 1)
  const { body: log } = await admin!.send('GET', '/web/audit?action=leads')
  assert.equal(log.data[0].action, 'leads.bulk_changed')
  assert.equal(log.data[0].details.leads, 8)
  const each = await admin!.send('GET', `/web/audit?import_id=${job.id}`)
  assert.equal(each.body.data.length, 8)
  await assertCountsHold(owner)
  await assertAnswersHold(owner)
})

test('undo restores the fields that are unchanged since, and counts the other leads', async () => {
  const ids = await newLeads(4, { tags: ['Old'] })
  const before = await leadsOf(ids)
  const again = new Date(now.getTime() + 3_600_000).toISOString()
  const job = await done(admin, {
    ids,
    change: { assign_to: null, status: 'Lost', call_again_at: again, add_tags: ['Cold'], remove_tags: ['Old'] },
  })
  await admin!.send('PATCH', `/web/leads/${ids[0]}`, { status: 'Won' })
  await admin!.send('PATCH', `/web/leads/${ids[1]}`, { add_tags: ['Another'] })
  const undone = await undo(admin, job.id)
  assert.deepEqual([undone.state, undone.restored, undone.kept], ['undone', 3, 1])
  const after = await leadsOf(ids)
  const sorted = [...ids].sort()
  for (const [at, lead] of after.entries()) {
    const expected = { ...before[at] }
    if (sorted[at] === ids[0]) expected.status = 'Won'
    if (sorted[at] === ids[1]) expected.tags = ['Another', 'Old']
    assert.deepEqual(lead, expected)
  }
  assert.equal((await admin!.send('POST', `/web/bulk-changes/${job.id}/undo`, {})).status, 400)
  await assertCountsHold(owner)
})

test('undo brings back why leads were lost, when they were closed, and who owned them then', async () => {
  const at = now
  const [lost, won] = [...(await newLeads(1)), ...(await newLeads(1))]
  for (const [id, change] of [
    [lost, { status: 'Contacted' }],
    [lost, { status: 'Lost', lost_reason: 'Too expensive' }],
    [won, { status: 'Won' }],
    [won, { assigned_to: chand.email }],
  ] as const)
    assert.equal((await admin!.send('PATCH', `/web/leads/${id}`, change)).status, 200)
  const closings = () => owner`select status, lost_reason, closed_at, assignee_at_close, status_before_close from leads
    where id in (${lost!}, ${won!}) order by status`
  const before = [...(await closings())]
  assert.deepEqual(
    before.map(({ status, lost_reason, assignee_at_close }) => [status, lost_reason, assignee_at_close]),
    [
      ['Lost', 'Too expensive', bela.id],
      ['Won', null, bela.id],
    ],
  )
  for (const status of ['Qualified', 'Lost']) {
    now = new Date(now.getTime() + 3_600_000)
    const job = await done(admin, { ids: [lost, won], change: { status } })
    const { restored } = await undo(admin, job.id)
    assert.equal(restored, job.changed)
    assert.deepEqual([...(await closings())], before, status)
  }
  // More than a day later it is another closing.
  assert.equal((await admin!.send('PATCH', `/web/leads/${won}`, { status: 'Proposal' })).status, 200)
  now = new Date(now.getTime() + 90_000_000)
  assert.equal((await admin!.send('PATCH', `/web/leads/${won}`, { status: 'Won' })).status, 200)
  const [, again] = await closings()
  assert.deepEqual([again!.assignee_at_close, again!.status_before_close], [chand.id, 'Proposal'])
  assert.ok(again!.closed_at > before[1]!.closed_at)
  now = at
})

test('a bulk change to Lost takes a reason, which Undo removes or brings back', async () => {
  const ids = await newLeads(3)
  const [, lost, own] = ids
  for (const [id, lost_reason] of [
    [lost, 'Too expensive'],
    [own, null],
  ])
    assert.equal((await admin!.send('PATCH', `/web/leads/${id}`, { status: 'Lost', lost_reason })).status, 200)
  const shown = async () =>
    (await owner`select status, lost_reason, closed_at from leads where id = any (${ids}::uuid[]) order by id`).map(
      ({ status, lost_reason, closed_at }) => [status, lost_reason, closed_at?.getTime() ?? null],
    )
  const before = await shown()
  const change = { status: 'Lost', lost_reason: 'Not interested' }
  const job = await done(admin, { ids, change })
  assert.deepEqual([job.change, job.changed], [change, 3])
  assert.deepEqual(
    (await shown()).map(([status, reason]) => [status, reason]),
    Array(3).fill(['Lost', 'Not interested']),
  )
  const [audited] = (await admin!.send('GET', '/web/audit?action=leads.bulk_changed')).body.data
  assert.deepEqual(audited.details.fields, ['status', 'lost_reason'])
  const { restored, kept } = await undo(admin, job.id)
  assert.deepEqual([restored, kept], [3, 0])
  assert.deepEqual(await shown(), before)

  // Without a reason, a lead keeps its own. A reason that was changed since stays.
  const without = await done(admin, { ids, change: { status: 'Lost' } })
  assert.deepEqual([without.changed, without.unchanged], [1, 2])
  const again = await done(admin, { ids: [lost], change })
  await admin!.send('PATCH', `/web/leads/${lost}`, { lost_reason: 'Wrong enquiry' })
  const ended = await undo(admin, again.id)
  assert.deepEqual([ended.restored, ended.kept], [0, 1])
  assert.equal((await admin!.send('GET', `/web/leads/${lost}`)).body.data.lost_reason, 'Wrong enquiry')
  for (const change of [
    { lost_reason: 'Not interested' },
    { status: 'Won', lost_reason: 'Not interested' },
    { status: 'Lost', lost_reason: 'Of another account' },
  ]) {
    const { status, body } = await admin!.send('POST', '/web/bulk-changes', { ids, change })
    assert.deepEqual([status, body.error.field], [400, 'lost_reason'])
  }
})

test('former values are kept for a day', async () => {
  const ids = await newLeads(2)
  const job = await done(admin, { ids, change: { status: 'Lost' } })
  const clean = () =>
    asActor(database, accountActor(acme.account_id), (tx) => deleteOldValues(tx, acme.account_id, now, 10))
  assert.equal(await clean(), 0)
  now = new Date(now.getTime() + 86_400_001)
  assert.equal((await admin!.send('POST', `/web/bulk-changes/${job.id}/undo`, {})).status, 400)
  assert.equal(await clean(), 2)
  now = new Date()
})

test('all leads that match the filters are changed, as they match at the start', async () => {
  const ids = await newLeads(3, { source: 'Expo', city: 'Nagpur' })
  await newLeads(1, { source: 'Expo', city: 'Pune' })
  const matching = { source: ['Expo'], city: ['nagpur'] }
  const counted = await admin!.send('POST', '/web/bulk-changes/count', { matching })
  assert.equal(counted.body.data.total, 3)
  const job = await done(admin, { matching, change: { priority: 'Low' } })
  assert.deepEqual([job.total, job.changed], [3, 3])
  assert.ok((await leadsOf(ids)).every(({ priority }) => priority === 'Low'))
  const repeated = await done(admin, { matching: { ...matching, search: 'ravi' }, change: { priority: 'Low' } })
  assert.deepEqual([repeated.changed, repeated.unchanged], [0, 3])
})

test('a deletion needs the number of leads, and erases each with its rows in other bulk changes', async () => {
  const ids = await newLeads(3, { source: 'Trash' })
  const tagged = await done(admin, { ids, change: { add_tags: ['Cold'] } })
  const matching = { source: ['Trash'] }
  const unchanged = await world(owner)
  const wrong = await start(admin, { matching, change: { delete: 2 } })
  assert.deepEqual([wrong.status, wrong.body.error.field], [400, 'delete'])
  const forbidden = await start(agent, { matching, change: { delete: 3 } })
  assert.equal(forbidden.status, 403)
  assert.deepEqual(await world(owner), unchanged)
  const job = await done(admin, { matching, change: { delete: 3 } })
  assert.deepEqual([job.state, job.changed, job.skipped], ['done', 3, 0])
  assert.equal((await leadsOf(ids)).length, 0)
  const [left] = await owner`select count(*)::int as n from bulk_change_leads where lead_id = any (${ids})`
  assert.equal(left!.n, 0)
  assert.equal((await admin!.send('POST', `/web/bulk-changes/${job.id}/undo`, {})).status, 400)
  const undone = await undo(admin, tagged.id)
  assert.deepEqual([undone.restored, undone.kept], [0, 3])
  await assertCountsHold(owner)
})

test('users change leads that they see, to owners that they see, and leads out of their sight are skipped', async () => {
  const own = await newLeads(2)
  const others = await newLeads(2, { assigned_to: chand.email })
  const unchanged = await world(owner)
  for (const [web, change, field] of [
    [agent, { assign_to: [{ email: chand.email, weight: 1 }] }, 'assign_to'],
    [agent, { assign_to: null }, 'assign_to'],
    [manager, { assign_to: [{ email: chand.email, weight: 1 }] }, 'assign_to'],
    [admin, {}, 'change'],
    [admin, { delete: 2, status: 'Won' }, 'delete'],
  ] as const) {
    const rejected = await start(web, { ids: own, change })
    assert.deepEqual([rejected.status, rejected.body.error.field], [400, field])
  }
  assert.equal((await start(admin, { change: { status: 'Won' } })).status, 400)
  assert.equal((await start(admin, { ids: own, matching: {}, change: { status: 'Won' } })).status, 400)
  assert.deepEqual(await world(owner), unchanged)

  const job = await done(agent, { ids: [...own, ...others], change: { status: 'Won' } })
  assert.deepEqual([job.changed, job.skipped], [2, 2])
  assert.ok((await leadsOf(others)).every(({ status }) => status === 'New'))
  const nothing = await done(stranger, { ids: own, change: { status: 'Lost' } })
  assert.deepEqual([nothing.changed, nothing.skipped], [0, 2])
  // Another user, and another account.
  for (const web of [south, stranger])
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/undo'],
      ['POST', '/cancellation'],
    ])
      assert.equal(
        (await web!.send(method!, `/web/bulk-changes/${job.id}${path}`, method === 'GET' ? undefined : {})).status,
        404,
      )
  assert.equal((await south!.send('GET', '/web/bulk-changes')).body.data.length, 0)
  assert.equal((await admin!.send('GET', '/web/bulk-changes')).body.data.length, 1)
})

test('one runs after the other, can be canceled, and stops if its user is deactivated or gets a lower role', async () => {
  const ids = await newLeads(4)
  const release = await lockLead(owner, ids[0]!)
  after(release)
  const first = (await start(manager, { ids, change: { status: 'Contacted' } })).body.data
  const waiting = (await start(agent, { ids, change: { priority: 'Low' } })).body.data
  const canceled = (await start(admin, { ids, change: { priority: 'High' } })).body.data
  assert.equal(
    (await admin!.send('POST', `/web/bulk-changes/${canceled.id}/cancellation`, {})).body.data.state,
    'cancelled',
  )
  await admin!.send('PATCH', `/web/users/${bela.id}`, { role: 'Agent', team: 'north' })
  await owner`update users set role = 'Agent' where id = ${meena.id}`
  database.cache.invalidate(null)
  await release()
  const stopped = await ended(manager, first.id)
  // The batch that waited for the lock began before.
  if (stopped.state === 'stopped') assert.equal(stopped.error, 'Meena is only Agent now.')
  assert.equal((await ended(agent, waiting.id)).state, 'done')

  await owner`update users set role = 'Manager' where id = ${meena.id}`
  database.cache.invalidate(null)
  const again = await newLeads(1)
  const held = await lockLead(owner, again[0]!)
  after(held)
  const blocking = (await start(admin, { ids: again, change: { priority: 'Low' } })).body.data
  const next = (await start(manager, { ids, change: { status: 'Qualified' } })).body.data
  await owner`update users set deactivated_at = now() where id = ${meena.id}`
  database.cache.invalidate(null)
  await held()
  await ended(admin, blocking.id)
  const job = await ended(admin, next.id)
  assert.deepEqual([job.state, job.error, job.changed], ['stopped', 'Meena was deactivated.', 0])
  await owner`update users set deactivated_at = null where id = ${meena.id}`
  database.cache.invalidate(null)
})

test('the audit log is exported by its filters, for Admins, with no cell that is a formula', async () => {
  await owner`update users set name = '=Asha' where id = ${asha.id}`
  database.cache.invalidate(null)
  const exported = await admin!.send('GET', `/web/audit.csv?action=leads.bulk_changed&user_id=${asha.id}`)
  assert.equal(exported.status, 200)
  const lines = String(exported.body).trim().split('\r\n')
  const [counted] = await owner`select count(*)::int as n from audit_log
    where action = 'leads.bulk_changed' and user_id = ${asha.id}`
  assert.equal(lines.length, counted!.n + 1)
  assert.ok(lines.slice(1).every((line) => line.includes("'=Asha") && line.includes('leads.bulk_changed')))
  const audited = () => owner`select id from audit_log where action = 'audit_log.exported'`
  assert.equal((await audited()).length, 1)
  for (const web of [manager, agent]) assert.equal((await web!.send('GET', '/web/audit.csv')).status, 403)
  assert.equal((await audited()).length, 1)
})

test('of 15 bulk changes that start at once, by two users, an account runs 5', async () => {
  // Kept from running: the others must not end in time.
  const [held] = await newLeads(1)
  const unlock = await lockLead(owner, held!)
  const answers = await Promise.all(
    Array.from({ length: 15 }, (_, n) =>
      start(n % 2 ? admin : agent, { ids: [held], change: { add_tags: [`tag ${n}`] } }),
    ),
  )
  await unlock()
  const rejected = answers.filter(({ status }) => status !== 201)
  assert.equal(rejected.length, 10, JSON.stringify(answers.map(({ status }) => status)))
  const message = '5 bulk changes are running or waiting. Wait until one has ended.'
  assert.deepEqual(
    new Set(rejected.map(({ status, body }) => `${status} ${body.error.message}`)),
    new Set([`400 ${message}`]),
  )
  assert.equal((await owner`select from bulk_changes`).length, 5)
  await until(async () => (await owner`select from bulk_changes where state = 'running'`).length === 0, 'their end')
})
