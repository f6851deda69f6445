import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Outcome, openOutbox } from './outbox.ts'

test('a service that stops makes the first attempt of each message, and gives up those that failed before', async () => {
  const outbox = openOutbox({ running: 1, runningOfKey: 1, onError: assert.fail, retryAfter: [60_000] })
  const attempts: string[] = []
  const send = (to: string, outcome: Outcome) =>
    outbox.send({ accountId: 'a', to }, async () => {
      attempts.push(to)
      return outcome
    })
  const failing = send('failing', 'failed')
  const others = ['one', 'two', 'three'].map((to) => send(to, 'sent'))
  await outbox.stop()
  assert.deepEqual(await Promise.all([failing, ...others]), ['failed', 'sent', 'sent', 'sent'])
  assert.deepEqual(attempts, ['failing', 'one', 'two', 'three'])
  assert.equal(await send('late', 'sent'), 'failed')
})
