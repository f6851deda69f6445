import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ThreadFailed } from './thread.ts'
import { PoolFull, ThreadPool } from './thread-pool.ts'

const worker = new URL('./test-worker.ts', import.meta.url)
const pool = new ThreadPool(worker, { threads: 1, ms: 1000, waitingBytes: 100 })
after(() => pool.stopIdle())
const run = (message: unknown, size = 1, sender = 'a') => pool.run(message, size, sender)

test('a message is answered, and an error is thrown', async () => {
  assert.deepEqual(await run({ echo: { list: [1, 'two'] } }), { list: [1, 'two'] })
  await assert.rejects(run({ fail: 'broken' }), /broken/)
  assert.equal(await run({ echo: 3 }), 3)
})

test('what takes too long or ends its worker fails alone, and the next has a new worker', async () => {
  for (const message of [{ spin: true }, { exit: true }]) {
    const [failed, next] = await Promise.allSettled([run(message), run({ echo: 'next' })])
    assert.ok(failed.status === 'rejected' && failed.reason instanceof ThreadFailed, JSON.stringify(message))
    assert.ok(next.status === 'fulfilled' && next.value === 'next')
  }
})

test('a task that uses up the memory of its worker fails alone, and the next has a new worker', async () => {
  const pool = new ThreadPool(worker, { threads: 1, ms: 60_000, waitingBytes: 100 })
  const [failed, next] = await Promise.allSettled([
    pool.run({ hoard: true }, 1, 'a'),
    pool.run({ echo: 'next' }, 1, 'a'),
  ])
  pool.stopIdle()
  assert.ok(failed.status === 'rejected' && failed.reason instanceof ThreadFailed)
  assert.match(failed.reason.message, /memory/)
  assert.ok(next.status === 'fulfilled' && next.value === 'next')
})

test('senders take turns', async () => {
  const order: string[] = []
  const tasks = ['a', 'a', 'a', 'a', 'b', 'c'].map((sender) =>
    run({ echo: sender }, 1, sender).then((answer) => order.push(answer as string)),
  )
  await Promise.all(tasks)
  assert.equal(order.join(''), 'aabcaa')
})

test('one thread is left to the other senders', async () => {
  const two = new ThreadPool(worker, { threads: 2, ms: 3000, waitingBytes: 100 })
  const order: string[] = []
  const tasks = [
    two.run({ spin: true }, 1, 'a').catch(() => order.push('a spun')),
    two.run({ echo: 'a' }, 1, 'a').then(() => order.push('a')),
    two.run({ echo: 'b' }, 1, 'b').then(() => order.push('b')),
  ]
  await Promise.all(tasks)
  two.stopIdle()
  assert.deepEqual(order, ['b', 'a spun', 'a'])
})

test('what waits is limited, and one sender has no more than half of it', async () => {
  const first = run({ echo: 1 })
  const waits = [run({ echo: 2 }, 50), run({ echo: 3 }, 50, 'b')]
  await assert.rejects(run({ echo: 4 }, 1), PoolFull)
  await assert.rejects(run({ echo: 5 }, 1, 'c'), PoolFull)
  assert.deepEqual(await Promise.all([first, ...waits]), [1, 2, 3])
  assert.equal(await run({ echo: 6 }, 1000), 6)
})

test('a task that waits too long is rejected without running, and a first one runs before others of its sender', async () => {
  const pool = new ThreadPool(worker, { threads: 1, ms: 1500, waitingBytes: 100 })
  const order: string[] = []
  const running = pool.run({ spin: true }, 1, 'a').catch(() => order.push('spun'))
  const late = pool.run({ echo: 1 }, 1, 'a', { waitMs: 50 })
  const patient = pool.run({ echo: 2 }, 1, 'a', { waitMs: 30_000 }).then(() => order.push('patient'))
  const first = pool.run({ echo: 3 }, 1, 'a', { waitMs: 30_000, first: true }).then(() => order.push('first'))
  await assert.rejects(late, PoolFull)
  assert.deepEqual(order, [])
  await Promise.all([running, patient, first])
  pool.stopIdle()
  assert.deepEqual(order, ['spun', 'first', 'patient'])
})
