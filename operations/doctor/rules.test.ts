import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { certificateAuthority } from '#test/certificate-authority.ts'
import { suggestFix } from '../../server/platform/database/sign-in-problem.ts'
import type { ServiceView } from '../../server/platform/health/proof.ts'
import type { ContinuousState } from '../continuous-backup/state.ts'
import type { Answered } from './ask-service.ts'
import { judgeBackups } from './backups.ts'
import { judgeBaseUrl } from './base-url.ts'
import { judgeCertificate, judgeChain } from './certificate.ts'
import { found, runChecks } from './check.ts'
import { judgeClock } from './clock.ts'
import { judgeContinuousBackup } from './continuous-backup.ts'
import { toRanges } from './count-differences.ts'
import { judgeVersion } from './database.ts'
import { judgeSpace } from './disk-space.ts'
import { judgeAnswer } from './port.ts'
import { fixReadOnly } from './read-only-folder.ts'
import { judgeReplication } from './redis.ts'
import { isOurs } from './settings.ts'
import { judgeSilence } from './webhooks.ts'

const gib = 1024 ** 3
const now = new Date('2026-11-22T08:00:00Z')

for (const [what, total, free, ok] of [
  ['a large disk with room', 500, 50, true],
  ['a large disk with 4% left, which is much', 500, 20, true],
  ['a disk with 4% left, which is little', 100, 4, false],
  ['a small disk with 40% left', 5, 2, true],
  ['less than 1 GiB', 5, 0.9, false],
  ['a full disk', 100, 0, false],
] as const) {
  test(`disk space: ${what}`, () => {
    const space = { bsize: 4096, blocks: (total * gib) / 4096, bavail: (free * gib) / 4096, files: 0, ffree: 0 }
    assert.equal(judgeSpace('/data', space).ok, ok)
  })
}

test('disk space: no more files can be created', () => {
  const space = { bsize: 4096, blocks: 1e9, bavail: 9e8, files: 1e6, ffree: 50 }
  assert.match(judgeSpace('/data', space).message, /only 50 files can be created/)
  assert.equal(judgeSpace('/data', { ...space, bsize: 0 }).ok, true)
})

for (const [number, name, ok] of [
  [140_012, '14.12', false],
  [150_000, '15.0', true],
  [180_004, '18.4', true],
] as const) {
  test(`PostgreSQL ${name}`, () => assert.equal(judgeVersion({ number, name }).ok, ok))
}

const at = now.getTime()
for (const [what, times, message] of [
  ['the same', { here: at, database: at - 900, newest: at - 60_000 }, /agree/],
  ['ahead', { here: at, database: at - 61_000, newest: null }, /61 seconds ahead of/],
  ['behind', { here: at, database: at + 9_000_000, newest: null }, /3 hours behind/],
  ['set back after it was ahead', { here: at, database: at, newest: at + 7_000 }, /7 seconds in the future/],
] as const) {
  test(`a clock that is ${what}`, () => assert.match(judgeClock(times).message, message))
}

const answered = (changes: Partial<Answered> = {}): Answered => ({
  status: 200,
  isLeadEngine: true,
  seen: null,
  location: null,
  certificateUntil: null,
  isStarting: false,
  ...changes,
})

for (const [what, answer, isProved, ok] of [
  ['our service', { seen: {} as ServiceView }, true, true],
  ['a Lead Engine, while the database is unreachable', {}, false, true],
  ['another Lead Engine', {}, true, false],
  ['another program', { isLeadEngine: false, status: 404 }, true, false],
] as const) {
  test(`a port in use by ${what}`, () =>
    assert.equal(judgeAnswer({ host: '127.0.0.1', port: 8080 }, answered(answer), isProved).ok, ok))
}

const seen = (changes: Partial<ServiceView> = {}): ServiceView => ({
  base_url: 'https://leads.example.com',
  peer: '10.0.0.2',
  trusted: true,
  forwarded: true,
  max_files: 65_536,
  rejected_origin: null,
  ...changes,
})
const rejectedAt = (time: string) => seen({ rejected_origin: { origin: 'https://crm.example.com', at: time } })

for (const [what, answer, message, fix] of [
  ['leads to the service through a proxy', { seen: seen() }, /leads to the service/],
  [
    'redirects',
    { status: 301, location: 'https://www.example.com/healthz' },
    /redirects to https:\/\/www\.example\.com\.$/,
    /^Set BASE_URL to https:\/\/www\.example\.com for/,
  ],
  [
    'redirects to a path',
    { status: 302, location: '/crm/healthz' },
    /redirects to \S+\/crm\.$/,
    /^Let the proxy pass all paths/,
  ],
  ['is a proxy without its service', { status: 502, isLeadEngine: false }, /answers 502: it does not reach/],
  ['is another site', { status: 200, isLeadEngine: false }, /is not answered by Lead Engine/],
  ['is another installation', {}, /another Lead Engine/],
  [
    'differs from that of the service',
    { seen: seen({ base_url: 'http://127.0.0.1:8080' }) },
    /runs with BASE_URL http:\/\/127/,
  ],
  ['is not what users open', { seen: rejectedAt('2026-11-22T07:00:00Z') }, /Users open https:\/\/crm\.example\.com/],
  ['was not what users opened long ago', { seen: rejectedAt('2026-11-20T07:00:00Z') }, /leads to the service/],
  [
    'has a proxy that is not trusted',
    { seen: seen({ trusted: false }) },
    /proxy 10\.0\.0\.2, which TRUST_PROXY does not/,
  ],
  ['has a proxy that hides the users', { seen: seen({ forwarded: false }) }, /does not pass X-Forwarded-For/],
] as const) {
  test(`a BASE_URL that ${what}`, () => {
    const config = { baseUrl: 'https://leads.example.com', port: 8080 }
    const finding = judgeBaseUrl(config, answered(answer), { isProved: true, now })
    assert.match(finding.message, message)
    if (fix) assert.match(finding.fix ?? '', fix)
    assert.equal(finding.ok, /leads to the service/.test(finding.message))
  })
}

const hoursAgo = (hours: number, error: string | null = null) => {
  const at = new Date(now.getTime() - hours * 3_600_000)
  return { started_at: at, finished_at: at, error }
}

for (const [what, last_success, last_run, scheduled, embedded, days, ok, message] of [
  ['made last night', hoursAgo(6), hoursAgo(6), true, true, 90, true, /6 hours old/],
  ['made last night by a service with BACKUP_DIR', hoursAgo(6), hoursAgo(6), false, true, 90, true, /6 hours old/],
  ['old', hoursAgo(100), hoursAgo(100), true, true, 90, false, /4 days old/],
  [
    'failing since an hour',
    hoursAgo(6),
    hoursAgo(1, 'The disk is full.'),
    true,
    true,
    90,
    false,
    /failed: The disk is full/,
  ],
  ['switched off', hoursAgo(400), hoursAgo(400), false, true, 90, false, /in DATA_DIR alone/],
  ['failing', hoursAgo(100), hoursAgo(1, 'The disk is full.'), true, true, 90, false, /failed: The disk is full\.$/],
  ['missing', null, null, true, true, 90, false, /There is no backup\./],
  ['not made yet', null, null, true, true, 0, true, /makes the first one/],
  ['not wanted, in a new installation', null, null, false, true, 0, false, /in DATA_DIR alone/],
  ['left to a PostgreSQL of its own', null, null, false, false, 90, true, /not set/],
] as const) {
  test(`backups that are ${what}`, () => {
    const status = { last_success, last_run }
    const age = days * 86_400_000
    const finding = judgeBackups({
      status,
      isScheduled: scheduled,
      isEmbedded: embedded,
      isContinuous: false,
      age,
      now,
    })
    assert.deepEqual([finding.ok, message.test(finding.message)], [ok, true], finding.message)
  })
}

test('a continuous backup is enough', () => {
  const status = { last_success: null, last_run: null }
  const circumstances = { status, isScheduled: false, isEmbedded: true, age: 0, now }
  assert.equal(judgeBackups({ ...circumstances, isContinuous: true }).ok, true)
})

for (const [what, mounts, fix] of [
  [
    'whose file system is read-only',
    'ro,relatime shared:1 - ext4 /dev/sdb1 ro',
    /^Mount .*: mount -o remount,rw '\/mnt\/my disk'$/,
  ],
  [
    'that only the unit makes read-only',
    'ro,relatime - ext4 /dev/sdb1 rw',
    /run lead-engine install as root.*without :ro/,
  ],
] as const) {
  test(`a backup folder ${what}`, () => {
    const lines = `30 1 8:1 / / rw - ext4 /dev/sda1 rw\n31 30 8:17 / /mnt/my\\040disk ${mounts}\n32 30 8:2 / /mnt/my rw - ext4 x rw\n`
    assert.match(fixReadOnly('/mnt/my disk/leads', lines), fix)
  })
}

for (const [what, days, from, host, message] of [
  ['that is valid', 60, -30, 'leads.example.com', /^The certificate is valid until/],
  ['with three days left', 3, -87, 'leads.example.com', /expires in 3 days, at 2026-11-25T08:00:00/],
  ['that has expired', -1, -90, 'leads.example.com', /has expired at 2026-11-21T08:00:00/],
  ['that is not valid yet', 90, 1, 'leads.example.com', /is valid from/],
  ['for another host', 60, -30, 'crm.example.com', /is not for leads\.example\.com, the host of BASE_URL/],
] as const) {
  test(`a certificate ${what}`, () => {
    const inDays = (n: number) => new Date(now.getTime() + n * 86_400_000).toISOString()
    const found = {
      validFrom: inDays(from),
      validTo: inDays(days),
      checkHost: (name: string) => (name === host ? name : undefined),
      checkIP: () => undefined,
    }
    const finding = judgeCertificate(found, { certFile: 'cert.pem', baseUrl: 'https://leads.example.com', now })
    assert.match(finding.message, message)
    assert.equal(finding.ok, what === 'that is valid')
  })
}

test('a certificate without that of its issuer', () => {
  const authority = certificateAuthority()
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const host = authority.issueFor({ names: ['leads.example.in'], publicKey }, now, now)
  const alone = judgeChain(host, 'cert.pem')!
  assert.match(
    alone.message,
    /^cert\.pem has the certificate of the host, and not that of its issuer, CN=Authority of the tests/,
  )
  assert.match(alone.fix!, /fullchain\.pem of certbot/)
  assert.equal(judgeChain(`${host}${authority.certificate}`, 'cert.pem'), null)
  assert.equal(judgeChain(host, 'cert.pem', [authority.certificate]), null)
})

for (const [name, value, ours] of [
  ['statement_timeout', '30s', true],
  ['statement_timeout', '30000', true],
  ['statement_timeout', '10ms', false],
  ['lock_timeout', '2s', true],
  ['jit', 'off', true],
  ['plan_cache_mode', 'force_custom_plan', false],
  ['search_path', 'public', false],
] as const) {
  test(`${name} = ${value} is ${ours ? 'what the service sets itself' : 'another value'}`, () =>
    assert.equal(isOurs(name, value), ours))
}

test('a Redis that is a replica cannot count', () => {
  assert.equal(judgeReplication('# Replication\r\nrole:master\r\n').ok, true)
  assert.equal(judgeReplication('# Replication\r\nrole:slave\r\n').ok, false)
})

test('silent webhooks are named, the longest silent first, at most five', () => {
  const silent = [3, 1, 2, 5, 4, 6].map((day) => ({
    name: `Form ${day}`,
    account: 'Acme',
    last_at: new Date(`2026-10-0${day}T00:00:00Z`),
  }))
  const { ok, message } = judgeSilence(silent, 9)
  assert.equal(ok, false)
  assert.match(
    message,
    /: Form 1 of Acme \(since 2026-10-01\), Form 2 .*, Form 5 of Acme \(since 2026-10-05\) and 1 more\.$/,
  )
  assert.equal(judgeSilence([], 9).ok, true)
})

for (const [code, fix] of [
  ['ECONNREFUSED', /^Start PostgreSQL/],
  ['ENOTFOUND', /^Correct the host/],
  ['CONNECT_TIMEOUT', /firewall/],
  ['28P01', /user and password in DATABASE_URL/],
  ['3D000', /^Create the database/],
  ['53300', /max_connections/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /sslrootcert/],
  ['XX000', /log of PostgreSQL/],
] as const) {
  test(`the fix of ${code}`, () => assert.match(suggestFix({ code }, 'DATABASE_URL'), fix))
}

test('a check that fails or takes too long does not stop the others, and what depends on it is not checked', async () => {
  const never = found<string>('it was not found')
  const results = await runChecks([
    { name: 'throws', run: async () => assert.fail('broken.') },
    { name: 'hangs', seconds: 0.05, run: () => new Promise(() => {}) },
    { name: 'depends', run: async () => ({ ok: true, message: never.get(), fix: null }) },
    { name: 'works', run: async () => ({ ok: true, message: 'fine', fix: null }) },
  ])
  assert.deepEqual(
    results.map(({ name, ok, checked, message }) => [name, ok, checked, message]),
    [
      ['throws', false, true, 'The check failed: broken.'],
      ['hangs', false, true, 'The check did not end within 0.05 seconds.'],
      ['depends', false, false, 'Not checked: it was not found.'],
      ['works', true, true, 'fine'],
    ],
  )
})

test('the ranges of days follow each other from the first to the last, and are as small as days allow', () => {
  const day = fc.record({ n: fc.integer({ min: -3, max: 40 }) })
  const property = fc.property(fc.array(day, { maxLength: 40 }), (given) => {
    const days = given.map(({ n }, index) => ({ day: `2026-01-${String(index + 1).padStart(2, '0')}`, n }))
    const ranges = toRanges(days, 50)
    assert.equal(ranges[0]!.from, '-infinity')
    assert.equal(ranges.at(-1)!.until, 'infinity')
    for (const [index, range] of ranges.entries()) {
      if (index > 0) assert.equal(range.from, ranges[index - 1]!.until)
      assert.ok(range.rows <= 50)
    }
    const all = days.reduce((sum, { n }) => sum + Math.max(0, n), 0)
    assert.equal(
      ranges.reduce((sum, { rows }) => sum + rows, 0),
      all,
    )
  })
  fc.assert(property)
})

const backedUp: ContinuousState = {
  target: 's3://backups',
  history: 'one',
  base_at: new Date('2026-11-22T00:00:00Z'),
  saved_at: new Date('2026-11-22T07:59:00Z'),
  error: null,
  drill_at: new Date('2026-11-22T00:00:00Z'),
  drill_restored_to: new Date('2026-11-22T00:00:00Z'),
  drill_error: null,
}
for (const [what, state, ok, message] of [
  ['that works', backedUp, true, /^All changes are saved in s3:\/\/backups\. The last restore drill passed\.$/],
  [
    'that was not tried',
    { ...backedUp, drill_at: null },
    true,
    /are saved in s3:\/\/backups\. No restore was tried yet\.$/,
  ],
  ['without its first base', { ...backedUp, base_at: null }, true, /is being made/],
  ['that never started', null, false, /has not started/],
  ['that fails', { ...backedUp, error: 'The bucket is full.' }, false, /fails: The bucket is full\.$/],
  [
    'that cannot be restored',
    { ...backedUp, drill_error: 'log/1 is damaged' },
    false,
    /drill failed: log\/1 is damaged\./,
  ],
  [
    'that is silent',
    { ...backedUp, saved_at: new Date('2026-11-22T07:00:00Z') },
    false,
    /nothing since 2026-11-22T07:00/,
  ],
] as const) {
  test(`a continuous backup ${what}`, () => {
    const finding = judgeContinuousBackup(now, state)
    assert.equal(finding.ok, ok)
    assert.match(finding.message, message)
  })
}
