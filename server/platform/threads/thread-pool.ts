import { FairQueue } from '../queue/fair-queue.ts'
import { Thread } from './thread.ts'

/** The queue is full, or the task waited too long. */
export class PoolFull extends Error {}

interface Limits {
  threads: number
  /** For each task. */
  ms: number
  /** The limit of the queue in bytes. One sender may use half of it. */
  waitingBytes: number
}

/**
 * A pool of threads, started on demand. Senders share them fairly, and one sender never uses all threads: it would take
 * every core from the event loop.
 */
export class ThreadPool {
  readonly #ms: number
  readonly #idle: Thread[]
  readonly #queue: FairQueue

  constructor(file: URL, { threads, ms, waitingBytes }: Limits) {
    this.#ms = ms
    this.#idle = Array.from({ length: threads }, () => new Thread(file))
    this.#queue = new FairQueue({
      running: threads,
      runningOfKey: Math.max(1, threads - 1),
      waiting: waitingBytes,
      waitingOfKey: waitingBytes / 2,
      full: () => new PoolFull(),
    })
  }

  /**
   * Throws PoolFull, or ThreadFailed if the task ran too long or ended its worker. `waitMs`: how long it waits for a thread. A `first` task
   * starts before others of its sender.
   */
  run(
    message: unknown,
    size: number,
    sender: string,
    { waitMs, first = false }: { waitMs?: number; first?: boolean } = {},
  ): Promise<unknown> {
    const work = () => {
      const thread = this.#idle.pop()!
      return thread.call(message, this.#ms).finally(() => this.#idle.push(thread))
    }
    return this.#queue.run(sender, work, { size, first, ...(waitMs !== undefined && { timeoutMs: waitMs }) })
  }

  /** Stops idle workers. A later task starts them again. */
  stopIdle(): void {
    for (const thread of this.#idle) thread.close()
  }
}
