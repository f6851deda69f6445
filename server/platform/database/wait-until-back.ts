import { FairQueue } from '../queue/fair-queue.ts'
import type { Database } from './connect.ts'
import { isAway, Unavailable } from './errors.ts'

interface Waiting {
  /** How much work may wait at the same time. */
  maxWaiting: number
  /** How much of one key, such as a URL or a sender, may wait. */
  maxOfKey: number
  /** How long each waits, in milliseconds. */
  timeoutMs: number
}

/** Work that survives a short absence of the database. */
export interface WaitingWork {
  /**
   * Runs `work`, and runs it again when the database is back if it was lost meanwhile. A commit whose answer was lost may
   * have succeeded, so a second run of `work` must find what the first one saved. Each of the `keys` counts. `meanwhile` runs once before the first
   * wait. Throws the error of the last run if there is no place to wait, or when the time is over.
   */
  run<T>(keys: readonly string[], work: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T>
  /** How much work is waiting now. */
  readonly waiting: number
  /** Lets nothing wait longer than `ms` from now: the service stops. */
  shortenWaits(ms: number): void
}

/** More would ask for a connection at the same moment. */
const maxReturning = 50

export function waitUntilBack(
  { watch }: Pick<Database, 'watch'>,
  { maxWaiting, maxOfKey, timeoutMs }: Waiting,
): WaitingWork {
  const pauses = new Set<() => void>()
  const returning = new FairQueue({ running: maxReturning })
  let waiting = 0
  const waitingOf = new Map<string, number>()
  const count = (keys: readonly string[], more: number) => {
    waiting += more
    for (const key of keys) {
      const own = (waitingOf.get(key) ?? 0) + more
      if (own > 0) waitingOf.set(key, own)
      else waitingOf.delete(key)
    }
  }
  const isFull = (keys: readonly string[]) =>
    waiting >= maxWaiting || keys.some((key) => (waitingOf.get(key) ?? 0) >= maxOfKey)
  let latest = Number.POSITIVE_INFINITY
  watch?.onAway((away) => {
    if (away === null) endPauses()
  })
  const endPauses = () => {
    for (const end of pauses) end()
  }

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    if (watch?.away) throw new Unavailable()
    return work()
  }

  /** Waits until the database is back, at most until `end`. While it is only suspected to be away, for `ms`. */
  async function pause(end: number, ms: number) {
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const maxMs = Math.max(0, end - performance.now())
    const timer = setTimeout(resolve, watch?.away ? maxMs : Math.min(ms, maxMs))
    pauses.add(resolve)
    await ended
    pauses.delete(resolve)
    clearTimeout(timer)
  }

  return {
    async run(keys, work, meanwhile) {
      let until: number | null = null
      try {
        for (let ms = 50; ; ms = Math.min(ms * 2, 1000)) {
          try {
            return await (until === null ? attempt(work) : returning.run(keys[0]!, () => attempt(work)))
          } catch (error) {
            if (!isAway(error)) throw error
            if (until === null) {
              if (isFull(keys)) throw error
              count(keys, 1)
              until = performance.now() + timeoutMs
              await meanwhile()
            }
            const end = Math.min(until, latest)
            if (performance.now() >= end) throw error
            await pause(end, ms)
          }
        }
      } finally {
        if (until !== null) count(keys, -1)
      }
    },
    get waiting() {
      return waiting
    },
    shortenWaits(ms) {
      latest = performance.now() + ms
      setTimeout(endPauses, ms).unref()
    },
  }
}
