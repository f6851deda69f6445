import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { isThorough } from '#test/budget.ts'
import { callCommand, runCommand } from '#test/command-line.ts'
import { until } from '#test/until.ts'
import { openAsOwner } from '../../server/platform/database/connect.ts'
import { startEmbedded } from '../embedded/embedded.ts'
import { tryLock } from '../embedded/lock.ts'
import { findHistory } from './find-history.ts'
import { openTarget } from './open-target.ts'
import { rememberProblems } from './problems.ts'
import { openReplication } from './replication.ts'
import { runContinuousBackup } from './run.ts'
import { runSession } from './session.ts'
import { readContinuousSettings } from './settings.ts'
import { changeState, readState } from './state.ts'

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-continuous-'))
const target = join(folder, 'target')
const keyFile = join(folder, 'key')
mkdirSync(target)
writeFileSync(keyFile, 'a key of more than thirty-two characters')
const env = { CONTINUOUS_BACKUP: target, CONTINUOUS_BACKUP_KEY_FILE: keyFile, DATA_DIR: join(folder, 'data') }
/** The machine on which it is restored. */
const other = { ...env, DATA_DIR: join(folder, 'other') }

const database = await startEmbedded(env.DATA_DIR, () => {}, { durable: false })
const owner = openAsOwner(database.connection, { max: 1 })
after(async () => {
  await owner.end()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
})

const said: string[] = []

/** Runs it beside `work`, as the process of the service does. */
async function whileSaving(work: () => Promise<void>): Promise<void> {
  const stopping = new AbortController()
  const run = () =>
    runContinuousBackup(database.connection, readContinuousSettings(env)!, {
      dataDir: env.DATA_DIR,
      signal: stopping.signal,
      onProgress: () => {},
      log: (_level, message) => said.push(message),
    })
  // Only one of two services with the same database saves.
  const running = Promise.all([run(), run()])
  try {
    await work()
  } finally {
    stopping.abort()
    await running
  }
}

async function setUp(name: string): Promise<Date> {
  const email = `${name.toLowerCase()}@x.example`
  const ended = await callCommand(['setup', '--account', name, '--email', email, '--name', 'A', '--json'], env)
  assert.equal(ended.status, 0, ended.err)
  const [now] = await owner<{ at: Date }[]>`select clock_timestamp() as at`
  return now!.at
}

async function withDatabase<T>(dataDir: string, work: (sql: ReturnType<typeof openAsOwner>) => Promise<T>): Promise<T> {
  const embedded = await startEmbedded(dataDir, () => {}, { create: false, durable: false })
  const sql = openAsOwner(embedded.connection, { max: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.end()
    await embedded.stop()
  }
}

const accountsIn = (dataDir: string) =>
  withDatabase(dataDir, async (sql) => (await sql`select name from accounts order by name`).map(({ name }) => name))

const histories = () => readdirSync(join(target, 'histories')).sort()
const filesOf = (part: string) => readdirSync(join(target, histories().at(-1)!, part)).sort()

let afterFirst: Date
let lead: string

before(async () => {
  await setUp('First')
  const filled = await callCommand(['demo', '--account', 'First', '--leads', '5', '--json'], env)
  assert.equal(filled.status, 0, filled.err)
  const [one] = await owner<{ id: string }[]>`select id from leads limit 1`
  lead = one!.id
  await whileSaving(async () => {
    await until(async () => (await readState(owner))?.drill_at != null)
    afterFirst = await setUp('Second')
    await owner`insert into erased_leads (account_id, lead_id, at) select account_id, id, now() from leads where id = ${lead}`
    await owner`delete from leads where id = ${lead}`
    await until(() => existsSync(join(target, histories()[0]!, 'erased')))
    await setUp('Third')
  })
})

test('a drill has passed, and what is saved cannot be read without the key', async () => {
  const state = (await readState(owner))!
  assert.deepEqual([state.error, state.drill_error, state.target], [null, null, target])
  for (const part of ['log', 'erased'])
    for (const name of filesOf(part)) {
      const content = readFileSync(join(target, histories()[0]!, part, name))
      assert.equal(content.includes('second@x.example') || content.includes(lead), false)
    }
})

test('doctor says that a folder on the disk of the database is lost with it', async () => {
  await changeState(owner, { saved_at: new Date() })
  const ended = await runCommand(['doctor', '--json'], env)
  const { checks } = JSON.parse(ended.out) as { checks: { name: string; ok: boolean; message: string }[] }
  const { ok, message } = checks.find(({ name }) => name === 'continuous_backup')!
  assert.deepEqual([ok, /The folder is on the disk of the database\.$/.test(message)], [true, true], message)
})

test('the last change is restored, where there was no database', async () => {
  const ended = await callCommand(['restore', '--latest', '--json'], other)
  assert.equal(ended.status, 0, ended.err)
  const { accounts, leads, former } = JSON.parse(ended.out)
  assert.deepEqual([accounts, leads, former], [3, 4, null])
  assert.deepEqual(await accountsIn(other.DATA_DIR), ['First', 'Second', 'Third'])
})

test('a time is restored in place of a database, which is kept, and deleted people stay deleted', async () => {
  const until = ['restore', '--until', afterFirst.toISOString()]
  const rejected = await callCommand(until, other)
  assert.deepEqual([rejected.status, /with --yes, .*Nothing was changed/.test(rejected.err)], [1, true], rejected.err)
  assert.deepEqual(await accountsIn(other.DATA_DIR), ['First', 'Second', 'Third'])

  const ended = await callCommand([...until, '--yes', '--json'], other)
  assert.equal(ended.status, 0, ended.err)
  const { accounts, leads, erased_again, restored_to, former } = JSON.parse(ended.out)
  assert.deepEqual([accounts, leads, erased_again], [2, 4, 1])
  assert.ok(Date.parse(restored_to) <= afterFirst.getTime())
  assert.ok(existsSync(join(former, 'PG_VERSION')))
  assert.deepEqual(await accountsIn(other.DATA_DIR), ['First', 'Second'])
  assert.match(readFileSync(join(other.DATA_DIR, 'erased-leads.log'), 'utf8'), new RegExp(lead))
  const sessions = await withDatabase(other.DATA_DIR, (sql) => sql`select from sessions`)
  assert.equal(sessions.length, 0)
})

test('the next start completes a restore that was killed at its end', async () => {
  const data = join(other.DATA_DIR, 'postgres')
  renameSync(data, `${data}.restored`)
  const embedded = await startEmbedded(other.DATA_DIR, () => {}, { durable: false })
  await embedded.stop()
  assert.deepEqual(await accountsIn(other.DATA_DIR), ['First', 'Second'])
})

test('what cannot be restored is reported, and nothing is changed', async () => {
  const cases: [args: string[], more: object, message: RegExp][] = [
    [['--until', '2020-01-01'], {}, /begins at 20\d\d-.* IST: name a later time/],
    [['--until', 'noon'], {}, /"noon" is no time/],
    [['--until', '2100-01-01'], {}, /is in the future/],
    [['--latest'], { CONTINUOUS_BACKUP: join(folder, 'none') }, /There is no folder .*none/],
    [['--latest'], { CONTINUOUS_BACKUP: folder }, /There is no continuous backup in /],
    [['--latest'], { CONTINUOUS_BACKUP: '' }, /^Set CONTINUOUS_BACKUP/],
    [['--latest'], { DATABASE_URL: 'postgres://localhost/x' }, /pgBackRest or WAL-G/],
    [['--latest'], { CONTINUOUS_BACKUP_KEY_FILE: join(folder, 'wrong') }, /is not the one with which .* was encrypted/],
  ]
  writeFileSync(join(folder, 'wrong'), 'another key of more than thirty-two characters')
  for (const [args, more, message] of cases) {
    const ended = await callCommand(['restore', ...args, '--yes'], { ...other, ...more } as Record<string, string>)
    assert.equal(ended.status, 1)
    assert.match(ended.err, message)
  }
  assert.deepEqual(await accountsIn(other.DATA_DIR), ['First', 'Second'])
})

test('a damaged database is kept too, and doctor names the command that replaces it', async () => {
  rmSync(join(other.DATA_DIR, 'postgres/PG_VERSION'))
  const doctor = await runCommand(['doctor', '--json'], other)
  const { checks } = JSON.parse(doctor.out) as { checks: { name: string; fix: string | null }[] }
  assert.match(
    checks.find(({ name }) => name === 'data_folder')!.fix!,
    /: lead-engine restore --latest --yes\. If that fails, /,
  )
  const ended = await callCommand(['restore', '--until', afterFirst.toISOString(), '--yes', '--json'], other)
  assert.equal(ended.status, 0, ended.err)
  assert.ok(existsSync(join(JSON.parse(ended.out).former, 'base')))
  assert.deepEqual(await accountsIn(other.DATA_DIR), ['First', 'Second'])
})

test('damage is found by the drill, and what is before a gap is restored', {
  skip: !isThorough && 'it restores four times',
}, async () => {
  const log = join(target, histories()[0]!, 'log')
  const last = join(log, filesOf('log').at(-1)!)
  const content = readFileSync(last)
  const damaged = Buffer.from(content)
  damaged[damaged.length - 20]! ^= 1
  writeFileSync(last, damaged)
  const drill = await callCommand(['restore', '--drill'], env)
  assert.deepEqual([drill.status, /in the continuous backup is damaged/.test(drill.err)], [1, true], drill.err)
  assert.match((await readState(owner))!.drill_error!, /is damaged/)
  const latest = await callCommand(['restore', '--latest', '--yes'], other)
  assert.equal(latest.status, 0, latest.err)
  assert.match(
    latest.out,
    /The last change in it is of .* IST: later ones are lost\.\nMore could not be restored: .* is damaged\./,
  )
  assert.ok((await accountsIn(other.DATA_DIR)).length >= 1)
  const back = await callCommand(['restore', '--until', afterFirst.toISOString(), '--yes'], other)
  assert.equal(back.status, 0, back.err)
  writeFileSync(last, content)
  assert.equal((await callCommand(['restore', '--drill'], env)).status, 0)
  assert.equal((await readState(owner))!.drill_error, null)
})

test('a drill does not disturb another one', async () => {
  const before = (await readState(owner))!.drill_at
  const another = tryLock(join(env.DATA_DIR, 'restore-drill.lock'), 'exclusive')!
  const ended = await callCommand(['restore', '--drill'], env)
  another.release()
  assert.deepEqual([ended.status, /A restore is being tried already/.test(ended.err)], [1, true], ended.err)
  const { drill_at, drill_error } = (await readState(owner))!
  assert.deepEqual([drill_at, drill_error], [before, null])
})

test('a process that does not have the slot makes no base backup', async () => {
  const settings = readContinuousSettings(env)!
  const target = openTarget(settings.target)
  const continuation = await owner.begin((tx) => findHistory(tx, target, settings, () => {}))
  const { slot, timeline, position, known } = continuation
  const holder = await openReplication(database.connection, 'holder')
  const held = Promise.withResolvers<void>()
  const holding = holder.startLog({ slot, timeline, position: position - BigInt(known.length) }, () => {}, held.resolve)
  holding.catch(() => {})
  await held.promise
  const [bases, { base_at }] = [filesOf('base'), (await readState(owner))!]
  await owner`update continuous_backup set base_at = null`
  const log = () => {}
  const signal = new AbortController().signal
  const given = {
    sql: owner,
    owner: database.connection,
    target,
    settings,
    continuation,
    dataDir: env.DATA_DIR,
    signal,
  }
  await assert.rejects(
    runSession({ ...given, problems: rememberProblems(owner, target.name, log), log }, () => {}),
    { code: '55006' },
  )
  assert.deepEqual(filesOf('base'), bases)
  await owner`update continuous_backup set base_at = ${base_at}`
  holder.close()
  await holding.catch(() => {})
})

test('doctor says what is wrong with a history that cannot be read, and what to do', async () => {
  const [state] = await owner`delete from continuous_backup returning *`
  const description = join(target, 'histories', histories()[0]!)
  const copy = join(target, 'histories-copy', histories()[0]!)
  const content = readFileSync(description)
  for (const path of [description, copy]) writeFileSync(path, 'no JSON')
  await whileSaving(() => until(async () => (await readState(owner))?.error != null))
  const ended = await runCommand(['doctor', '--json'], env)
  const { message } = JSON.parse(ended.out).checks.find(({ name }: { name: string }) => name === 'continuous_backup')
  assert.equal(
    message,
    `The continuous backup fails: ${description} is damaged. Restore that file, or name another folder or prefix in CONTINUOUS_BACKUP.`,
  )
  writeFileSync(copy, content)
  await whileSaving(() => until(async () => (await readState(owner))?.error === null))
  assert.deepEqual(readFileSync(description), content)
  await owner`delete from continuous_backup`
  await owner`insert into continuous_backup ${owner(state!)}`
})

test('a history goes on after a stop; a database that is restored begins another', async () => {
  await whileSaving(async () => {
    await changeState(owner, { saved_at: new Date(0) })
    await until(async () => (await readState(owner))!.saved_at!.getTime() > 0)
  })
  assert.equal(histories().length, 1)
  // While nothing was saved.
  await withDatabase(other.DATA_DIR, async (sql) => {
    await sql`insert into erased_leads (account_id, lead_id, at) select account_id, id, now() - interval '1 hour' from leads limit 1`
    await sql`delete from leads where id in (select lead_id from erased_leads)`
  })
  const ended = await callCommand(['backup', '--continuous', '--json'], other)
  assert.equal(ended.status, 0, ended.err)
  assert.equal(histories().length, 2)
  const { restorable_from, restorable_to } = JSON.parse(ended.out)
  assert.ok(Date.parse(restorable_from) < afterFirst.getTime() && afterFirst.getTime() < Date.parse(restorable_to))

  const earlier = await callCommand(['restore', '--until', afterFirst.toISOString(), '--json'], {
    ...env,
    DATA_DIR: join(folder, 'earlier'),
  })
  assert.equal(earlier.status, 0, earlier.err)
  assert.equal(JSON.parse(earlier.out).erased_again, 2)
})

test('a new installation does not take the place of one that can be restored', async () => {
  const third = { ...env, DATA_DIR: join(folder, 'third') }
  await callCommand(['setup', '--account', 'New', '--email', 'new@x.example', '--name', 'A'], third)
  const ended = await callCommand(['backup', '--continuous'], third)
  assert.deepEqual([ended.status, histories().length], [1, 2])
  assert.match(ended.err, /has the continuous backup of another database .* restore --latest --yes/)
})

test('if the newest base is damaged, the one before it is restored', async () => {
  const [first, second] = histories() as [string, string]
  const base = join(target, second, 'base', filesOf('base')[0]!, '00001')
  const content = readFileSync(base)
  writeFileSync(base, content.subarray(0, content.length >> 1))
  rmSync(join(target, 'histories', first))
  writeFileSync(join(target, 'histories-copy', second), '')
  const elsewhere = { ...env, DATA_DIR: join(folder, 'elsewhere') }
  const ended = await callCommand(['restore', '--latest', '--json'], elsewhere)
  assert.equal(ended.status, 0, ended.err)
  const { damaged, problem, former } = JSON.parse(ended.out)
  assert.match(damaged.join(), /^\S+\/base\/\S+\/00001 in the continuous backup is damaged$/)
  assert.deepEqual([problem, former], [null, null])
  assert.deepEqual(await accountsIn(elsewhere.DATA_DIR), ['First', 'Second', 'Third'])

  for (const id of [first, second]) rmSync(join(target, id, 'base'), { recursive: true })
  const empty = { ...env, DATA_DIR: join(folder, 'empty') }
  const failed = await callCommand(['restore', '--latest'], empty)
  assert.deepEqual([failed.status, /has no complete base backup/.test(failed.err)], [1, true], failed.err)
  const start = await callCommand(['migrate'], empty)
  assert.match(
    start.err,
    /was not completed, and there is no database in .*empty: restore it again\. To start with an empty/,
  )
})
