import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { serve, testApp } from '#test/app.ts'
import { testDatabase } from '#test/database.ts'
import { ask, type Player, people } from '#test/people.ts'
import { assertCountsHold, contentOf, schemaOf } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { distribute } from '../../server/platform/database/cluster/distribute.ts'
import { connect, openAsOwner } from '../../server/platform/database/connect.ts'
import { schemaState } from '../../server/platform/database/migrate.ts'
import type { Sql } from '../../server/platform/database/sql.ts'
import { findUnfinishedRestore } from '../../server/platform/database/unfinished-restore.ts'
import { createArchive, type Entry, readArchive } from './archive.ts'
import { createBackup } from './create-backup.ts'
import { judgeBackup } from './drill-backup.ts'
import { erasedLine, erasedListName } from './erased-list.ts'
import { type Manifest, manifestName } from './manifest.ts'
import { openBackup, restoreBackup } from './restore-backup.ts'

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-restore-'))
const app = await testApp()
after(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})
const { acme, asha, bela, zoya } = await people(app)
const webhook = await webhookOf(app, acme)

let made = 0
async function newLead(player: Player, more = {}) {
  const { status, body } = await player.send('POST', '/api/v1/leads', {
    name: 'Ravi “रवि” \\N \t',
    phone: `98${40_000_000 + ++made}`,
    notes: 'One line\nand \\another\twith tab',
    ...more,
  })
  assert.equal(status, 201)
  return body.data.id as string
}

const first = await newLead(bela, { city: 'Pune', tags: ['3 BHK', 'a,b', '"q"'] })
const second = await newLead(zoya)
await bela.send('POST', '/api/v1/call-logs', { lead_id: first, call_type: 'Inbound', duration_seconds: 7 })
assert.equal((await webhook.send({ name: 'Long', phone: '9811223344', message: 'Call me' })).status, 200)
let backups = 0
const { file, leads, content } = await backUpWhileQuiet()

/** Makes a backup while the service writes nothing in the background. */
async function backUpWhileQuiet() {
  for (;;) {
    const before = await contentOf(app.owner)
    const backup = await createBackup(app.connection, join(folder, `quiet-${++backups}.backup`))
    if (isDeepStrictEqual(await contentOf(app.owner), before)) return { ...backup, content: before }
  }
}

/** A database for a restore: no service uses it. */
async function target() {
  const store = await testDatabase()
  await store.database.close()
  const dataDir = mkdtempSync(join(folder, 'data-'))
  return {
    ...store,
    dataDir,
    restore: async (path = file, { replace = false, lists = [dataDir] } = {}) =>
      restoreBackup(await openBackup(path, lists), {
        owner: store.connection,
        given: null,
        dataDir,
        isEmbedded: false,
        replace,
      }),
    /** The service on this database. */
    serve: async () => {
      const database = connect(store.signIns)
      const served = await serve(database)
      return { ...served, close: () => served.close().then(() => database.close()) }
    },
  }
}

/** Another backup with other content, as if it had been written so. */
async function rewritten(name: string, change: (manifest: Manifest) => unknown) {
  const entries: Entry[] = []
  for await (const entry of readArchive(file)) entries.push(entry)
  const manifest: Manifest = JSON.parse(entries.pop()!.content.toString())
  change(manifest)
  const tables = new Set(manifest.tables.map((table) => table.name))
  const path = join(folder, name)
  const archive = await createArchive(path, new Date())
  await archive.start()
  for (const entry of entries) if (tables.has(entry.name.split('/')[1]!)) await archive.add(entry)
  await archive.add({ name: manifestName, content: Buffer.from(JSON.stringify(manifest)) })
  await archive.finish()
  return path
}

test('a restored database has the same schema and content, and the service works on it', async (t) => {
  const to = await target()
  t.after(to.close)
  assert.deepEqual(await to.restore(), { accounts: 2, leads, erased_again: 0, set_aside: null })
  assert.deepEqual(await contentOf(to.owner), content)
  // On a cluster, a restored backup is on the coordinator alone.
  if (to.signIns.app.isCluster) await distribute(to.connection, { given: null, dryRun: false, onPlan: () => {} })
  assert.deepEqual(await schemaOf(to.owner), await schemaOf(app.owner))
  const service = await to.serve()
  t.after(service.close)
  const send = (player: Player, method: string, path: string, body?: unknown) =>
    ask(service.url, player.key.secret, method, path, body)
  const lead = { name: 'New', phone: '9800000001' }
  assert.equal((await send(bela, 'POST', '/api/v1/leads', lead)).status, 201)
  assert.equal((await send(bela, 'DELETE', `/api/v1/leads/${first}`)).status, 200)
  assert.equal((await send(bela, 'DELETE', `/api/v1/leads/${second}`)).status, 404)
  assert.deepEqual((await send(zoya, 'GET', '/api/v1/leads')).body.pagination.total, 1)
  await assertCountsHold(to.owner)
})

test('users sign in again after a restore: sessions that ended since do not come back', async (t) => {
  const to = await target()
  t.after(to.close)
  await app.owner`insert into sessions (id, user_id, token, expires_at, created_at, updated_at)
    values (gen_random_uuid(), ${asha.id}, 'secret token', now() + interval '1 day', now(), now())`
  t.after(() => app.owner`delete from sessions`)
  const path = join(folder, 'sessions.backup')
  await createBackup(app.connection, path)
  await to.restore(path)
  assert.equal((await to.owner`select from sessions`).length, 0)
})

test('data is replaced only if that is wanted, and then completely', async (t) => {
  const to = await target()
  t.after(to.close)
  const service = await to.serve()
  const others = await people({ database: service.database, url: service.url })
  await newLead(others.asha)
  await service.close()
  const before = await contentOf(to.owner)
  await assert.rejects(to.restore(), /^Error: The database has data already: with --yes, .* Nothing was changed\.$/)
  assert.deepEqual(await contentOf(to.owner), before)
  await to.restore(file, { replace: true })
  assert.deepEqual(await contentOf(to.owner), content)
})

test('nothing is restored while the service, another restore or a migration uses the database', async (t) => {
  const to = await target()
  t.after(to.close)
  const service = await to.serve()
  await service.database.directory`select 1`
  const before = await contentOf(to.owner)
  await assert.rejects(to.restore(), /^Error: The service or a command uses this database .*: stop it first\./)
  await service.close()
  const other = openAsOwner(to.connection, { max: 1 })
  await other`select pg_advisory_lock(7106152)`
  await assert.rejects(to.restore(), /^Error: Another process migrates or restores this database/)
  await other`select pg_advisory_unlock(7106152)`
  await other.end()
  assert.deepEqual(await contentOf(to.owner), before)
  await to.restore()
})

test('a restore that fails in the middle changes nothing', async (t) => {
  const to = await target()
  t.after(to.close)
  const empty = await rewritten('empty.backup', (manifest) => {
    manifest.tables = manifest.tables.filter(({ name }) => name !== 'accounts')
  })
  // Into nothing: the service must not begin with that.
  await assert.rejects(to.restore(empty), /No account of/)
  assert.equal((await findUnfinishedRestore(to.owner))?.file, empty)
  await to.restore()
  assert.equal(await findUnfinishedRestore(to.owner), null)
  const before = [await contentOf(to.owner), await schemaOf(to.owner)]
  const unchanged = async () => assert.deepEqual([await contentOf(to.owner), await schemaOf(to.owner)], before)

  await assert.rejects(to.restore(empty, { replace: true }), /No account of .*empty\.backup can be restored\. Nothing/)
  await unchanged()

  await to.owner`create view report as select count(*) from leads`
  await assert.rejects(to.restore(file, { replace: true }), /Something else depends on the tables .*view report/)
  await to.owner`drop view report`
  await unchanged()
})

test('rows that break a key are set aside in a file, and the others restored', async (t) => {
  const from = await target()
  t.after(from.close)
  await from.restore()
  const twins = [randomUUID(), randomUUID(), randomUUID()]
  await from.owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`delete from leads where id = ${first}`
    await tx`delete from users where id = ${zoya.id}`
    await tx`alter table leads drop constraint leads_account_id_phone_key_key, drop constraint leads_status_check`
    for (const id of twins)
      await tx`insert into leads (account_id, id, name, phone, phone_key, source, status, priority, created_at, updated_at)
        values (${acme.account_id}, ${id}, 'Twin', '+919800000099', '+919800000099', 'Web', 'New', 'Low', now(), now())`
    await tx`update leads set status = 'Odd', phone_key = null where id = ${twins[2]!}`
    await tx`insert into merged_leads (account_id, lead_id, kept_lead_id, merged_at)
      values (${acme.account_id}, gen_random_uuid(), ${twins[1]!}, now())`
  })
  const path = join(folder, 'broken.backup')
  await createBackup(from.connection, path)

  const to = await target()
  t.after(to.close)
  const restored = await to.restore(path)
  const rowsOf = (name: string) =>
    restored.set_aside!.rows.filter(({ table }) => table === name).map(({ rows, reason }) => `${rows} ${reason}`)
  assert.deepEqual(rowsOf('call_logs'), ['1 left out: its row of leads is missing'])
  assert.deepEqual(rowsOf('merged_leads'), ['1 left out: its row of leads is missing'])
  assert.deepEqual(rowsOf('leads').sort(), [
    '1 left out: another row has the same key',
    '1 left out: it has a value that is not allowed',
    '1 restored without assigned_to: its row of users is missing',
  ])
  assert.deepEqual(await schemaOf(to.owner), await schemaOf(app.owner))
  const kept = await to.owner`select assigned_to, answer_start from leads where id = ${second}`
  assert.deepEqual([...kept], [{ assigned_to: null, answer_start: null }])
  assert.equal(restored.leads, leads)

  const { file: aside, rows } = restored.set_aside!
  assert.equal(statSync(aside).mode & 0o777, 0o600)
  const lines = readFileSync(aside, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal(
    lines.length,
    rows.reduce((sum, { rows }) => sum + rows, 0),
  )
  const call = lines.find(({ table }) => table === 'call_logs')
  assert.deepEqual([call.row.lead_id, call.row.duration_seconds], [first, 7])

  // The drill of a daily backup finds them too, and leaves nothing.
  const drillDir = mkdtempSync(join(folder, 'drill-'))
  const { isTried, error } = await judgeBackup(path, { dataDir: drillDir, signal: new AbortController().signal })
  assert.deepEqual(
    [isTried, /call_logs: 1 row left out: its row of leads is missing/.test(error!)],
    [true, true],
    error!,
  )
  assert.deepEqual(readdirSync(drillDir), ['restore-drill.lock'])

  // Nothing is kept of a lead that was deleted meanwhile.
  writeFileSync(
    join(to.dataDir, erasedListName),
    erasedLine({ at: '2026-11-22T08:00:00.000Z', account_id: acme.account_id, lead_id: first }),
  )
  const again = await to.restore(path, { replace: true })
  assert.doesNotMatch(readFileSync(again.set_aside!.file, 'utf8'), new RegExp(first))
})

test('a backup of a newer schema is restored without what is newer, if this version works without it', async (t) => {
  const to = await target()
  t.after(to.close)
  const newer = await rewritten('compatible.backup', ({ migrations, compatible, sequences }) => {
    migrations.push('9999_later.sql')
    compatible!.push('9999_later.sql')
    sequences.push({ table: 'later', column: 'id', last_value: '7', is_called: true })
  })
  const { leads } = await to.restore(newer)
  assert.ok(leads > 0)
  assert.equal((await schemaState(to.owner)).is, 'current')
})

test('a backup of a newer schema is rejected', async (t) => {
  const to = await target()
  t.after(to.close)
  const newer = await rewritten('newer.backup', ({ migrations }) => migrations.push('9999_later.sql'))
  await assert.rejects(
    to.restore(newer),
    /newer than this program, version \S+ \(it has 9999_later\.sql, written by version/,
  )
  const format = await rewritten('format.backup', (manifest) => {
    manifest.format = 2
  })
  await assert.rejects(to.restore(format), /has a format that this program does not know: use the newer program/)
})

test('other tables in the same database are neither copied nor dropped', async (t) => {
  const to = await target()
  t.after(to.close)
  for (const sql of [app.owner, to.owner]) await sql`create table own_table as select 7 as n`
  t.after(() => app.owner`drop table own_table`)
  const path = join(folder, 'own-table.backup')
  await createBackup(app.connection, path)
  await to.restore(path, { replace: true })
  assert.deepEqual([...(await to.owner`select n from own_table`)], [{ n: 7 }])
})

test('people who were deleted after the backup stay deleted, with everything that was kept of them', async (t) => {
  const name = 'Deleted Person'
  const sent = { name, phone: '9877700001', message: `Call ${name}` }
  const { body } = await webhook.send(sent)
  const { id } = body.data
  const path = join(folder, 'person.backup')
  const { leads } = await createBackup(app.connection, path)
  assert.equal((await asha.send('DELETE', `/api/v1/leads/${id}`)).status, 200)
  const later = join(folder, 'later.backup')
  await createBackup(app.connection, later)
  assert.doesNotMatch(readFileSync(`${later}.erased`, 'utf8'), /Deleted|98777/)

  // By the list beside a newer backup.
  const to = await target()
  t.after(to.close)
  assert.deepEqual(await to.restore(path), { accounts: 2, leads: leads - 1, erased_again: 1, set_aside: null })
  assert.doesNotMatch(JSON.stringify(await everything(to.owner)), /Deleted Person|9877700001/)
  await assertCountsHold(to.owner)
  const audit = await to.owner`select via from audit_log where subject_id = ${id} and action = 'lead.deleted'`
  assert.deepEqual([...audit], [{ via: 'command' }])
  // The list of the new installation has it, so that its own backups do not bring the person back either.
  assert.match(readFileSync(join(to.dataDir, erasedListName), 'utf8'), new RegExp(id))

  // By the log in DATA_DIR alone, of which the last line was cut off.
  const alone = mkdtempSync(join(folder, 'alone-'))
  writeFileSync(join(alone, 'one.backup'), readFileSync(path))
  const other = await target()
  t.after(other.close)
  const list = join(other.dataDir, erasedListName)
  const line = erasedLine({ at: '2026-11-22T08:00:00.000Z', account_id: acme.account_id, lead_id: id })
  writeFileSync(list, `${line}2026-11-22T08:0`)
  assert.equal((await other.restore(join(alone, 'one.backup'))).erased_again, 1)

  // Without any list they come back.
  rmSync(list)
  const back = await other.restore(join(alone, 'one.backup'), { replace: true })
  assert.deepEqual([back.erased_again, back.leads], [0, leads])
})

test('the roles and passwords of an installation stay its own', async (t) => {
  const to = await target()
  t.after(to.close)
  await to.owner`update service_roles set password = 'of this installation'`
  await to.restore()
  assert.deepEqual(
    [...(await to.owner`select distinct password from service_roles`)],
    [{ password: 'of this installation' }],
  )
})

test('rows that are longer than a part of the file are restored', async (t) => {
  for (const sign of ['x', 'y']) {
    const message = sign.repeat(2_700_000)
    assert.equal((await webhook.send({ name: 'Long', phone: '9811223344', message })).status, 200)
  }
  const long = await backUpWhileQuiet()
  const to = await target()
  t.after(to.close)
  await to.restore(long.file)
  assert.deepEqual(await contentOf(to.owner), long.content)
})

// The long rows make it last.
test('a backup is consistent while leads are written', async (t) => {
  const to = await target()
  t.after(to.close)
  const going = { on: true }
  const writing = [bela, asha, zoya].map(async (player) => {
    for (let n = 0; going.on; n++) {
      const id = await newLead(player)
      await player.send('POST', '/api/v1/call-logs', { lead_id: id, call_type: 'Inbound', duration_seconds: 1 })
      if (n % 3 === 0) await player.send('DELETE', `/api/v1/leads/${id}`)
    }
  })
  const path = join(folder, 'busy.backup')
  const busy = await createBackup(app.connection, path)
  going.on = false
  await Promise.all(writing)
  // A lead that was deleted right after the snapshot is in the list beside it.
  const restored = await to.restore(path)
  assert.equal(restored.leads + restored.erased_again, busy.leads)
  await assertCountsHold(to.owner)
  const [entries] = await to.owner`select (select count(*)::int from leads) as leads,
    (select count(distinct lead_id)::int from timeline_entries) as with_timeline`
  assert.equal(entries!.leads, entries!.with_timeline)
})

const everything = async (owner: Sql) =>
  Promise.all(
    Object.keys(await contentOf(owner)).map(async (table) =>
      (await owner.unsafe(`select to_json(t) from ${table} t`)).slice(),
    ),
  )
