import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Registry } from 'prom-client'
import { startS3Server } from '#test/s3-server.ts'
import { until } from '#test/until.ts'
import { DamagedObject, deriveKey, isKey, keyCheck, seal, unseal } from './encryption.ts'
import { folderTarget } from './folder-target.ts'
import { beginHistory, type History } from './history.ts'
import { pieceName, segmentFile } from './log-piece.ts'
import { readLog } from './read-log.ts'
import { notNeeded } from './remove-old.ts'
import { s3Target } from './s3-target.ts'
import { ForeignLog, saveLog } from './save-log.ts'
import { type Bucket, readContinuousSettings } from './settings.ts'
import { isDueTonight } from './state.ts'
import { lag, startContinuousBackup } from './watch-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-continuous-rules-'))
after(() => rmSync(folder, { recursive: true }))
const keyFile = join(folder, 'key')
writeFileSync(keyFile, 'a key of more than thirty-two characters\n')
const shortKey = join(folder, 'short')
writeFileSync(shortKey, 'short')

const bucket = { CONTINUOUS_BACKUP: 's3://my-bucket/lead/engine/', AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 'S' }

test('the variables are read', () => {
  const read = (env: Record<string, string>) => readContinuousSettings({ CONTINUOUS_BACKUP_KEY_FILE: keyFile, ...env })
  assert.equal(read({}), null)
  assert.deepEqual(read({ CONTINUOUS_BACKUP: '/mnt/b' }), {
    target: { folder: '/mnt/b' },
    secret: 'a key of more than thirty-two characters',
    days: 7,
  })
  assert.deepEqual(read({ ...bucket, AWS_ENDPOINT_URL: 'https://s3.example.com/', CONTINUOUS_BACKUP_DAYS: '30' }), {
    target: {
      bucket: 'my-bucket',
      prefix: 'lead/engine',
      endpoint: 'https://s3.example.com',
      region: 'us-east-1',
      accessKeyId: 'A',
      secretAccessKey: 'S',
    },
    secret: 'a key of more than thirty-two characters',
    days: 30,
  })
})

const wrong: [what: string, env: Record<string, string>, message: RegExp][] = [
  ['no key file', { CONTINUOUS_BACKUP_KEY_FILE: '' }, /needs CONTINUOUS_BACKUP_KEY_FILE.*openssl rand/],
  [
    'a key file that is missing',
    { CONTINUOUS_BACKUP_KEY_FILE: join(folder, 'none') },
    /there is no such file\. Make one/,
  ],
  ['a short key', { CONTINUOUS_BACKUP_KEY_FILE: shortKey }, /32 characters or more/],
  ['another service', { CONTINUOUS_BACKUP: 'gs://bucket' }, /must be a folder, or a bucket such as s3:/],
  ['no key of the bucket', { AWS_SECRET_ACCESS_KEY: '' }, /set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/],
  ['an endpoint that is no URL', { AWS_ENDPOINT_URL: 's3.example.com' }, /AWS_ENDPOINT_URL must be the URL/],
  [
    'no days',
    { CONTINUOUS_BACKUP_DAYS: '0' },
    /CONTINUOUS_BACKUP_DAYS must be a whole number from 1 to 3650, and is "0"/,
  ],
  ['an own PostgreSQL', { DATABASE_URL: 'postgres://x' }, /pgBackRest or WAL-G/],
]
for (const [what, env, message] of wrong)
  test(`${what} is reported`, () => {
    assert.throws(() => readContinuousSettings({ ...bucket, CONTINUOUS_BACKUP_KEY_FILE: keyFile, ...env }), message)
  })

test('an object can be read with its key and under its name only, and not if a byte was changed', async () => {
  const key = deriveKey('secret', Buffer.from('salt'))
  const other = deriveKey('secret', Buffer.from('other salt'))
  assert.deepEqual([isKey(key, keyCheck(key)), isKey(other, keyCheck(key)), isKey(key, '')], [true, false, false])
  const object = await seal(key, 'log/1', Buffer.from('content'))
  assert.equal((await unseal(key, 'log/1', object)).toString(), 'content')
  await assert.rejects(unseal(other, 'log/1', object), DamagedObject)
  await assert.rejects(unseal(key, 'log/2', object), DamagedObject)
  await assert.rejects(unseal(key, 'log/1', Buffer.alloc(10)), DamagedObject)
  for (let at = 0; at < object.length; at++) {
    const changed = Buffer.from(object)
    changed[at]! ^= 1
    await assert.rejects(unseal(key, 'log/1', changed), DamagedObject)
  }
})

test('a bucket with more objects than fit into memory is rejected, with what to do', async (t) => {
  const server = await startS3Server()
  t.after(server.close)
  const { target } = readContinuousSettings({ CONTINUOUS_BACKUP_KEY_FILE: keyFile, ...server.env })!
  for (let at = 0; at < 250; at++)
    server.objects.set(`lead-engine/log/${at}`, { content: Buffer.alloc(0), at: new Date() })
  assert.equal((await s3Target(target as Bucket, 250).list('log/')).length, 250)
  const before = server.control.requests
  await assert.rejects(s3Target(target as Bucket, 150).list('log/'), {
    message:
      /^There are more than 150 objects below lead-engine\/log\/ in backups\. Remove .* another prefix in CONTINUOUS_BACKUP\.$/,
  })
  assert.equal(server.control.requests - before, 2)
})

const bytes = (from: number, to: number) => Buffer.from(Array.from({ length: to - from }, (_, at) => from + at))

async function historyWith(pieces: [from: number, to: number][]): Promise<History> {
  const target = folderTarget(mkdtempSync(join(folder, 'target-')))
  const history = await beginHistory(target, 'secret', '1', new Date())
  for (const [from, to] of pieces) await history.put(pieceName(BigInt(from)), bytes(from, to))
  return history
}

const logs: [what: string, pieces: [number, number][], from: number, end: number, problem: RegExp | null][] = [
  ['nothing', [], 5, 5, null],
  [
    'pieces in a row',
    [
      [0, 10],
      [10, 20],
      [20, 30],
    ],
    0,
    30,
    null,
  ],
  [
    'a start within a piece',
    [
      [0, 10],
      [10, 20],
    ],
    15,
    20,
    null,
  ],
  [
    'a joined piece, and the others left',
    [
      [0, 30],
      [10, 20],
      [20, 30],
      [30, 40],
    ],
    0,
    40,
    null,
  ],
  [
    'a joined piece, and some left',
    [
      [0, 30],
      [10, 20],
      [30, 40],
    ],
    15,
    40,
    null,
  ],
  [
    'a gap',
    [
      [0, 10],
      [20, 30],
    ],
    0,
    10,
    /log\/000000000000000a in the continuous backup is missing/,
  ],
  ['a start that was removed', [[20, 30]], 5, 5, /log\/0000000000000005 in the continuous backup is missing/],
]
for (const [what, pieces, from, end, problem] of logs)
  test(`the log is read from ${what}`, async () => {
    const log = readLog(await historyWith(pieces), BigInt(from))
    const read: Buffer[] = []
    for (;;) {
      const { value, done } = await log.next()
      if (!done) {
        read.push(value)
        continue
      }
      assert.equal(value.position, BigInt(end))
      if (problem) assert.match(value.problem!, problem)
      else assert.equal(value.problem, null)
      break
    }
    assert.deepEqual(Buffer.concat(read), bytes(from, end))
  })

test('a log is saved in pieces, goes on where it ended, and is not mixed with that of another database', async () => {
  const history = await historyWith([[0, 10]])
  const savers = (known: Buffer, signal: AbortSignal) =>
    saveLog(history, {
      position: 10n,
      known,
      signal,
      onSaved: () => {},
      onProblem: () => {},
      pause: () => {},
      resume: () => {},
    })
  const different = savers(Buffer.from([1, 2, 3]), new AbortController().signal)
  assert.throws(() => different.add({ position: 7n, bytes: bytes(7, 12) }), ForeignLog)
  assert.throws(() => different.add({ position: 99n, bytes: bytes(7, 12) }), /from 99 on instead of/)

  const stopping = new AbortController()
  const saver = savers(bytes(5, 10), stopping.signal)
  saver.add({ position: 5n, bytes: bytes(5, 8) })
  saver.add({ position: 8n, bytes: bytes(8, 25) })
  assert.notEqual(saver.waitingSince(), null)
  stopping.abort()
  await saver.run()
  assert.equal(saver.waitingSince(), null)
  assert.deepEqual(await history.get(pieceName(10n)), bytes(10, 25))

  const copy = savers(Buffer.alloc(0), stopping.signal)
  copy.add({ position: 10n, bytes: bytes(100, 110) })
  await assert.rejects(copy.run(), ForeignLog)
})

test('a file of the log is named as PostgreSQL names it', () => {
  assert.equal(segmentFile(1, 0x16_b374d848n), '0000000100000016000000B3')
  assert.equal(segmentFile(0x1a, 0n), '0000001A0000000000000000')
})

const at = (day: number, hour = 0) => new Date(Date.UTC(2026, 10, day, hour))
const base = (day: number, start: number) => ({
  id: `b${day}`,
  start: BigInt(start),
  started_at: at(day),
  finished_at: at(day, 1),
})
const objects = [
  { name: 'base/b1/00001', written_at: at(1) },
  { name: 'base/b1/manifest', written_at: at(1) },
  { name: 'base/b2/00001', written_at: at(2) },
  { name: 'base/b3/00001', written_at: at(3) },
  { name: 'erased/a', written_at: at(1, 5) },
  { name: 'erased/b', written_at: at(3, 5) },
  ...[0, 100, 200, 300].map((start, day) => ({ name: pieceName(BigInt(start)), written_at: at(day + 1) })),
]
const kept: [oldest: Date, bases: ReturnType<typeof base>[], removed: string[]][] = [
  [at(1, 2), [base(1, 50), base(3, 250)], []],
  [at(3, 0), [base(1, 50), base(3, 250)], []],
  [
    at(3, 2),
    [base(1, 50), base(3, 250)],
    [pieceName(0n), pieceName(100n), 'base/b1/00001', 'base/b1/manifest', 'base/b2/00001', 'erased/a'],
  ],
  [
    at(9),
    [base(3, 250)],
    [pieceName(0n), pieceName(100n), 'base/b1/00001', 'base/b1/manifest', 'base/b2/00001', 'erased/a'],
  ],
  // A time before the first base can be restored from an earlier history.
  [at(1, 2), [base(3, 250)], [pieceName(0n), pieceName(100n), 'base/b1/00001', 'base/b1/manifest', 'base/b2/00001']],
  [at(9), [], []],
]
for (const [oldest, bases, removed] of kept)
  test(`to restore times since ${oldest.toISOString()} with ${bases.length} bases, ${removed.length} objects are not needed`, () => {
    assert.deepEqual(notNeeded(objects, bases, oldest), removed)
  })

test('the nightly work is due once after 03:00 in India', () => {
  const now = new Date('2026-11-28T22:00:00Z')
  assert.equal(isDueTonight(now, null), true)
  assert.equal(isDueTonight(now, new Date('2026-11-28T21:29:00Z')), true)
  assert.equal(isDueTonight(now, new Date('2026-11-28T21:31:00Z')), false)
  assert.equal(isDueTonight(new Date('2026-11-28T21:29:00Z'), new Date('2026-11-27T21:31:00Z')), false)
})

test('a process that cannot start does not end the service', async () => {
  const { execPath } = process
  process.execPath = join(folder, 'missing')
  const continuous = startContinuousBackup(new URL(import.meta.url), {})
  process.execPath = execPath
  const lines: string[] = []
  continuous.observe(new Registry(), (_level, message) => lines.push(message))
  await until(() => lines.length === 2)
  assert.match(lines[0]!, /failed: spawn .* ENOENT$/)
  assert.match(lines[1]!, /is started again\.$/)
  await continuous.stop()
})

test('the lag grows while changes wait, and while the process is silent', () => {
  const now = 100_000
  assert.equal(lag(now, { waiting_since: null, heard: 99_000 }), 0)
  assert.equal(lag(now, { waiting_since: 60_000, heard: 99_000 }), 40_000)
  assert.equal(lag(now, { waiting_since: null, heard: 50_000 }), 50_000)
})
