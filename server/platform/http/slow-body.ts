import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { msg } from '@lingui/core/runtime-macro'
import { HttpProblem } from './problem.ts'

/** Connections whose request may take longer than the time limit of the server. */
const slow = new WeakSet<Duplex>()

export const isReadingSlowBody = (socket: Duplex) => slow.has(socket)

/** The total time limit of a body, as a multiple of the longest pause. */
const maxPauses = 30

/** What arrives of a body at least in half of the longest pause, which is 10 seconds in the service. */
export const leastBytes = 16 * 1024

/**
 * Reads a large body of an authenticated caller in pieces. It may take long while enough bytes keep arriving, with pauses of up to
 * `maxPauseMs` milliseconds.
 */
export async function* readSlowBody(payload: IncomingMessage, maxPauseMs: number): AsyncGenerator<Buffer> {
  slow.add(payload.socket)
  try {
    yield* readInTime(payload, { maxPauseMs, maxMs: maxPauses * maxPauseMs })
  } finally {
    slow.delete(payload.socket)
  }
}

/**
 * Reads a body in pieces. Throws 408 after `maxMs`, after a pause of `maxPauseMs`, and if it arrives slower than `leastBytes` says, which
 * counts from `slowBytes` on.
 */
export async function* readInTime(
  payload: IncomingMessage,
  { maxPauseMs, maxMs, slowBytes = 0 }: { maxPauseMs: number; maxMs: number; slowBytes?: number },
): AsyncGenerator<Buffer> {
  const late = Promise.withResolvers<never>()
  // Has a listener only while a piece is awaited.
  late.promise.catch(() => {})
  const reject = () => late.reject(new HttpProblem(408, 'INVALID_PARAM', tooSlow, { headers: { connection: 'close' } }))
  const pause = setTimeout(reject, maxPauseMs)
  const whole = setTimeout(reject, maxMs)
  let [size, arrived, isAwaited] = [0, 0, false]
  // Not while what was read is worked on: then nothing is read from the connection.
  const speed = setInterval(() => {
    if (isAwaited && arrived < leastBytes && size >= slowBytes) reject()
    arrived = 0
  }, maxPauseMs / 2)
  // Not destroyed if reading ends early: the answer uses the same connection.
  const pieces = payload.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  try {
    for (;;) {
      isAwaited = true
      const { done, value } = await Promise.race([pieces.next(), late.promise])
      isAwaited = false
      if (done) return
      arrived += value.length
      size += value.length
      pause.refresh()
      yield value
    }
  } finally {
    clearTimeout(pause)
    clearTimeout(whole)
    clearInterval(speed)
  }
}

const tooSlow = msg`The body took too long to arrive.`
