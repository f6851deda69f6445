import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { HttpProblem } from './problem.ts'

/** Connections of a request that may take longer to arrive than the server gives any other. */
const patient = new WeakSet<Duplex>()

export const isPatient = (socket: Duplex) => patient.has(socket)

/** A body may take so many times as long as it may pause. */
const mostPauses = 30

/**
 * The pieces of a body that is large, for known users: it may take its time as long as bytes keep coming, and
 * `longestPause` milliseconds, which others have for all of it, without any.
 */
export async function* readPatiently(payload: IncomingMessage, longestPause: number): AsyncGenerator<Buffer> {
  const late = Promise.withResolvers<never>()
  // Heard only where a piece is waited for.
  late.promise.catch(() => {})
  const reject = () => late.reject(new HttpProblem(408, 'INVALID_PARAM', tooSlow, undefined, { connection: 'close' }))
  const pause = setTimeout(reject, longestPause)
  const whole = setTimeout(reject, mostPauses * longestPause)
  // Not destroyed where reading ends early: the answer goes out on the same connection.
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

const tooSlow = 'The body took too long to arrive.'
