import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { testDatabase } from '#test/database.ts'
import { checkBackup } from './check-backup.ts'
import { type BackupStatus, backupStatus, isDue } from './daily.ts'
import { makeDailyBackup } from './daily-backup.ts'

const store = await testDatabase()
const root = mkdtempSync(join(tmpdir(), 'lead-engine-daily-'))
after(async () => {
  await store.close()
  rmSync(root, { recursive: true, force: true })
})
const newFolder = () => mkdtempSync(join(root, 'backups-'))
const make = (folder: string, now: string, keep = 14) =>
  makeDailyBackup(store.connection, { folder, keep, now: new Date(now) })

/** 02:00 in India is 20:30 UTC of the day before. */
const cases: [now: string, lastSuccess: string | null, lastRun: string | null, due: boolean][] = [
  ['2026-11-22T08:00:00Z', null, null, true],
  ['2026-11-22T08:00:00Z', '2026-11-21T20:30:05Z', '2026-11-21T20:30:05Z', false],
  ['2026-11-22T20:29:59Z', '2026-11-21T20:30:05Z', '2026-11-21T20:30:05Z', false],
  ['2026-11-22T20:30:00Z', '2026-11-21T20:30:05Z', '2026-11-21T20:30:05Z', true],
  ['2026-11-22T20:30:00Z', '2026-11-22T20:29:00Z', '2026-11-22T20:29:00Z', false],
  ['2026-11-25T11:00:00Z', '2026-11-21T20:30:05Z', '2026-11-21T20:30:05Z', true],
  ['2026-11-22T21:00:00Z', '2026-11-21T20:30:05Z', '2026-11-22T20:30:00Z', false],
  ['2026-11-22T21:30:00Z', '2026-11-21T20:30:05Z', '2026-11-22T20:30:00Z', true],
  ['2026-11-22T21:30:00Z', '2026-11-22T20:31:00Z', '2026-11-22T20:31:00Z', false],
]
for (const [now, lastSuccess, lastRun, due] of cases) {
  test(`at ${now}, after a success at ${lastSuccess} and a try at ${lastRun}, a backup is ${due ? '' : 'not '}due`, () => {
    const run = (at: string | null) => at && { started_at: new Date(at), finished_at: null, error: null }
    const status = { last_success: run(lastSuccess), last_run: run(lastRun) } as BackupStatus
    assert.equal(isDue(new Date(now), status), due)
  })
}

test('of several processes one makes the backup, once a day, and the newest are kept', async () => {
  const folder = newFolder()
  const others = ['notes.txt', 'lead-engine-mine.backup', 'lead-engine-2020-01-01T00-00-00Z.backup.gz', 'a.backup']
  for (const name of others) writeFileSync(join(folder, name), '')
  const unfinished = join(folder, 'lead-engine-2020-01-01T00-00-00Z.backup.part')
  writeFileSync(unfinished, '')
  utimesSync(unfinished, 0, 0)
  const made = await Promise.all([1, 2, 3].map(() => make(folder, '2026-11-21T21:00:00Z', 2)))
  assert.equal(made.filter((backup) => backup !== null).length, 1)
  assert.equal(await make(folder, '2026-11-22T20:00:00Z', 2), null)
  for (const day of [22, 23, 24]) assert.ok(await make(folder, `2026-11-${day}T21:00:00Z`, 2))
  const kept = ['23', '24'].map((day) => `lead-engine-2026-11-${day}T21-00-00Z.backup`)
  assert.deepEqual(readdirSync(folder).sort(), [...others, ...kept, ...kept.map((name) => `${name}.erased`)].sort())
  for (const name of kept) await checkBackup(join(folder, name))
  const { last_success } = await backupStatus(store.database.directory)
  assert.deepEqual(last_success!.started_at, new Date('2026-11-24T21:00:00Z'))
})

test('what a drill says is kept beside the backup, which counts', async () => {
  const drills = [
    { isTried: true, error: null },
    { isTried: true, error: 'A restore sets rows aside.' },
    { isTried: false, error: 'A restore was not tried.' },
  ]
  for (const [day, result] of drills.entries()) {
    const now = new Date(`2026-11-${26 + day}T21:00:00Z`)
    const drill = async () => result
    const made = await makeDailyBackup(store.connection, { folder: root, keep: 14, now, drill })
    const { last_success } = await backupStatus(store.database.directory)
    assert.deepEqual([made!.drill_error, last_success!.drill_error], [result.error, result.error])
    assert.deepEqual(last_success!.started_at, now)
    const [run] =
      await store.owner`select drill_at is not null as tried from backup_runs order by started_at desc limit 1`
    assert.equal(run!.tried, result.isTried)
  }
})

test('a failure is recorded, removes nothing, and is tried again after an hour', async () => {
  const folder = newFolder()
  const old = join(folder, 'lead-engine-2026-01-01T00-00-00Z.backup')
  writeFileSync(old, '')
  const blocked = join(root, 'a file')
  writeFileSync(blocked, '')
  await assert.rejects(make(blocked, '2026-12-01T21:00:00Z', 1), /EEXIST|ENOTDIR/)
  const { last_run, last_success } = await backupStatus(store.database.directory)
  assert.match(last_run!.error!, /EEXIST|ENOTDIR/)
  assert.notDeepEqual(last_success!.started_at, last_run!.started_at)
  assert.equal(await make(folder, '2026-12-01T21:30:00Z', 1), null)
  assert.deepEqual(readdirSync(folder), ['lead-engine-2026-01-01T00-00-00Z.backup'])
  assert.ok(await make(folder, '2026-12-01T22:00:00Z', 1))
})

test('nothing is written to the disk of the database while the disk of the backups is not mounted', async () => {
  const disk = newFolder()
  const below = join(disk, 'mnt/backups')
  await assert.rejects(make(below, '2026-12-05T21:00:00Z', 1), /there is no folder \S+mnt: mount its disk/)
  assert.deepEqual(readdirSync(disk), [])
  assert.ok(await make(disk, '2026-12-06T21:00:00Z', 1))
  // The empty folder that is seen instead of the disk.
  renameSync(disk, `${disk}-elsewhere`)
  mkdirSync(disk)
  await assert.rejects(make(disk, '2026-12-07T21:00:00Z', 1), /has lost all its backups: mount its disk/)
  assert.deepEqual(readdirSync(disk), [])
  rmSync(disk, { recursive: true })
  renameSync(`${disk}-elsewhere`, disk)
  assert.ok(await make(disk, '2026-12-07T23:00:00Z', 1))
})

test('a folder with the backups of another installation is not used, and a restored one uses it again', async () => {
  const folder = newFolder()
  const mark = join(folder, 'lead-engine-installation')
  const secretIs = async (value: string) => {
    await store.owner`delete from installation_secrets where name = 'sign_in'`
    await store.owner`insert into installation_secrets (name, value) values ('sign_in', ${value})`
  }
  await secretIs('one')
  assert.ok(await make(folder, '2026-12-10T21:00:00Z', 1))
  await secretIs('other')
  const files = readdirSync(folder)
  await assert.rejects(
    make(folder, '2026-12-11T21:00:00Z', 1),
    /where another installation keeps its backups: set BACKUP_DIR/,
  )
  assert.deepEqual(readdirSync(folder), files)
  await secretIs('one')
  assert.ok(await make(folder, '2026-12-11T22:00:00Z', 1))
  await secretIs('other')
  rmSync(mark)
  assert.ok(await make(folder, '2026-12-12T21:00:00Z', 1))
})
