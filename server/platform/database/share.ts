import { FairQueue } from '../queue/fair-queue.ts'
import { Busy } from './errors.ts'

/** The share of a pool that one account may use. */
export const accountShare = (size: number) => Math.max(1, Math.min(size - 1, Math.ceil(size * 0.6)))

/**
 * Shares `size` connections between accounts, of which each uses at most `maxOfAccount`. The queue of a pool is unbounded and
 * in one line, so nothing may wait there. Work must need one connection at a time, and must not ask for another. Requests wait until
 * their timeout; the numbers only bound memory, and leave room for other accounts. Those of people count apart from the others.
 */
export const shareConnections = (size: number, maxOfAccount = accountShare(size)): FairQueue =>
  new FairQueue({
    running: size,
    runningOfKey: maxOfAccount,
    waiting: 4000,
    waitingOfKey: 1500,
    full: () => new Busy(),
  })
