import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { callCommand, databaseUrl } from '#test/command-line.ts'
import { testDatabase } from '#test/database.ts'
import { account, addPlayer } from '#test/people.ts'
import { assertCountsHold, timelineOf, world } from '#test/records.ts'
import { plainEnv, root } from '#test/service.ts'
import { workbookOf } from '#test/workbook.ts'
import { addRule } from '../../server/crm/distribution/store.ts'
import { asActor } from '../../server/platform/database/actor.ts'

const store = await testDatabase()
const folder = mkdtempSync(join(tmpdir(), 'lead-engine-test-'))
after(async () => {
  rmSync(folder, { recursive: true })
  await store.close()
})
const { owner } = store
const env = { DATABASE_URL: databaseUrl(store.connection) }
const acme = await account(store.database, 'Acme')
const place = { database: store.database, url: '' }
const bela = await addPlayer(place.database, place.url, acme, 'Bela', 'Agent', null)
const chand = await addPlayer(place.database, place.url, acme, 'Chand', 'Agent', null)

function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const run = (path: string, ...args: string[]) => callCommand(['import', path, '--account', 'Acme', ...args], env)

async function imported(path: string, ...args: string[]) {
  const { status, out, err } = await run(path, ...args, '--json')
  assert.deepEqual([status, err], [0, ''])
  return JSON.parse(out)
}

const leadOf = async (phone: string) => {
  const [row] = await owner`select leads.*, users.name as owner from leads left join users on users.id = assigned_to
    where phone_key = ${phone}`
  return row!
}

const calls = `Lead Name,Mobile,Created Time,Modified Time,Lead Status,Lead Owner,Rating,Call Start Time,Call Duration (mins),Call Type,Call Status
Asha Rao,98200 00001,31/12/2025 11:30 PM,01-Jan-2026 09:00,Attempted to Contact,Bela,Hot,01/01/2026 9:05 AM,2.5,Outgoing,Interested
Asha Rao,98200 00001,31/12/2025 11:30 PM,01-Jan-2026 09:00,Attempted to Contact,Bela,Hot,02/01/2026 9:05 AM,0,Missed,
Ravi,98200 00002,03/04/2025,,Site visit planned,${chand.email},,,,,
Nobody,98200 00003,2099-01-01,,,Unknown,,soon,,,
No contact,,03/04/2025,,,,,,,,=1+1
`

test('a dry run says what would be done and changes nothing', async () => {
  const path = fileOf('calls.csv', calls)
  const before = await world(owner)
  const said = await imported(path, '--dry-run')
  assert.deepEqual([said.created, said.merged, said.rejected, said.calls], [3, 1, 1, 2])
  assert.equal(said.rejected_file, null)
  const { out } = await run(path, '--dry-run')
  assert.match(out, /Nothing is changed\. Of 5 rows, 3 would create a lead, 1 would merge, 1 would be rejected/)
  assert.match(out, /Created Time +Created at +.*dates are read day first: 03\/04\/2025 is 3 April/)
  assert.match(out, /line 6: It has no phone and no email/)
  assert.deepEqual(await world(owner), before)
  assert.ok(!existsSync(`${path}.rejected.csv`))
})

test('an import keeps times and calls, counts leads on their days, and writes rejected rows to a file', async () => {
  const path = join(folder, 'calls.csv')
  const said = await imported(path, '--tags', 'moved, crm')
  assert.deepEqual([said.created, said.merged, said.rejected, said.calls], [3, 1, 1, 2])
  const asha = await leadOf('+919820000001')
  assert.deepEqual(
    [asha.created_at, asha.status, asha.priority, asha.owner, asha.tags],
    [new Date('2025-12-31T18:00:00Z'), 'Contacted', 'High', 'Bela', ['moved', 'crm']],
  )
  const ravi = await leadOf('+919820000002')
  assert.deepEqual(
    [ravi.created_at, ravi.status, ravi.notes, ravi.owner],
    [new Date('2025-04-02T18:30:00Z'), 'New', null, 'Chand'],
  )
  const [enquiry] = await owner`select answers from enquiries where lead_id = ${ravi.id}`
  assert.deepEqual(enquiry!.answers, [{ question: 'Lead Status', answer: 'Site visit planned' }])
  const unassigned = await leadOf('+919820000003')
  assert.ok(Date.now() - unassigned.created_at < 3_600_000)
  assert.equal(unassigned.owner, null)
  const logged = await owner`select called_at, call_type, duration_seconds, outcome, notes, assigned_to from call_logs
    order by called_at`
  assert.deepEqual(logged.map(Object.values), [
    [new Date('2026-01-01T03:35:00Z'), 'Outbound', 150, 'Completed', 'Outcome: Interested', bela.id],
    [new Date('2026-01-02T03:35:00Z'), 'Inbound', 0, 'Missed', null, bela.id],
  ])
  const [day] = await owner`select sum(n)::int as n from lead_count_changes where day = '2025-12-31'`
  assert.equal(day!.n, 1)
  await assertCountsHold(owner)
  const entries = await timelineOf(owner, asha.id)
  assert.deepEqual(
    entries.map(({ kind }) => kind),
    ['created', 'call_logged', 'call_logged'],
  )
  assert.ok(Date.now() - entries[0]!.at < 3_600_000, 'recorded when it was imported')
  assert.match(entries[0]!.summary, /^Created through an import on the command line\. Assigned to Bela\.$/)
  assert.equal(said.rejected_file, `${path}.rejected.csv`)
  const rejected = readFileSync(said.rejected_file, 'utf8')
  assert.match(
    rejected,
    /^\ufeffLead Name,Mobile,.*,Why rejected\r\nNo contact,,.*,'=1\+1,It has no phone and no email\.\r\n$/s,
  )
})

test('the same file imported again adds no lead, no call and no entry, and keeps the file of rejected rows', async () => {
  const path = join(folder, 'calls.csv')
  const before = await world(owner)
  const said = await imported(path, '--tags', 'moved, crm')
  assert.deepEqual([said.created, said.merged, said.calls], [0, 4, 0])
  assert.equal(said.rejected_file, `${path}.rejected-2.csv`)
  const now = await world(owner)
  for (const table of ['leads', 'call_logs', 'timeline_entries', 'lead_count_changes', 'call_count_changes'])
    assert.deepEqual(now[table], before[table], table)
})

test('corrected rejected rows can be imported', async () => {
  const corrected = readFileSync(join(folder, 'calls.csv.rejected.csv'), 'utf8').replace(
    'No contact,,',
    'Corrected,98200 00004,',
  )
  const said = await imported(fileOf('corrected.csv', corrected))
  assert.deepEqual([said.created, said.rejected, said.rejected_file], [1, 0, null])
  assert.equal((await leadOf('+919820000004')).created_at.toISOString(), '2025-04-02T18:30:00.000Z')
})

test('distribution rules assign leads whose row names no owner, unless --owner does', async () => {
  const people = [bela, chand].map(({ id }) => ({ user_id: id, weight: 1 }))
  const rule = { name: 'In turn', sources: ['Fair'], cities: [], tags: [], webhook_ids: [], people }
  await asActor(store.database, acme, (tx) => addRule(tx, acme, rule, null))
  const phones = Array.from({ length: 20 }, (_, n) => `98300${10_000 + n}`)
  const path = fileOf('fair.csv', ['Name,Phone', ...phones.map((phone) => `Fair,${phone}`), ''].join('\n'))
  await imported(path, '--source', 'Fair')
  const shares = await owner`select count(*)::int as n from leads where source = 'Fair' group by assigned_to`
  assert.deepEqual(
    shares.map(({ n }) => n),
    [10, 10],
  )
  const others = fileOf('others.csv', `Name,Phone,Owner\nA,9830020000,\nB,9830020001,${chand.email}\n`)
  await imported(others, '--source', 'Fair', '--owner', bela.email)
  assert.deepEqual([(await leadOf('+919830020000')).owner, (await leadOf('+919830020001')).owner], ['Bela', 'Chand'])
})

test('an import that is killed is continued by the same command: no row and no call comes twice', async () => {
  const line = (n: number) =>
    `Person ${n},${9_840_000_000 + n},01/02/2025,02/02/2025 10:00,60,${n % 500 === 7 ? 'x' : ''}`
  const rows = Array.from({ length: 2000 }, (_, n) => (n % 1000 === 3 ? `Nobody ${n},,,,,` : line(n)))
  const path = fileOf('many.csv', ['Name,Phone,Created On,Call Time,Call Duration,Remarks', ...rows, ''].join('\n'))
  const child = spawn(process.execPath, [join(root, 'operations/main.ts'), 'import', path, '--account', 'Acme'], {
    env: plainEnv(env),
    stdio: 'ignore',
  })
  const done = async () => {
    const [row] = await owner`select coalesce(sum(rows_done), 0)::int as n from lead_imports where state = 'running'`
    return row!.n
  }
  while ((await done()) === 0 && child.exitCode === null) await sleep(5)
  child.kill('SIGKILL')
  await new Promise((resolve) => child.on('close', resolve))
  const before = await done()
  assert.ok(before > 0 && before < rows.length, `killed after ${before} rows`)
  const said = await imported(path)
  assert.equal(said.continued_after, before)
  assert.deepEqual([said.created, said.merged, said.rejected, said.calls], [1998, 0, 2, 1998])
  const [counts] = await owner`select count(distinct leads.id)::int as leads, count(call_logs)::int as calls
    from leads join call_logs on call_logs.account_id = leads.account_id and lead_id = leads.id where leads.name like 'Person %'`
  assert.deepEqual({ ...counts }, { leads: 1998, calls: 1998 })
  const [entries] = await owner`select count(*)::int as n from timeline_entries
    where lead_id in (select id from leads where name like 'Person %')`
  assert.equal(entries!.n, 2 * 1998)
  assert.equal(readFileSync(said.rejected_file, 'utf8').trim().split('\n').length, 3)
  assert.ok(!existsSync(`${path}.rejected.csv.part`))
  await assertCountsHold(owner)
})

test('a workbook is read like a CSV file: dates, long numbers and the first visible sheet', async () => {
  const path = fileOf(
    'leads.xlsx',
    workbookOf([
      ['Lead Name', 'Mobile', 'Created On', 'Call time', 'Call duration', 'Remarks'],
      ['Zoë', 9850000001, { date: 46022.5 }, { date: 46023.25 }, { time: 125 / 86400 }, 'first & <second>'],
      [],
      ['', '', '', '', '', ''],
      ['No phone', '', '', '', '', ''],
    ]),
  )
  const said = await imported(path)
  assert.deepEqual([said.created, said.calls, said.rejected], [1, 1, 1])
  const zoe = await leadOf('+919850000001')
  assert.deepEqual(
    [zoe.name, zoe.created_at, zoe.source, zoe.notes],
    ['Zoë', new Date('2025-12-31T06:30:00Z'), 'Excel import', 'first & <second>'],
  )
  const [call] = await owner`select called_at, duration_seconds from call_logs where lead_id = ${zoe.id}`
  assert.deepEqual({ ...call }, { called_at: new Date('2026-01-01T00:30:00Z'), duration_seconds: 125 })
})

test('a wrong file or option is one sentence, and nothing is changed', async () => {
  const before = await world(owner)
  const path = fileOf('good.csv', 'Name,Phone\nA,9860000001\n')
  for (const [args, message] of [
    [[join(folder, 'missing.csv'), '--account', 'Acme'], /^There is no file .*missing\.csv\.\n$/],
    [[path, '--account', 'Nowhere'], /^There is no account named "Nowhere"/],
    [[path, '--account', 'Acme', '--owner', 'x@example.com'], /^--owner: x@example\.com is not an active user/],
    [
      [fileOf('none.csv', 'Color,Size\nred,XL\n'), '--account', 'Acme'],
      /^No column holds phones or emails.*Color, Size/,
    ],
    [[fileOf('empty.csv', ''), '--account', 'Acme'], /^The file holds no leads/],
    [[fileOf('broken.xlsx', 'PK\x03\x04 not a zip'), '--account', 'Acme'], /^The workbook is damaged/],
    [
      [fileOf('old.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex')), '--account', 'Acme'],
      /^The file is an old or encrypted workbook/,
    ],
  ] as const) {
    const { status, out, err } = await callCommand(['import', ...args], env)
    assert.deepEqual([status, out], [1, ''])
    assert.match(err, message)
    assert.equal(err.trim().split('\n').length, 1)
  }
  assert.equal((await callCommand(['import'], env)).status, 2)
  assert.deepEqual(await world(owner), before)
})
