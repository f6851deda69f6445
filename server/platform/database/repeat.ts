import { setTimeout as pause } from 'node:timers/promises'
import { isAway } from './errors.ts'

interface Options {
  /** Milliseconds from the end of a run to the next one, a tenth more or less: several services should not do it at the same moment. */
  every: number
  /** Milliseconds before the first run, if not `every`. */
  first?: number
  /** Milliseconds after a run that failed, if not `every`. */
  retryAfter?: number
  /** Nothing runs while it says that the database is away. */
  watch?: { readonly away: boolean } | null
  onError(error: unknown): void
}

/** Repeats background work until it is stopped. An error is reported, unless it says that the database is away. */
export function repeat(
  work: (signal: AbortSignal) => Promise<unknown>,
  { every, first = every, retryAfter = every, watch, onError }: Options,
) {
  const stopping = new AbortController()
  const { signal } = stopping
  const wait = (ms: number) =>
    pause(ms * (0.9 + 0.2 * Math.random()), undefined, { ref: false, signal }).catch(() => {})

  async function run() {
    for (let next = first; ; ) {
      if (next > 0) await wait(next)
      if (signal.aborted) return
      next = every
      if (watch?.away) continue
      try {
        await work(signal)
      } catch (error) {
        next = retryAfter
        if (!isAway(error)) onError(error)
      }
    }
  }
  const running = run()
  return {
    /** Waits for the end of the current run. */
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
