import { Thread } from './thread.ts'

/** The queue is full. */
export class PoolFull extends Error {}

interface Task {
  message: unknown
  size: number
  done(answer: Promise<unknown>): void
}

interface Limits {
  threads: number
  /** For each task. */
  ms: number
  /** The limit of the queue in bytes. One sender may use half of it. */
  waitingBytes: number
}

/**
 * A pool of threads, started on demand. Tasks of senders run by round robin, so that no sender waits for all tasks of
 * another, and one sender never uses all threads: it would take every core from the event loop.
 */
export class ThreadPool {
  readonly #limits: Limits
  readonly #idle: Thread[]
  readonly #waiting = new Map<string, Task[]>()
  readonly #bytesOf = new Map<string, number>()
  readonly #threadsOf = new Map<string, number>()
  readonly #mostOfSender: number
  #bytes = 0

  constructor(file: URL, limits: Limits) {
    this.#limits = limits
    this.#mostOfSender = Math.max(1, limits.threads - 1)
    this.#idle = Array.from({ length: limits.threads }, () => new Thread(file))
  }

  /** Throws PoolFull, or ThreadFailed if the task ran too long or ended its worker. */
  run(message: unknown, size: number, sender: string): Promise<unknown> {
    const own = (this.#bytesOf.get(sender) ?? 0) + size
    const isFull = this.#bytes + size > this.#limits.waitingBytes || own > this.#limits.waitingBytes / 2
    if (isFull && !(this.#idle.length > 0 && this.#mayStart(sender))) return Promise.reject(new PoolFull())
    this.#bytes += size
    this.#bytesOf.set(sender, own)
    return new Promise((resolve) => {
      const tasks = this.#waiting.get(sender)
      const task = { message, size, done: resolve }
      if (tasks) tasks.push(task)
      else this.#waiting.set(sender, [task])
      this.#startNext()
    })
  }

  /** Stops idle workers. A later task starts them again. */
  stopIdle(): void {
    for (const thread of this.#idle) thread.close()
  }

  #mayStart(sender: string): boolean {
    return (this.#threadsOf.get(sender) ?? 0) < this.#mostOfSender
  }

  #startNext(): void {
    const [sender, tasks] = this.#waiting.entries().find(([sender]) => this.#mayStart(sender)) ?? []
    if (sender === undefined || tasks === undefined) return
    const thread = this.#idle.pop()
    if (!thread) return
    const task = tasks.shift()!
    this.#waiting.delete(sender)
    // Moves the sender to the end of the round robin.
    if (tasks.length > 0) this.#waiting.set(sender, tasks)
    this.#bytes -= task.size
    const left = this.#bytesOf.get(sender)! - task.size
    if (left > 0) this.#bytesOf.set(sender, left)
    else this.#bytesOf.delete(sender)
    this.#holdThreads(sender, 1)
    const answer = thread.call(task.message, this.#limits.ms)
    task.done(answer)
    const next = () => {
      this.#holdThreads(sender, -1)
      this.#idle.push(thread)
      this.#startNext()
    }
    answer.then(next, next)
  }

  #holdThreads(sender: string, change: number): void {
    const held = (this.#threadsOf.get(sender) ?? 0) + change
    if (held > 0) this.#threadsOf.set(sender, held)
    else this.#threadsOf.delete(sender)
  }
}
