import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { dailyName } from '../../operations/backup/backup-folder.ts'
import { createBackup } from '../../operations/backup/create-backup.ts'
import { makeBase } from '../../operations/continuous-backup/base-backup.ts'
import { listHistories, openHistory } from '../../operations/continuous-backup/history.ts'
import { positionOf } from '../../operations/continuous-backup/log-piece.ts'
import { openTarget } from '../../operations/continuous-backup/open-target.ts'
import { readLsn } from '../../operations/continuous-backup/replication.ts'
import { runContinuousBackup } from '../../operations/continuous-backup/run.ts'
import { applicationName } from '../../operations/continuous-backup/session.ts'
import { readContinuousSettings } from '../../operations/continuous-backup/settings.ts'
import { readState } from '../../operations/continuous-backup/state.ts'
import { startEmbedded } from '../../operations/embedded/embedded.ts'
import { openAsOwner } from '../../server/platform/database/connect.ts'
import { callCommand } from '../command-line.ts'
import { until } from '../until.ts'

/*
 * Damages one file of the backups at a time, at random, and restores: as far as possible, saying until when, and never with an empty
 * installation instead of the former one. SEED repeats a run, DAMAGES sets how many.
 */
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const damages = Number(process.env.DAMAGES ?? 50)
let state = seed
/** Returns a whole number below n: a linear congruential generator, the same for a seed. */
function below(n: number): number {
  state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
  return Math.floor((state / 2 ** 32) * n)
}

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-damaged-backups-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const target = join(folder, 'target')
const daily = join(folder, 'daily')
for (const path of [target, daily]) mkdirSync(path)
const keyFile = join(folder, 'key')
writeFileSync(keyFile, 'a key of more than thirty-two characters')
const env = { CONTINUOUS_BACKUP: target, CONTINUOUS_BACKUP_KEY_FILE: keyFile, DATA_DIR: join(folder, 'source') }
/** Each lead marks a time: those before it are restored too, or the backup has a hole. */
const marks: Date[] = []
/** Where the log ended after each. */
const positions: bigint[] = []
const former = join(folder, 'former')
const leadsBefore = await prepare()

async function prepare(): Promise<number> {
  const setup = await callCommand(['setup', '--account', 'A', '--email', 'a@x.example', '--name', 'A'], env)
  assert.equal(setup.status, 0, setup.err)
  const { connection, stop } = await startEmbedded(env.DATA_DIR, () => {}, { durable: false })
  const owner = openAsOwner(connection, { max: 1 })
  const settings = readContinuousSettings(env)!
  const stopping = new AbortController()
  const running = runContinuousBackup(connection, settings, {
    dataDir: env.DATA_DIR,
    signal: stopping.signal,
    onProgress: () => {},
    log: (level, message) => console.error(level, message),
  })
  const mark = async (count: number) => {
    for (let n = 0; n < count; n++) {
      const [row] = await owner<
        { at: Date }[]
      >`insert into leads (account_id, id, name, source, status, priority, created_at, updated_at)
        select id, gen_random_uuid(), ${`Mark ${marks.length}`}, 'Web', 'New', 'Low', now(), now() from accounts returning clock_timestamp() as at`
      marks.push(row!.at)
      const [log] = await owner<{ end: string }[]>`select pg_current_wal_flush_lsn()::text as end`
      positions.push(readLsn(log!.end))
      await until(
        async () =>
          (
            await owner`select from pg_stat_replication
              where application_name = ${applicationName} and flush_lsn >= ${log!.end}::pg_lsn`
          ).length > 0,
      )
    }
  }
  const base = async () => {
    const opened = openTarget(settings.target)
    const [id] = await listHistories(opened)
    const history = await openHistory(opened, settings.secret, id!)
    await makeBase(connection, history!, { isUrgent: true, signal: stopping.signal })
  }
  const backup = (day: number) => createBackup(connection, join(daily, dailyName(new Date(Date.UTC(2026, 10, day)))))
  await until(async () => (await readState(owner))?.drill_at != null)
  await mark(4)
  await backup(1)
  await base()
  await mark(4)
  await backup(2)
  await base()
  await mark(4)
  await backup(3)
  stopping.abort()
  await running
  await owner.end()
  await stop()
  const first = await callCommand(['restore', join(daily, dailyName(new Date(Date.UTC(2026, 10, 1))))], {
    DATA_DIR: former,
  })
  assert.equal(first.status, 0, first.err)
  return 4
}

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
}

const kinds = {
  flipped(path: string) {
    const content = readFileSync(path)
    for (let n = 0; n <= below(8); n++) content[below(content.length)]! ^= 1 + below(255)
    writeFileSync(path, content)
  },
  truncated: (path: string) => writeFileSync(path, readFileSync(path).subarray(0, below(statSync(path).size))),
  missing: (path: string) => rmSync(path),
}

async function leadsIn(dataDir: string): Promise<number> {
  const { connection, stop } = await startEmbedded(dataDir, () => {}, { create: false, durable: false })
  const owner = openAsOwner(connection, { max: 1 })
  try {
    const found = await owner<{ name: string }[]>`select name from leads`
    const numbers = found.map(({ name }) => Number(name.slice(5))).sort((one, other) => one - other)
    assert.deepEqual(numbers, [...numbers.keys()], 'a hole')
    return found.length
  } finally {
    await owner.end()
    await stop()
  }
}

const results = { fully: 0, earlier: 0, 'after the command that was named': 0, 'not at all': 0 }
const areas = {
  base: () => filesBelow(target).filter((path) => path.includes('/base/')),
  log: () => filesBelow(target).filter((path) => path.includes('/log/') || path.includes('/histories')),
  daily: () => filesBelow(daily).filter((path) => path.endsWith('.backup')),
}

for (let number = 0; number < damages; number++) {
  const area = (['base', 'log', 'daily'] as const)[number % 3]!
  const kind = (['flipped', 'truncated', 'missing'] as const)[below(3)]!
  const files = areas[area]()
  const path = files[below(files.length)]!
  const hasFormer = below(2) === 0
  test(`seed ${seed}, ${number}: ${path.slice(folder.length + 1)} is ${kind}, ${hasFormer ? 'data' : 'no data'} before`, async (t) => {
    const victim = mkdtempSync(join(folder, 'victim-'))
    if (hasFormer) cpSync(former, victim, { recursive: true })
    const content = readFileSync(path)
    kinds[kind](path)
    t.after(() => {
      writeFileSync(path, content)
      rmSync(victim, { recursive: true, force: true })
    })
    const victimEnv = { ...env, DATA_DIR: victim }
    if (area === 'daily') {
      const ended = await callCommand(['restore', path, '--yes'], victimEnv)
      assert.equal(ended.status, 1)
      assert.match(ended.err, /(is damaged|is not a backup|There is no file).* beside it: lead-engine restore \S+\n$/s)
      assert.equal(existsSync(join(victim, 'postgres')), hasFormer)
      if (hasFormer) assert.equal(await leadsIn(victim), leadsBefore)
      else assert.match((await callCommand(['migrate'], victimEnv)).err, /was not completed, and there is no database/)
      const [, named] = /lead-engine restore (\S+)\n$/.exec(ended.err)!
      assert.equal(dirname(named!), daily)
      const again = await callCommand(['restore', named!, '--yes'], victimEnv)
      assert.equal(again.status, 0, again.err)
      assert.match(again.out, /^Restored 1 account and \d+ leads as of 2\S+Z\.\n/)
      const expected = path.includes('11-03') ? 8 : 12
      assert.equal(await leadsIn(victim), expected)
      results['after the command that was named']++
      return
    }
    const ended = await callCommand(['restore', '--latest', '--yes', '--json'], victimEnv)
    if (ended.status !== 0) results['not at all']++
    assert.equal(ended.status, 0, ended.err)
    const { leads, restored_to, problem, damaged, former: kept } = JSON.parse(ended.out)
    assert.equal(await leadsIn(victim), leads)
    assert.equal(kept !== null, hasFormer)
    // It says until when: all that was written before, and nothing after.
    const until = Date.parse(restored_to)
    assert.ok(
      marks.slice(0, leads).every((at) => at.getTime() <= until + 1000),
      `${leads} leads until ${restored_to}`,
    )
    assert.ok(marks.slice(leads).every((at) => at.getTime() >= until - 100))
    if (leads === marks.length) results.fully++
    else {
      results.earlier++
      // Only a lost end of the log costs changes.
      assert.equal(area, 'log')
      const before = positions.filter((position) => position <= positionOf(`log/${basename(path)}`))
      assert.ok(before.length <= leads, `${before.length} leads are before the damage`)
      assert.ok(problem !== null || kind === 'missing')
    }
    t.diagnostic(
      `${leads} of ${marks.length} leads, until ${restored_to}; ${[problem, ...damaged].filter(Boolean).join('; ') || 'no damage seen'}`,
    )
  })
}

test('the figures', (t) => t.diagnostic(`seed ${seed}, ${damages} damages: ${JSON.stringify(results)}`))
