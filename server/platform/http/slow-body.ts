import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { msg } from '@lingui/core/runtime-macro'
import { HttpProblem } from './problem.ts'

/** Connections whose request may take longer than the time limit of the server. */
const slow = new WeakSet<Duplex>()

export const isReadingSlowBody = (socket: Duplex) => slow.has(socket)

/** The total time limit of a body, as a multiple of the longest pause. */
const maxPauses = 30

/**
 * Reads a large body of an authenticated caller in pieces. It may take long while bytes keep arriving, with pauses of up to
 * `maxPauseMs` milliseconds.
 */
export async function* readSlowBody(payload: IncomingMessage, maxPauseMs: number): AsyncGenerator<Buffer> {
  const late = Promise.withResolvers<never>()
  // Has a listener only while a piece is awaited.
  late.promise.catch(() => {})
  const reject = () => late.reject(new HttpProblem(408, 'INVALID_PARAM', tooSlow, { headers: { connection: 'close' } }))
  const pause = setTimeout(reject, maxPauseMs)
  const whole = setTimeout(reject, maxPauses * maxPauseMs)
  // Not destroyed if reading ends early: the answer uses the same connection.
  const pieces = payload.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  slow.add(payload.socket)
  try {
    for (;;) {
      const { done, value } = await Promise.race([pieces.next(), late.promise])
      if (done) return
      pause.refresh()
      yield value
    }
  } finally {
    clearTimeout(pause)
    clearTimeout(whole)
    slow.delete(payload.socket)
  }
}

const tooSlow = msg`The body took too long to arrive.`
