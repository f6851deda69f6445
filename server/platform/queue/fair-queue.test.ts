import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FairQueue } from './fair-queue.ts'

class Full extends Error {}
const full = () => new Full()
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Tasks that end on demand, and a record of those that started. */
function tasks() {
  const running: { key: string; end: () => void }[] = []
  const started: string[] = []
  const ask = (queue: FairQueue, key: string, limits = {}, name = key) => {
    const work = () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      started.push(name)
      const one = {
        key,
        end: () => {
          running.splice(running.indexOf(one), 1)
          resolve()
        },
      }
      running.push(one)
      return promise
    }
    return queue.run(key, work, limits)
  }
  const endAll = async () => {
    for (await settled(); running.length > 0; await settled()) running[0]!.end()
  }
  return { running, started, ask, endAll }
}

test('in any order of tasks and ends limits hold, no place idles that a key may have, keys take turns, and the tasks of a key start in their order', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(7)), { maxLength: 120, size: 'max' }),
      async (places, maxOfKey, steps) => {
        const queue = new FairQueue({ running: places, runningOfKey: maxOfKey })
        const { running, started, ask } = tasks()
        const asked: Promise<void>[] = []
        const waiting = new Map<string, string[]>()
        const runningOf = (key: string) => running.filter((one) => one.key === key).length
        // How often others were served since a key began to wait while it might have run more.
        const passedOver = new Map<string, number>()
        let seen = 0
        const check = async () => {
          await settled()
          for (; seen < started.length; seen++) {
            const key = started[seen]![0]!
            assert.equal(waiting.get(key)!.shift(), started[seen])
            passedOver.set(key, 0)
            for (const [other, { length }] of waiting)
              if (other !== key && length > 0 && runningOf(other) < maxOfKey)
                passedOver.set(other, (passedOver.get(other) ?? 0) + 1)
          }
          assert.ok(running.length <= places)
          for (const [key, { length }] of waiting) {
            assert.ok(runningOf(key) <= maxOfKey)
            if (length > 0) assert.ok(running.length === places || runningOf(key) === maxOfKey, 'a place idles')
            assert.ok((passedOver.get(key) ?? 0) <= 4, 'a key was passed over')
          }
          assert.equal(queue.figures.running, running.length)
          assert.equal(queue.figures.waiting, [...waiting.values()].flat().length)
        }
        for (const step of steps) {
          if (typeof step === 'string') {
            const name = `${step}${asked.length}`
            waiting.set(step, [...(waiting.get(step) ?? []), name])
            asked.push(ask(queue, step, {}, name))
          } else running[step % Math.max(1, running.length)]?.end()
          await check()
        }
        while (running.length > 0) {
          running[0]!.end()
          await check()
        }
        await Promise.all(asked)
        assert.equal(started.length, asked.length)
      },
    ),
  ))

test('waiting is limited by size, in all and of each key, and a task that can start always fits', async () => {
  const queue = new FairQueue({ running: 1, waiting: 100, waitingOfKey: 50, full })
  const { ask, endAll } = tasks()
  const fitting = [ask(queue, 'a', { size: 1000 }), ask(queue, 'a', { size: 30 }), ask(queue, 'a', { size: 20 })]
  await assert.rejects(ask(queue, 'a', { size: 1 }), Full)
  await assert.rejects(ask(queue, 'b', { size: 51 }), Full)
  fitting.push(ask(queue, 'b', { size: 50 }))
  await assert.rejects(ask(queue, 'c', { size: 1 }), Full)
  assert.deepEqual(queue.figures, { max: 1, running: 1, waiting: 100, rejected: 3 })
  await endAll()
  await Promise.all(fitting)
  assert.deepEqual(queue.figures, { max: 1, running: 0, waiting: 0, rejected: 3 })
})

test('of one key, first tasks start before the others, and other keys get their turns', async () => {
  const queue = new FairQueue({ running: 1, full })
  const { started, ask, endAll } = tasks()
  const all = ['a1', 'a2'].map((name) => ask(queue, 'a', {}, name))
  all.push(ask(queue, 'b', {}, 'b1'))
  for (const name of ['person1', 'person2']) all.push(ask(queue, 'a', { first: true }, name))
  await endAll()
  await Promise.all(all)
  assert.deepEqual(started, ['a1', 'person1', 'b1', 'person2', 'a2'])
})

test('first tasks wait although others fill the queue, and have the same limits', async () => {
  const queue = new FairQueue({ running: 1, waiting: 3, waitingOfKey: 2, full })
  const { started, ask, endAll } = tasks()
  const all = ['a', 'a', 'a', 'b'].map((key) => ask(queue, key))
  await assert.rejects(ask(queue, 'b'), Full)
  for (const name of ['A1', 'A2']) all.push(ask(queue, 'a', { first: true }, name))
  await assert.rejects(ask(queue, 'a', { first: true }), Full)
  all.push(ask(queue, 'b', { first: true }, 'B'))
  await assert.rejects(ask(queue, 'b', { first: true }), Full)
  assert.deepEqual(queue.figures, { max: 1, running: 1, waiting: 6, rejected: 3 })
  await endAll()
  await Promise.all(all)
  assert.deepEqual(started, ['a', 'A1', 'B', 'A2', 'b', 'a', 'a'])
})

test('a task waits until its timeout, and the others keep their order', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const queue = new FairQueue({ running: 1, full })
  const { started, ask, endAll } = tasks()
  const all = ['a', 'b', 'c'].map((key) => ask(queue, key))
  const late = ask(queue, 'b', { timeoutMs: 5 }, 'late')
  all.push(ask(queue, 'b', { timeoutMs: 6 }))
  t.mock.timers.tick(5)
  await assert.rejects(late, Full)
  assert.deepEqual(queue.figures, { max: 1, running: 1, waiting: 3, rejected: 1 })
  await endAll()
  await Promise.all(all)
  t.mock.timers.tick(1)
  assert.equal(started.join(''), 'abcb')
  assert.deepEqual(queue.figures, { max: 1, running: 0, waiting: 0, rejected: 1 })
})

test('all that waits can be rejected, which makes room for later tasks', async () => {
  const queue = new FairQueue({ running: 1, waiting: 3, waitingOfKey: 2, full })
  const { started, ask, endAll } = tasks()
  const all = [ask(queue, 'a')]
  const waiting = ['a', 'a', 'b'].map((key) => ask(queue, key, { timeoutMs: 60_000 }))
  const error = new Error('the database is unavailable')
  queue.rejectWaiting(error)
  for (const one of waiting) await assert.rejects(one, error)
  assert.deepEqual(queue.figures, { max: 1, running: 1, waiting: 0, rejected: 3 })
  for (const key of ['a', 'a', 'b']) all.push(ask(queue, key))
  await endAll()
  await Promise.all(all)
  assert.equal(started.join(''), 'aaba')
})

test('failed work frees its place', async () => {
  const queue = new FairQueue({ running: 1 })
  const fail = () => {
    throw new Error('it failed')
  }
  await assert.rejects(queue.run('a', fail), /it failed/)
  await assert.rejects(
    queue.run('a', async () => fail()),
    /it failed/,
  )
  assert.equal(await queue.run('a', async () => 'done'), 'done')
  assert.equal(queue.figures.running, 0)
})

test('a queue after another starts what the other leaves, and has limits of its own', async () => {
  const limits = { running: 1, waiting: 3, full }
  const first = new FairQueue(limits)
  const last = new FairQueue(limits, first)
  const { started, ask, endAll } = tasks()
  const all = [ask(last, 'a')]
  for (const key of ['b', 'b', 'c']) all.push(ask(last, key))
  await assert.rejects(ask(last, 'd'), Full)
  for (const key of ['E', 'E', 'F']) all.push(ask(first, key))
  await endAll()
  await Promise.all(all)
  assert.equal(started.join(''), 'aEFEbcb')
})
