import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Busy } from './errors.ts'
import { accountShare, shareConnections } from './share.ts'

for (const [size, max] of [
  [1, 1],
  [2, 1],
  [3, 2],
  [4, 3],
  [6, 4],
  [10, 6],
] as const) {
  test(`of ${size} connections, an account holds ${max}`, () => assert.equal(accountShare(size), max))
}

test('an account that asks for everything leaves connections for another', async () => {
  const share = shareConnections(5)
  const work = Promise.withResolvers<void>()
  const running: string[] = []
  const ask = (account: string) =>
    share.run(account, () => {
      running.push(account)
      return work.promise
    })
  const asked = Array.from({ length: 20 }, () => ask('a'))
  asked.push(ask('b'))
  await Promise.resolve()
  assert.deepEqual(running, ['a', 'a', 'a', 'b'])
  assert.deepEqual(share.figures, { max: 5, running: 4, waiting: 17, rejected: 0 })
  work.resolve()
  await Promise.all(asked)
  assert.deepEqual(share.figures, { max: 5, running: 0, waiting: 0, rejected: 0 })
})

test('1500 requests of an account wait and 4000 in all, until their timeout; the others are Busy', async () => {
  const share = shareConnections(1)
  const work = Promise.withResolvers<void>()
  const ask = (account: string, timeoutMs?: number) => share.run(account, () => work.promise, { timeoutMs })
  const asked = [ask('0')]
  await assert.rejects(ask('1', 5), Busy)
  assert.deepEqual(share.figures, { max: 1, running: 1, waiting: 0, rejected: 1 })
  for (const account of ['0', '1']) {
    for (let n = 0; n < 1500; n++) asked.push(ask(account))
    await assert.rejects(ask(account), Busy)
  }
  for (let n = 0; n < 1000; n++) asked.push(ask('2'))
  await assert.rejects(ask('another'), Busy)
  assert.deepEqual(share.figures, { max: 1, running: 1, waiting: 4000, rejected: 4 })
  work.resolve()
  await Promise.all(asked)
})
