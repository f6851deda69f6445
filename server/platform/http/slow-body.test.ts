import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { isReadingSlowBody, leastBytes, readInTime, readSlowBody } from './slow-body.ts'

test('a body that never ends is no longer waited for after thirty pauses', async () => {
  const socket = new PassThrough()
  const payload = Object.assign(new PassThrough(), { socket })
  const pause = 150
  const timer = setInterval(() => payload.write('a'.repeat(leastBytes)), 10)
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

/** Returns how many bytes were read of a body that ends with its last piece. */
async function read(pieces: number[], everyMs: number, slowBytes: number) {
  const payload = new PassThrough()
  const sending = (async () => {
    for (const length of pieces) {
      payload.write('a'.repeat(length))
      await setTimeout(everyMs)
    }
    payload.end()
  })()
  let size = 0
  try {
    const times = { maxPauseMs: 400, maxMs: 10_000, slowBytes }
    for await (const piece of readInTime(payload as unknown as IncomingMessage, times)) size += piece.length
  } finally {
    await sending
  }
  return size
}

test('a body that arrives slowly is no longer waited for, though it never pauses', async () => {
  const slow = Array.from({ length: 30 }, () => 100)
  await assert.rejects(read(slow, 50, 0), { status: 408 })
  await assert.rejects(read([leastBytes, ...slow], 50, leastBytes), { status: 408 })
  assert.equal(await read(slow, 50, leastBytes), 3000)
  assert.equal(
    await read(
      Array.from({ length: 15 }, () => leastBytes),
      50,
      0,
    ),
    15 * leastBytes,
  )
})
