import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as sleep, setImmediate as untilClosed } from 'node:timers/promises'
import { until } from '#test/until.ts'
import type { Sql } from '../database/sql.ts'
import { HttpProblem } from '../http/problem.ts'
import { Streams } from './streams.ts'

/** How many of 10 places each account has, after the accounts opened one stream each in this order. */
for (const [order, expected] of [
  ['a'.repeat(12), { a: 8 }],
  [`${'a'.repeat(8)}${'b'.repeat(8)}`, { a: 5, b: 5 }],
  [`${'a'.repeat(8)}${'b'.repeat(8)}c`, { a: 4, b: 5, c: 1 }],
  [`${'a'.repeat(8)}${'b'.repeat(8)}${'a'.repeat(8)}`, { a: 5, b: 5 }],
  ['aaaaaaaabbcdefghijkl', { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: 1 }],
] as const)
  test(`accounts share the streams of a process: ${order}`, async () => {
    const streams = new Streams(null as unknown as Sql, (error) => assert.ifError(error), {
      ofSession: 100,
      ofAccount: 8,
      inAll: 10,
    })
    const open: Record<string, number> = {}
    for (const account_id of order) {
      const owner = { account_id, user_id: 'user', session_id: 'session' }
      try {
        streams.check(owner)
      } catch (error) {
        assert.ok(error instanceof HttpProblem && error.status === 503, String(error))
        continue
      }
      await untilClosed()
      const response = new PassThrough()
      streams.add(owner, response as unknown as ServerResponse, 0)
      open[account_id] = (open[account_id] ?? 0) + 1
      response.once('close', () => open[account_id]!--)
    }
    assert.deepEqual(open, expected)
    streams.close()
  })

test('an event names the page that alone made the changes since the one before', async () => {
  const streams = new Streams((async () => []) as unknown as Sql, (error) => assert.ifError(error))
  const response = new PassThrough()
  const sent: string[] = []
  response.on('data', (bytes: Buffer) => sent.push(...(String(bytes).match(/(?<=event: changed\ndata: ).*/g) ?? [])))
  streams.add({ account_id: 'a', user_id: 'asha', session_id: 's' }, response as unknown as ServerResponse, 0)
  for (const [changes, expected] of [
    [['page1'], '4 page1'],
    [['page1', 'page1'], '4 page1'],
    [['page1', 'page2'], '4'],
    [[null], '4'],
    [['page1', null], '4'],
    [['page2'], '4 page2'],
  ] as const) {
    const before = sent.length
    for (const pageId of changes) streams.changed('a', pageId)
    await until(() => sent.length > before, 'an event')
    assert.equal(sent.at(-1), expected, String(changes))
  }
  streams.close()
})

test('a client that reads slowly gets one event of each kind and page, and misses none', async () => {
  const streams = new Streams((async () => []) as unknown as Sql, (error) => assert.ifError(error))
  const response = new PassThrough({ highWaterMark: 1 })
  streams.add({ account_id: 'a', user_id: 'asha', session_id: 's' }, response as unknown as ServerResponse, 0)
  for (const pageId of ['page1', 'page1', 'page2', 'page1']) {
    streams.ringing('a', 'asha')
    streams.changed('a', pageId)
    await sleep(300)
  }
  streams.close()
  const text = (await response.toArray()).join('')
  assert.deepEqual(text.match(/(?<=event: |data: 4).*/g), ['alive', 'ringing', 'changed', ' page1', 'changed', ''])
})
