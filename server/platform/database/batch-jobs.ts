import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from './connect.ts'
import { repeat } from './repeat.ts'

/** Background jobs that are rows of a table and run in batches, each in a short transaction. Any process continues them. */

/** The pause while other transactions lock the remaining rows, in milliseconds. */
const retryAfter = 250
const every = 5000

/** Runs each job once in this process. Other processes skip a batch that is running. */
const running = new Set<string>()

/** Runs batch after batch until the job has ended, or another process runs it. */
export async function runBatches(id: string, batch: () => Promise<'more' | 'locked' | 'ended'>): Promise<void> {
  if (running.has(id)) return
  running.add(id)
  try {
    for (;;) {
      const started = performance.now()
      const next = await batch()
      if (next === 'ended') return
      // Pauses as long as the batch took, so that other work has half of the time.
      const rest = next === 'locked' ? retryAfter : Math.min(performance.now() - started, 500)
      await pause(rest, undefined, { ref: false })
    }
  } finally {
    running.delete(id)
  }
}

/** Continues jobs that another process, or this one before a restart, left unfinished: `runAll` finds and runs them. */
export const continueJobs = ({ watch }: Database, runAll: () => Promise<void>, onError: (error: unknown) => void) =>
  repeat(runAll, { every, first: 0, watch, onError })
