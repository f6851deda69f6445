import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from './connect.ts'
import { isAway, isBusy } from './errors.ts'
import { repeat } from './repeat.ts'

/** Background jobs that are rows of a table and run in batches, each in a short transaction. Any process continues them. */

/** The pause while other transactions lock the remaining rows, in milliseconds. */
const retryAfter = 250
const every = 5000

/** Runs each job once in this process, and whether it was asked for meanwhile. Other processes skip a batch that is running. */
const running = new Map<string, { isAskedFor: boolean }>()

/**
 * Runs batch after batch until the job has ended, or another process runs it. A call while it runs makes it look once more at the end:
 * what the call is about may have come after the last look.
 */
export async function runBatches(id: string, batch: () => Promise<'more' | 'locked' | 'ended'>): Promise<void> {
  const before = running.get(id)
  if (before) {
    before.isAskedFor = true
    return
  }
  const own = { isAskedFor: false }
  running.set(id, own)
  try {
    for (;;) {
      const started = performance.now()
      own.isAskedFor = false
      const next = await batch()
      if (next === 'ended' && own.isAskedFor) continue
      if (next === 'ended') return
      // Pauses as long as the batch took, so that other work has half of the time.
      const rest = next === 'locked' ? retryAfter : Math.min(performance.now() - started, 500)
      await pause(rest, undefined, { ref: false })
    }
  } finally {
    running.delete(id)
  }
}

interface Jobs<Job> {
  /** The next unfinished job. */
  next(): Promise<Job | null | undefined>
  batch(job: Job): Promise<'more' | 'ended'>
  /** Ends a job of which a batch failed. */
  stop(job: Job): Promise<void>
}

/** Runs one job after the other, until none is left. While rows are locked or the database is unavailable, a job is not stopped. */
export const runJobs = <Job>(id: string, { next, batch, stop }: Jobs<Job>): Promise<void> =>
  runBatches(id, async () => {
    const job = await next()
    if (!job) return 'ended'
    try {
      return await batch(job)
    } catch (error) {
      if (isBusy(error)) return 'locked'
      if (!isAway(error)) await stop(job)
      throw error
    }
  })

/** Continues jobs that another process, or this one before a restart, left unfinished: `runAll` finds and runs them. */
export const continueJobs = ({ watch }: Database, runAll: () => Promise<void>, onError: (error: unknown) => void) =>
  repeat(runAll, { every, first: 0, watch, onError })
