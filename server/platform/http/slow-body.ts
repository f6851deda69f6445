import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { msg } from '@lingui/core/runtime-macro'
import { HttpProblem } from './problem.ts'

/** Connections whose request may take longer than the time limit of the server. */
const patient = new WeakSet<Duplex>()

export const isReadingSlowBody = (socket: Duplex) => patient.has(socket)

/** The total time limit of a body, as a multiple of the longest pause. */
const maxPauses = 30

/**
 * Reads a large body of an authenticated caller in pieces. It may take long while bytes keep arriving, with pauses of up to
 * `longestPause` milliseconds.
 */
export async function* readSlowBody(payload: IncomingMessage, longestPause: number): AsyncGenerator<Buffer> {
  const late = Promise.withResolvers<never>()
  // Has a listener only while a piece is awaited.
  late.promise.catch(() => {})
  const reject = () => late.reject(new HttpProblem(408, 'INVALID_PARAM', tooSlow, { headers: { connection: 'close' } }))
  const pause = setTimeout(reject, longestPause)
  const whole = setTimeout(reject, maxPauses * longestPause)
  // Not destroyed if reading ends early: the answer uses the same connection.
  const pieces = payload.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  patient.add(payload.socket)
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
    patient.delete(payload.socket)
  }
}

const tooSlow = msg`The body took too long to arrive.`
