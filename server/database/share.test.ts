import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { accountShare, Busy, shareConnections } from './share.ts'

const patient = 60_000
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Work that ends on demand, and records when it started. */
function bench(size: number) {
  const share = shareConnections(size)
  const running: { account: string; end: () => void }[] = []
  const started: string[] = []
  const ask = (account: string, patience = patient) =>
    share.run(account, patience, () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      started.push(account)
      const one = {
        account,
        end: () => {
          running.splice(running.indexOf(one), 1)
          resolve()
        },
      }
      running.push(one)
      return promise
    })
  return { share, running, started, ask }
}

for (const [size, most] of [
  [1, 1],
  [2, 1],
  [3, 2],
  [4, 3],
  [6, 4],
  [10, 6],
] as const) {
  test(`of ${size} connections, an account holds ${most}`, () => assert.equal(accountShare(size), most))
}

test('an account that asks for everything leaves connections for another', async () => {
  const { share, running, ask } = bench(5)
  const asked = Array.from({ length: 20 }, () => ask('a'))
  await settled()
  assert.equal(running.length, 3)
  asked.push(ask('b'))
  await settled()
  assert.deepEqual(
    running.map(({ account }) => account),
    ['a', 'a', 'a', 'b'],
  )
  assert.deepEqual(share.figures, { size: 5, in_use: 4, waiting: 17, rejected: 0 })
  while (running.length > 0) {
    running[0]!.end()
    await settled()
  }
  await Promise.all(asked)
  assert.deepEqual(share.figures, { size: 5, in_use: 0, waiting: 0, rejected: 0 })
})

test('in any order of requests and releases limits hold, no connection idles that an account may have, and accounts take turns', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(7)), { maxLength: 120 }),
      async (size, steps) => {
        const { share, running, started, ask } = bench(size)
        const most = accountShare(size)
        const asked: Promise<void>[] = []
        const waiting = new Map<string, number>()
        const heldBy = (account: string) => running.filter((one) => one.account === account).length
        // How often others were served since an account began to wait while it held less than its share.
        const passedOver = new Map<string, number>()
        let seen = 0
        const check = async () => {
          await settled()
          for (; seen < started.length; seen++) {
            const account = started[seen]!
            waiting.set(account, waiting.get(account)! - 1)
            passedOver.set(account, 0)
            for (const [other, n] of waiting)
              if (other !== account && n > 0 && heldBy(other) < most)
                passedOver.set(other, (passedOver.get(other) ?? 0) + 1)
          }
          assert.ok(running.length <= size)
          for (const account of waiting.keys()) assert.ok(heldBy(account) <= most)
          for (const [account, n] of waiting) {
            if (n > 0) assert.ok(running.length === size || heldBy(account) === most, 'a connection idles')
            assert.ok((passedOver.get(account) ?? 0) <= 4, 'an account was passed over')
          }
          assert.equal(share.figures.in_use, running.length)
          assert.equal(
            share.figures.waiting,
            [...waiting.values()].reduce((sum, n) => sum + n, 0),
          )
        }
        for (const step of steps) {
          if (typeof step === 'string') {
            waiting.set(step, (waiting.get(step) ?? 0) + 1)
            asked.push(ask(step))
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

test('waiting is limited in time and in number, and failed work returns its connection', async () => {
  const { share, running, ask } = bench(1)
  const first = ask('a')
  await assert.rejects(ask('b', 5), Busy)
  assert.deepEqual(share.figures, { size: 1, in_use: 1, waiting: 0, rejected: 1 })
  const waiting = Array.from({ length: 200 }, () => ask('a'))
  await assert.rejects(ask('a'), Busy)
  const other = ask('b')
  await settled()
  assert.equal(share.figures.waiting, 201)
  const rejected = Promise.allSettled([...waiting, other])
  const error = new Error('the database is unavailable')
  share.rejectWaiting(error)
  assert.ok((await rejected).every((one) => one.status === 'rejected' && one.reason === error))
  running[0]!.end()
  await first
  await assert.rejects(
    share.run('a', 5, () => Promise.reject(new Error('it failed'))),
    /it failed/,
  )
  assert.equal(share.figures.in_use, 0)
})
