import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Unavailable } from './errors.ts'
import { waitUntilBack } from './wait-until-back.ts'
import type { Outage, Watch } from './watch.ts'

/** A database that goes away and comes back on demand. */
function absence({ maxWaiting = 10, maxOfKey = 200, timeoutMs = 60_000 } = {}) {
  const callbacks: ((away: Outage | null) => void)[] = []
  const watch = { away: false, onAway: (callback) => void callbacks.push(callback) } as Watch & { away: boolean }
  const set = (away: Outage | null) => {
    watch.away = away !== null
    for (const callback of callbacks) callback(away)
  }
  return { set, queue: waitUntilBack({ watch }, { maxWaiting, maxOfKey, timeoutMs }) }
}

const nothing = async () => {}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('work waits for the database, runs once, and what is read meanwhile is read before', async () => {
  const { set, queue } = absence()
  set('unreachable')
  const events: string[] = []
  const done = queue.run(
    ['a'],
    async () => void events.push('work'),
    async () => void events.push('read'),
  )
  await settled()
  assert.deepEqual([events, queue.waiting], [['read'], 1])
  set(null)
  await done
  assert.deepEqual([events, queue.waiting], [['read', 'work'], 0])
})

for (const [what, first] of [
  ['lost its connection', () => Promise.reject(new Unavailable())],
  ['met a full disk', () => Promise.reject(Object.assign(new Error('disk full'), { code: '53100' }))],
] as const) {
  test(`work that ${what} runs again`, async () => {
    const { queue } = absence()
    const runs: (() => Promise<string>)[] = [first, async () => 'saved']
    assert.equal(await queue.run(['a'], () => runs.shift()!(), nothing), 'saved')
    assert.equal(queue.waiting, 0)
  })
}

test('while the database is only unreachable for new connections, running work goes on', async () => {
  const { set, queue } = absence()
  const work = Promise.withResolvers<string>()
  let runs = 0
  const done = queue.run(
    ['a'],
    () => {
      runs++
      return work.promise
    },
    nothing,
  )
  set('unreachable')
  work.resolve('saved')
  assert.equal(await done, 'saved')
  assert.equal(runs, 1)
})

test('beyond the places, and after the time, the error is thrown', async () => {
  const { set, queue } = absence({ maxWaiting: 2, timeoutMs: 50 })
  set('unreachable')
  const waiting = [1, 2].map(() => assert.rejects(queue.run(['a'], nothing, nothing), Unavailable))
  await settled()
  let read = false
  const third = queue.run(['a'], nothing, async () => {
    read = true
  })
  await assert.rejects(third, Unavailable)
  assert.deepEqual([read, queue.waiting], [false, 2])
  await Promise.all(waiting)
  assert.equal(queue.waiting, 0)
})

test('another error is thrown at once', async () => {
  const { queue } = absence()
  await assert.rejects(
    queue.run(['a'], () => Promise.reject(new Error('a bug')), nothing),
    /a bug/,
  )
})

test('of all that waited, 50 run at once', async () => {
  const { set, queue } = absence({ maxWaiting: 200 })
  set('unreachable')
  let running = 0
  let maxRunning = 0
  const work = async () => {
    maxRunning = Math.max(maxRunning, ++running)
    await settled()
    running--
  }
  const done = Promise.all(Array.from({ length: 120 }, () => queue.run(['a'], work, nothing)))
  await settled()
  set(null)
  await done
  assert.deepEqual([maxRunning, running, queue.waiting], [50, 0, 0])
})

test('a stopping service lets nothing wait longer', async () => {
  const { set, queue } = absence()
  set('unreachable')
  const waiting = queue.run(['a'], nothing, nothing)
  await settled()
  queue.shortenWaits(0)
  await assert.rejects(waiting, Unavailable)
})

test('work of one key leaves places to others', async () => {
  const { set, queue } = absence({ maxWaiting: 3, maxOfKey: 2 })
  set('unreachable')
  const waiting = ['a', 'a', 'b'].map((key) => queue.run([key], async () => key, nothing))
  await settled()
  assert.equal(queue.waiting, 3)
  await assert.rejects(queue.run(['b'], nothing, nothing), Unavailable)
  set(null)
  assert.deepEqual(await Promise.all(waiting), ['a', 'a', 'b'])
  set('unreachable')
  const again = [queue.run(['a'], nothing, nothing), queue.run(['a'], nothing, nothing)]
  await settled()
  await assert.rejects(queue.run(['a'], nothing, nothing), Unavailable)
  set(null)
  await Promise.all(again)
})

test('each of the keys of a work counts', async () => {
  const { set, queue } = absence({ maxOfKey: 2 })
  set('unreachable')
  const waiting = ['a', 'b'].map((url) => queue.run([url, 'sender'], async () => url, nothing))
  await settled()
  await assert.rejects(queue.run(['c', 'sender'], nothing, nothing), Unavailable)
  const other = queue.run(['a', 'other sender'], async () => 'a', nothing)
  set(null)
  assert.deepEqual(await Promise.all([...waiting, other]), ['a', 'b', 'a'])
})
