import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Unavailable } from './errors.ts'
import { waitUntilBack } from './wait-until-back.ts'
import type { Outage, Watch } from './watch.ts'

/** A database that goes away and comes back on demand. */
function absence({ most = 10, patience = 60_000 } = {}) {
  const callbacks: ((away: Outage | null) => void)[] = []
  const watch = { away: false, onAway: (callback) => void callbacks.push(callback) } as Watch & { away: boolean }
  const set = (away: Outage | null) => {
    watch.away = away !== null
    for (const callback of callbacks) callback(away)
  }
  return { set, patient: waitUntilBack({ watch }, { most, patience }) }
}

const nothing = async () => {}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('work waits for the database, runs once, and what is read meanwhile is read before', async () => {
  const { set, patient } = absence()
  set('unreachable')
  const events: string[] = []
  const done = patient.run(
    async () => void events.push('work'),
    async () => void events.push('read'),
  )
  await settled()
  assert.deepEqual([events, patient.waiting], [['read'], 1])
  set(null)
  await done
  assert.deepEqual([events, patient.waiting], [['read', 'work'], 0])
})

for (const [what, first] of [
  ['lost its connection', () => Promise.reject(new Unavailable())],
  ['met a full disk', () => Promise.reject(Object.assign(new Error('disk full'), { code: '53100' }))],
] as const) {
  test(`work that ${what} runs again`, async () => {
    const { patient } = absence()
    const runs: (() => Promise<string>)[] = [first, async () => 'saved']
    assert.equal(await patient.run(() => runs.shift()!(), nothing), 'saved')
    assert.equal(patient.waiting, 0)
  })
}

test('while the database is only unreachable for new connections, running work goes on', async () => {
  const { set, patient } = absence()
  const work = Promise.withResolvers<string>()
  let runs = 0
  const done = patient.run(() => {
    runs++
    return work.promise
  }, nothing)
  set('unreachable')
  work.resolve('saved')
  assert.equal(await done, 'saved')
  assert.equal(runs, 1)
})

test('beyond the places, and after the time, the error is thrown', async () => {
  const { set, patient } = absence({ most: 2, patience: 50 })
  set('unreachable')
  const waiting = [1, 2].map(() => assert.rejects(patient.run(nothing, nothing), Unavailable))
  await settled()
  let read = false
  const third = patient.run(nothing, async () => {
    read = true
  })
  await assert.rejects(third, Unavailable)
  assert.deepEqual([read, patient.waiting], [false, 2])
  await Promise.all(waiting)
  assert.equal(patient.waiting, 0)
})

test('another error is thrown at once', async () => {
  const { patient } = absence()
  await assert.rejects(
    patient.run(() => Promise.reject(new Error('a bug')), nothing),
    /a bug/,
  )
})

test('of all that waited, 50 run at once', async () => {
  const { set, patient } = absence({ most: 200 })
  set('unreachable')
  let running = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++running)
    await settled()
    running--
  }
  const done = Promise.all(Array.from({ length: 120 }, () => patient.run(work, nothing)))
  await settled()
  set(null)
  await done
  assert.deepEqual([most, running, patient.waiting], [50, 0, 0])
})

test('a stopping service lets nothing wait longer', async () => {
  const { set, patient } = absence()
  set('unreachable')
  const waiting = patient.run(nothing, nothing)
  await settled()
  patient.shortenWaits(0)
  await assert.rejects(waiting, Unavailable)
})
