import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { callCommand, databaseUrl } from '#test/command-line.ts'
import { people, signedIn } from '#test/people.ts'
import { phoneCalls } from '#test/phone-calls.ts'
import {
  assertAnswersHold,
  assertCountsHold,
  assertLeadsKnowTheirCalls,
  lockLead,
  timelineOf,
  world,
} from '#test/records.ts'
import { until } from '#test/until.ts'
import { webhookOf } from '#test/webhooks.ts'
import type { ImportCounts, LeadImport } from './contract.ts'
import { continueUndo } from './undo-import.ts'

let now = new Date()
const app = await testApp({}, () => now)
after(() => app.close())
const { owner, database } = app
const { acme, asha, meena, bela, chand, zoya } = await people(app)
const [admin, manager, agent, stranger] = await Promise.all(
  [asha, meena, bela, zoya].map((player) => signedIn(app, player)),
)
type Web = typeof admin

let made = 0
const newPhone = () => `98300${String(++made).padStart(5, '0')}`

/** Imports rows with these columns, and returns the import as it is listed. */
async function imported(web: Web, header: string, rows: string[], query = ''): Promise<LeadImport & ImportCounts> {
  const file = [header, ...rows, ''].join('\n')
  const { status, body } = await web!.send('POST', `/web/leads/import?file=people.csv${query}`, file, {
    'content-type': 'text/csv',
  })
  assert.equal(status, 200, JSON.stringify(body))
  const events = String(body)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal(events.at(-1).type, 'done', JSON.stringify(events.at(-1)))
  return { ...events.at(-1), ...(await one(web, events[0].id)) }
}

const list = async (web: Web): Promise<LeadImport[]> => (await web!.send('GET', '/web/leads/imports')).body.data
const one = async (web: Web, id: string) => (await list(web)).find((found) => found.id === id)!
const askUndo = (web: Web, id: string) => web!.send('POST', `/web/leads/imports/${id}/undo`, {})

async function undone(web: Web, id: string) {
  const { status, body } = await askUndo(web, id)
  assert.equal(status, 200, JSON.stringify(body))
  await until(async () => (await one(web, id)).undo!.state === 'undone', 'the end of the undo')
  const { total, deleted, restored, called, merged, changed, gone } = (await one(web, id)).undo!
  return { total, deleted, restored, called, merged, changed, gone }
}
const nothing = { deleted: 0, restored: 0, called: 0, merged: 0, changed: 0, gone: 0 }

const leadOf = async (phone: string) => {
  const [row] = await owner`select * from leads where account_id = ${acme.account_id} and phone_key = ${`+91${phone}`}`
  return row
}

async function assertHolds() {
  await assertCountsHold(owner)
  await assertLeadsKnowTheirCalls(owner)
  await assertAnswersHold(owner)
}

test('imports are listed with their counts and rejected rows, for Managers their own', async () => {
  const [first, second] = [newPhone(), newPhone()]
  const rows = [`Ravi,${first},x`, `Ravi again,${first},y`, 'No phone,,=1+1', `=cmd,12,"a, b",surplus`]
  const own = await imported(manager, 'Name,Phone,Tower', rows)
  const { id, started_at, type, read, ...shown } = own as typeof own & { type: string }
  assert.deepEqual(shown, {
    user: 'Meena',
    file: 'people.csv',
    state: 'done',
    rows: 4,
    created: 1,
    merged: 1,
    rejected: 2,
    rejected_kept: 2,
    calls: 0,
    undo: null,
    can_undo: true,
  })
  now = new Date(now.getTime() + 1000)
  const other = await imported(admin, 'Name,Phone', [`Asif,${second}`])
  assert.deepEqual(
    [await list(admin), await list(manager), await list(stranger)].map((all) => all.map((one) => one.id)),
    [[other.id, id], [id], []],
  )
  assert.equal((await agent!.send('GET', '/web/leads/imports')).status, 403)
  const path = `/web/leads/imports/${id}/rejected.csv`
  const file = await admin!.send('GET', path)
  assert.deepEqual(String(file.body).split('\r\n').slice(0, 3), [
    'Name,Phone,Tower,Why rejected',
    "No phone,,'=1+1,It has no phone and no email.",
    `'=cmd,12,"a, b","It has 4 values, but the file has 3 columns. Put a value that contains the separator in quotes.",surplus`,
  ])
  assert.equal((await manager!.send('GET', path)).status, 200)
  assert.equal((await stranger!.send('GET', path)).status, 404)
  assert.equal((await manager!.send('GET', `/web/leads/imports/${other.id}/rejected.csv`)).status, 404)
  assert.equal((await admin!.send('GET', `/web/leads/imports/${other.id}/rejected.csv`)).status, 404)
})

test('undo deletes the leads to which nothing else happened, and the others stay', async () => {
  const webhook = await webhookOf(app, acme)
  const calls = phoneCalls(owner, acme, webhook)
  const touch: Record<string, (id: string, phone: string) => Promise<unknown>> = {
    call: (lead_id) => asha.send('POST', '/api/v1/call-logs', { lead_id, call_type: 'Inbound', duration_seconds: 5 }),
    ring: (lead_id, phone) => calls.add({ lead_id, phone: `+91${phone}`, state: 'ringing', facts: {} }),
    note: (id) => admin!.send('POST', `/web/leads/${id}/notes`, { text: 'Called' }),
    change: (id) => admin!.send('PATCH', `/web/leads/${id}`, { city: 'Pune' }),
    assign: (id) => admin!.send('PATCH', `/web/leads/${id}`, { assigned_to: chand.email }),
    remind: (id) => admin!.send('PATCH', `/web/leads/${id}`, { call_again_at: '2035-01-01T10:00:00Z' }),
    bulk: (id) => admin!.send('POST', '/web/bulk-changes', { ids: [id], change: { add_tags: ['Hot'] } }),
    enquire: (_, phone) => webhook.send({ name: 'X', phone, message: 'Still available?' }),
    resend: (_, phone) => asha.send('POST', '/api/v1/leads', { name: 'X', phone }),
    merge: async (id) => {
      const { body: other } = await asha.send('POST', '/api/v1/leads', { name: 'Other', phone: newPhone() })
      const { body } = await admin!.send('GET', `/web/leads/${id}/comparison?other_id=${other.data.id}`)
      const { take, kept, other: two } = body.data
      const versions = { updated_at: kept.updated_at, other_updated_at: two.updated_at }
      return admin!.send('POST', `/web/leads/${id}/merge`, { other_id: other.data.id, take, ...versions })
    },
    delete: (id) => admin!.send('DELETE', `/web/leads/${id}`),
  }
  const phones = Object.fromEntries(Object.keys(touch).map((name) => [name, newPhone()]))
  const untouched = [newPhone(), newPhone()]
  const header = 'Name,Phone,Email,Tower,Call time,Call type,Call duration'
  const row = (phone: string) => `Lead ${phone},${phone},e${phone}@example.com,T-1,2026-01-02 10:00,Outgoing,60`
  const file = await imported(admin, header, [...Object.values(phones), ...untouched].map(row))
  assert.deepEqual([file.created, file.calls], [13, 13])
  for (const [name, work] of Object.entries(touch)) {
    const { id } = (await leadOf(phones[name]!))!
    const answer = (await work(id, phones[name]!)) as { status?: number } | undefined
    assert.ok((answer?.status ?? 200) < 300, `${name}: ${JSON.stringify(answer)}`)
  }
  await until(
    async () => (await owner`select from bulk_changes where state = 'running'`).length === 0,
    'the bulk change',
  )
  await admin!.send('GET', `/web/leads/${(await leadOf(untouched[0]!))!.id}`)
  const gone = (await leadOf(untouched[0]!))!
  assert.deepEqual(await undone(admin, file.id), {
    total: 13,
    deleted: 2,
    restored: 0,
    called: 2,
    merged: 3,
    changed: 5,
    gone: 1,
  })
  for (const phone of untouched) assert.equal(await leadOf(phone), undefined)
  for (const [name, phone] of Object.entries(phones)) if (name !== 'delete') assert.ok(await leadOf(phone), name)
  for (const table of ['timeline_entries', 'call_logs', 'enquiries', 'lead_contacts'])
    assert.deepEqual([...(await owner`select from ${owner(table)} where lead_id = ${gone.id}`)], [], table)
  const left = (await admin!.send('GET', `/web/leads?import=${file.id}`)).body.pagination.total
  assert.equal(left, 10, 'the list of the import has those that stay')
  const [audit] = await owner`select user_id, details from audit_log where action = 'leads.import_undone'`
  assert.deepEqual(audit, { user_id: asha.id, details: { deleted: 2, restored: 0, not_restored: 11 } })
  assert.equal((await owner`select from audit_log where action = 'lead.deleted' and subject_id = ${gone.id}`).length, 1)
  await assertHolds()
  // The file is a new one again.
  const again = await imported(admin, header, untouched.map(row))
  assert.deepEqual([again.created, again.merged], [2, 0])
})

test('undo takes back what rows added to leads that existed, unless it was changed since', async () => {
  const [plain, edited, alone, called] = [newPhone(), newPhone(), newPhone(), newPhone()]
  const known = async (phone: string, more = {}) =>
    (await asha.send('POST', '/api/v1/leads', { name: 'Known', phone, tags: ['Old'], notes: 'First', ...more })).body
      .data.id
  const ids = {
    plain: await known(plain),
    edited: await known(edited),
    alone: await known(alone),
    called: await known(called),
  }
  const webhook = await webhookOf(app, acme)
  await webhook.send({ name: 'Known', phone: plain, answer: 'kept', campaign: 'Holi' })
  const rowOf = (id: string) =>
    owner`select to_jsonb(leads) - 'updated_at' - 'answer_start' as row from leads where id = ${id}`
  const before = await rowOf(ids.plain)
  const header = 'Name,Phone,City,Company,Tags,Notes,Email,Alternate phone,Tower,Ad name,Deal value,Call time'
  const row = (phone: string, n: number) =>
    `Row,${phone},Nagpur,Acme,New;Old,Second,row${phone}@example.com,98310${String(n).padStart(5, '0')},T-9,Diwali ad,5000,2026-01-02 10:0${n}`
  const file = await imported(admin, header, [plain, edited, alone, called].map(row))
  assert.deepEqual([file.created, file.merged, file.calls], [0, 4, 4])
  const [merged] = await owner`select city, tags, ad, attempts from leads where id = ${ids.plain}`
  assert.deepEqual(merged, { city: 'Nagpur', tags: ['Old', 'New'], ad: 'Diwali ad', attempts: 1 })
  // Its notes were written again, its city replaced, and its tag removed.
  const { body } = await admin!.send('GET', `/web/leads/${ids.edited}`)
  const { notes_version } = body.data
  const change = { notes: 'All new', notes_version, city: 'Goa', remove_tags: ['New'] }
  assert.equal((await admin!.send('PATCH', `/web/leads/${ids.edited}`, change)).status, 200)
  await admin!.send('POST', `/web/leads/${ids.plain}/notes`, { text: 'Third' })
  // Only a contact of the import is left.
  await admin!.send('PATCH', `/web/leads/${ids.alone}`, { phone: null })
  const [call] = await owner`select id from call_logs where lead_id = ${ids.called}`
  assert.equal((await admin!.send('PATCH', `/web/calls/${call!.id}`, { notes: 'Wants a loan' })).status, 200)

  assert.deepEqual(await undone(admin, file.id), { total: 4, ...nothing, restored: 1, changed: 3 })
  const [restored] = await rowOf(ids.plain)
  assert.match(restored!.row.notes, /^First\n\n\[.*\]\nThird$/s)
  assert.deepEqual({ ...restored!.row, notes: 'First' }, before[0]!.row)
  const [kept] = await owner`select city, company, tags, notes, email, deal_value from leads where id = ${ids.edited}`
  assert.deepEqual(kept, { city: 'Goa', company: null, tags: ['Old'], notes: 'All new', email: null, deal_value: null })
  assert.equal((await owner`select city from leads where id = ${ids.alone}`)[0]!.city, 'Nagpur')
  assert.deepEqual(
    [...(await owner`select notes from call_logs where lead_id = ${ids.called}`)],
    [{ notes: 'Wants a loan' }],
  )
  const senders = (await owner`select via_id from enquiries where lead_id = ${ids.plain}`).map(({ via_id }) => via_id)
  assert.deepEqual([senders.length, senders.includes(webhook.id), senders.includes(file.id)], [2, true, false])
  const entries = await timelineOf(owner, ids.plain)
  assert.doesNotMatch(JSON.stringify(entries), /Nagpur|Acme|row98|Diwali/, 'nothing of the row is left')
  assert.equal(
    entries.find(({ kind, details }) => kind === 'merged' && details.undone_import)!.summary,
    'Merged through an import by Asha, matched by phone.',
  )
  const last = entries.at(-1)!
  assert.match(
    last.summary,
    /^Asha undid an import that was merged into this lead\. Taken back: .*city.*calls, enquiry\.$/,
  )
  assert.deepEqual([last.details.changes, last.details.undone_import], [[], file.id])
  const hindi = await admin!.send('GET', `/web/leads/${ids.plain}/timeline`, undefined, { 'accept-language': 'hi' })
  assert.doesNotMatch(hindi.body.data.entries[0].summary, /undid|Taken/)
  await assertHolds()
})

test('of two imports of the same people, the later one is undone first, and then the earlier one', async () => {
  const phones = [newPhone(), newPhone()]
  const first = await imported(
    admin,
    'Name,Phone',
    phones.map((phone) => `A,${phone}`),
  )
  const second = await imported(
    admin,
    'Name,Phone,City',
    phones.map((phone) => `A,${phone},Pune`),
  )
  assert.deepEqual([first.created, second.merged], [2, 2])
  assert.deepEqual(await undone(admin, second.id), { total: 2, ...nothing, restored: 2 })
  assert.deepEqual(await undone(admin, first.id), { total: 2, ...nothing, deleted: 2 })
  await assertHolds()
})

test('an undo that may not be is rejected, and changes nothing', async () => {
  const own = await imported(manager, 'Name,Phone', [`A,${newPhone()}`])
  const others = await imported(admin, 'Name,Phone', [`B,${newPhone()}`])
  const none = await imported(admin, 'Name,Phone', ['C,12', 'D,'])
  const running = await imported(admin, 'Name,Phone', [`E,${newPhone()}`])
  await owner`update lead_imports set state = 'running', ended_at = null where id = ${running.id}`
  assert.equal((await one(admin, running.id)).state, 'running')
  const unchanged = await world(owner)
  const rejected = async (web: Web, id: string, status: number, message: RegExp) => {
    const answer = await askUndo(web, id)
    assert.equal(answer.status, status)
    assert.match(answer.body.error.message, message)
  }
  await rejected(manager, others.id, 404, /No import/)
  await rejected(stranger, others.id, 404, /No import/)
  await rejected(agent, own.id, 403, /Only Admins and Managers/)
  await rejected(admin, crypto.randomUUID(), 404, /No import/)
  await rejected(admin, none.id, 400, /saved no row/)
  await rejected(admin, running.id, 400, /is running/)
  now = new Date(now.getTime() + 7 * 86_400_000 + 60_000)
  await rejected(admin, others.id, 400, /more than 7 days ago/)
  assert.equal((await one(admin, others.id)).can_undo, false)
  now = new Date()
  await owner`update accounts set lowest_role_to_delete = 'Admin' where id = ${acme.account_id}`
  database.cache.invalidate(null)
  await rejected(manager, own.id, 403, /may not delete leads/)
  assert.equal((await one(manager, own.id)).can_undo, false)
  await owner`update accounts set lowest_role_to_delete = 'Manager' where id = ${acme.account_id}`
  database.cache.invalidate(null)
  assert.deepEqual(await world(owner), unchanged)
  // Its process is gone.
  await owner`update lead_imports set written_at = now() - interval '6 minutes' where id = ${running.id}`
  assert.equal((await undone(admin, running.id)).deleted, 1)
  await undone(manager, own.id)
  await rejected(manager, own.id, 400, /undone already/)
})

test('a Manager deletes no lead that was given to another team', async () => {
  const [phone, moved] = [newPhone(), newPhone()]
  const file = await imported(manager, 'Name,Phone', [`A,${phone}`, `B,${moved}`])
  await owner`update leads set assigned_to = ${chand.id} where phone_key = ${`+91${moved}`}`
  assert.deepEqual(await undone(manager, file.id), { total: 2, ...nothing, deleted: 1, gone: 1 })
  await owner`update leads set assigned_to = ${meena.id} where phone_key = ${`+91${moved}`}`
})

test('a lead that is changed while its import is undone stays', async () => {
  const phones = [newPhone(), newPhone()]
  const file = await imported(
    admin,
    'Name,Phone',
    phones.map((phone) => `A,${phone}`),
  )
  const { id } = (await leadOf(phones[0]!))!
  const release = await lockLead(owner, id)
  const changing = admin!.send('POST', `/web/leads/${id}/notes`, { text: 'Wants a call' })
  await until(
    async () =>
      (
        await owner`select from pg_stat_activity
          where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
      ).length > 0,
    'the change waits for the lead',
  )
  const undoing = undone(admin, file.id)
  await release()
  assert.equal((await changing).status, 201)
  const { deleted, changed, gone } = await undoing
  assert.ok(deleted === 1 && changed === 1, JSON.stringify({ deleted, changed, gone }))
})

test('an undo of many leads goes on where its process ended, and stops with its user', async () => {
  const phones = Array.from({ length: 120 }, newPhone)
  const file = await imported(
    manager,
    'Name,Phone',
    phones.map((phone) => `A,${phone}`),
  )
  const ids = (
    await owner`select lead_id as id from lead_import_leads where import_id = ${file.id} order by lead_id`
  ).map((row) => row.id as string)
  // The second batch waits for it.
  const release = await lockLead(owner, ids[60]!)
  assert.equal((await askUndo(manager, file.id)).status, 200)
  await until(async () => (await one(manager, file.id)).undo!.deleted === 50, 'the first batch')
  await owner`update users set deactivated_at = now() where id = ${meena.id}`
  database.cache.invalidate(null)
  await release()
  await until(async () => (await one(admin, file.id)).undo!.state !== 'undoing', 'the stop')
  const stopped = (await one(admin, file.id)).undo!
  assert.deepEqual([stopped.state, stopped.error], ['stopped', 'Meena was deactivated.'])
  await owner`update users set deactivated_at = null where id = ${meena.id}`
  database.cache.invalidate(null)
  // As after a crash: the state is written, and no process works on it.
  await owner`update lead_imports set undo_state = 'undoing' where id = ${file.id}`
  const going = continueUndo(database, (error) => assert.fail(error as Error))
  await until(async () => (await one(admin, file.id)).undo!.state === 'undone', 'the end')
  await going.stop()
  const { total, deleted } = (await one(admin, file.id)).undo!
  assert.deepEqual([total, deleted], [120, 120])
  await assertHolds()
})

test('Admins see and undo an import of the command line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lead-engine-test-'))
  after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'moved.csv')
  writeFileSync(path, `Name,Phone\nA,${newPhone()}\nB,12\n`)
  const env = { DATABASE_URL: databaseUrl(app.connection) }
  const { status, err } = await callCommand(['import', path, '--account', 'Acme', '--owner', meena.email], env)
  assert.deepEqual([status, err], [0, ''])
  const found = (await list(admin)).find(({ file }) => file === 'moved.csv')!
  assert.deepEqual([found.user, found.created, found.rejected_kept], [null, 1, 1])
  assert.ok((await list(manager)).every(({ id }) => id !== found.id))
  assert.equal((await undone(admin, found.id)).deleted, 1)
})
