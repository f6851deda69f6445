import assert from 'node:assert/strict'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { callCommand } from '#test/command-line.ts'
import {
  findUpgrade,
  forgetUpgrade,
  isUndone,
  markUndone,
  preventUpgrades,
  recordUpgrade,
  takeUpgradeLock,
} from './interrupted-upgrade.ts'
import { placesIn } from './places.ts'
import {
  addRelease,
  currentRelease,
  keepPrevious,
  makeCurrent,
  previousRelease,
  removeOldReleases,
} from './releases.ts'

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-releases-'))
after(() => rmSync(folder, { recursive: true }))
const places = placesIn(join(folder, 'server'))
const releases = () => readdirSync(join(places.programs, 'releases')).sort()

function unpacked(version: string, more: object = {}) {
  const path = join(folder, version)
  mkdirSync(join(path, 'operations'), { recursive: true })
  mkdirSync(join(path, 'node_modules'))
  writeFileSync(join(path, 'package.json'), JSON.stringify({ name: 'lead-engine', version, ...more }))
  writeFileSync(join(path, 'operations/main.js'), '')
  writeFileSync(join(path, 'node_modules/.package-lock.json'), '{}')
  return path
}

test('releases are added beside each other, and all but the current and the previous one are removed', () => {
  assert.equal(currentRelease(places), null)
  const [one, two, three] = [
    unpacked('1.0.0'),
    unpacked('2.0.0', { gitHead: '0123456789abcdef' }),
    unpacked('3.0.0'),
  ].map((path) => addRelease(places, path))
  assert.equal(two!.name, '2.0.0+01234567')
  makeCurrent(places, one!)
  makeCurrent(places, two!)
  keepPrevious(places, one!)
  assert.deepEqual([currentRelease(places)?.name, previousRelease(places)?.name], [two!.name, one!.name])
  assert.deepEqual(releases(), ['1.0.0', '2.0.0+01234567', '3.0.0'])
  mkdirSync(join(places.programs, 'releases/.unfinished-killed'))
  removeOldReleases(places)
  assert.deepEqual(releases(), ['1.0.0', '2.0.0+01234567'])
  assert.equal(existsSync(three!.folder), false)
  keepPrevious(places, null)
  assert.equal(previousRelease(places), null)
})

const rejected: [what: string, path: () => string, reason: RegExp][] = [
  ['nothing', () => join(folder, 'none'), /^There is no \S+none\.$/],
  ['the current version', () => join(folder, '2.0.0'), /^Version 2\.0\.0\+01234567 is the current one already/],
  ['another program', () => unpacked('4.0.0', { name: 'other' }), /is no release of Lead Engine/],
  [
    'one without its packages',
    () => {
      const path = unpacked('5.0.0')
      rmSync(join(path, 'node_modules'), { recursive: true })
      return path
    },
    /run npm install in \S+5\.0\.0 first\.$/,
  ],
  [
    'a file that is no package',
    () => {
      writeFileSync(join(folder, 'a.tgz'), 'text')
      return join(folder, 'a.tgz')
    },
    /cannot be unpacked/,
  ],
]
for (const [what, path, reason] of rejected) {
  test(`a package that is ${what} changes nothing`, () => {
    const before = releases()
    assert.throws(() => addRelease(places, path()), { message: reason })
    assert.deepEqual([releases(), currentRelease(places)?.name], [before, '2.0.0+01234567'])
  })
}

test('one upgrade runs at a time, and not while a service undoes another', () => {
  const lock = takeUpgradeLock(places.programs)
  assert.throws(() => takeUpgradeLock(places.programs), /lead-engine upgrade is running/)
  assert.throws(() => preventUpgrades(places.programs), /lead-engine upgrade is running/)
  lock.release()
  const undoing = preventUpgrades(places.programs)
  assert.throws(() => takeUpgradeLock(places.programs), /lead-engine upgrade is running/)
  undoing.release()
  takeUpgradeLock(places.programs).release()
})

test('a kill while the record of an upgrade is written leaves the one before', () => {
  const upgrade = { from: '1.0.0', to: '2.0.0', started_at: '2026-11-28T10:00:00.000Z', snapshot: null }
  recordUpgrade(places.programs, upgrade)
  const before = openSync(join(places.programs, 'upgrade.json'), 'r')
  recordUpgrade(places.programs, { ...upgrade, snapshot: '/saved' })
  // The former file is still whole, so it was replaced and not written over.
  assert.deepEqual(JSON.parse(readFileSync(before, 'utf8')), upgrade)
  closeSync(before)
  assert.equal(findUpgrade(places.programs)?.snapshot, '/saved')
  forgetUpgrade(places.programs)
})

test('a service undoes an interrupted upgrade once', () => {
  assert.equal(findUpgrade(places.programs), null)
  const upgrade = { from: '1.0.0', to: '2.0.0', started_at: '2026-11-28T10:00:00.000Z', snapshot: null }
  recordUpgrade(places.programs, upgrade)
  assert.deepEqual(findUpgrade(places.programs), upgrade)
  assert.equal(isUndone(folder, upgrade), false)
  markUndone(folder, upgrade)
  assert.equal(isUndone(folder, upgrade), true)
  assert.equal(isUndone(folder, { ...upgrade, started_at: '2026-11-29T10:00:00.000Z' }), false)
  forgetUpgrade(places.programs)
  assert.equal(findUpgrade(places.programs), null)
})

test('upgrade and install say how they are used', async () => {
  assert.match((await callCommand(['upgrade'], {})).err, /Name the package of the new release, or --back\./)
  assert.match(
    (await callCommand(['upgrade', 'a', '--back'], {})).err,
    /Name the package of the new release, or --back\./,
  )
  for (const args of [
    ['upgrade', 'a', '--root', folder],
    ['install', '--root', folder],
  ]) {
    const { status, err } = await callCommand(args, {})
    assert.deepEqual([status, /^This is a checkout: build a release/.test(err)], [1, true], err)
  }
})
