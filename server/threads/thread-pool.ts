import { Thread } from './thread.ts'

/** Too much waits already. */
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
  /** The most that may wait, in bytes; a single sender may take up half of it. */
  waitingBytes: number
}

/** Threads that are started when they are needed. Senders take turns, so that none waits for all tasks of another. */
export class ThreadPool {
  readonly #limits: Limits
  readonly #idle: Thread[]
  readonly #waiting = new Map<string, Task[]>()
  readonly #bytesOf = new Map<string, number>()
  #bytes = 0

  constructor(file: URL, limits: Limits) {
    this.#limits = limits
    this.#idle = Array.from({ length: limits.threads }, () => new Thread(file))
  }

  /** Throws PoolFull, and ThreadFailed where the task ran too long or ended its worker. */
  run(message: unknown, size: number, sender: string): Promise<unknown> {
    const own = (this.#bytesOf.get(sender) ?? 0) + size
    const isFull = this.#bytes + size > this.#limits.waitingBytes || own > this.#limits.waitingBytes / 2
    if (isFull && this.#idle.length === 0) return Promise.reject(new PoolFull())
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

  /** Stops the workers that have nothing to do. A later task starts them again. */
  stopIdle(): void {
    for (const thread of this.#idle) thread.close()
  }

  #startNext(): void {
    const [sender, tasks] = this.#waiting.entries().next().value ?? []
    if (sender === undefined || tasks === undefined) return
    const thread = this.#idle.pop()
    if (!thread) return
    const task = tasks.shift()!
    this.#waiting.delete(sender)
    // Behind the others, whose turn is next.
    if (tasks.length > 0) this.#waiting.set(sender, tasks)
    this.#bytes -= task.size
    const left = this.#bytesOf.get(sender)! - task.size
    if (left > 0) this.#bytesOf.set(sender, left)
    else this.#bytesOf.delete(sender)
    const answer = thread.call(task.message, this.#limits.ms)
    task.done(answer)
    const next = () => {
      this.#idle.push(thread)
      this.#startNext()
    }
    answer.then(next, next)
  }
}
