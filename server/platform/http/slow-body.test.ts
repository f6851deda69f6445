import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { isReadingSlowBody, readSlowBody } from './slow-body.ts'

test('a body that never ends is no longer waited for after thirty pauses', async () => {
  const socket = new PassThrough()
  const payload = Object.assign(new PassThrough(), { socket })
  const pause = 150
  const timer = setInterval(() => payload.write('a'), 10)
  let read = 0
  const reading = (async () => {
    for await (const _ of readSlowBody(payload as unknown as IncomingMessage, pause)) {
      assert.ok(isReadingSlowBody(socket))
      read++
    }
  })()
  await assert.rejects(reading, { status: 408 }).finally(() => clearInterval(timer))
  assert.ok(read > 30, `${read} parts were read`)
  assert.equal(isReadingSlowBody(socket), false)
})
