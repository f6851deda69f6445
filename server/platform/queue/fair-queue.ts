interface Limits {
  /** How many tasks run at once, in all and of each key. */
  running: number
  runningOfKey?: number
  /** The size of the tasks that may wait, in all and of each key; as much again of `first` ones. A task that can start at once always fits. */
  waiting?: number
  waitingOfKey?: number
  /** The error of a task that does not fit, or waited too long. */
  full?: () => Error
}

interface Task {
  /** In any unit. Without it, `waiting` limits the number of tasks. */
  size?: number
  /** How long it waits at most, in milliseconds. */
  timeoutMs?: number
  /** Whether it starts before other tasks of its key, and waits even if these fill the queue. */
  first?: boolean
}

interface Key {
  name: string
  running: number
  /** The tasks that start before the others. */
  first: Line
  others: Line
}

/** Tasks that wait. */
interface Line {
  size: number
  /** Each starts the task, or rejects it with the error; the oldest first. */
  tasks: Set<(error?: Error) => void>
}

const emptyLine = (): Line => ({ size: 0, tasks: new Set() })
const isIdle = ({ first, others }: Key) => first.tasks.size + others.tasks.size === 0

/**
 * Runs tasks of keys such as accounts or senders by round robin, and those of one key in their order, `first` ones before, so that no key
 * waits for all tasks of another.
 */
export class FairQueue {
  readonly #limits: Required<Limits>
  /** The keys with tasks that run or wait. */
  readonly #keys = new Map<string, Key>()
  /** The keys with tasks that wait, in the order of the round robin. */
  readonly #waitingKeys = new Set<Key>()
  readonly #shared: { running: number; queues: FairQueue[] }
  /** The size of the tasks that wait. */
  readonly #waiting = { first: 0, others: 0 }
  #rejected = 0

  /** With `before`, both queues count running tasks together, and waiting tasks of `before` start first. */
  constructor(limits: Limits, before?: FairQueue) {
    this.#limits = {
      runningOfKey: limits.running,
      waiting: Number.POSITIVE_INFINITY,
      waitingOfKey: Number.POSITIVE_INFINITY,
      full: () => new Error('the queue is full'),
      ...limits,
    }
    this.#shared = before ? before.#shared : { running: 0, queues: [] }
    this.#shared.queues.push(this)
  }

  /** Runs `work` when the key has its turn. Throws the error of `full` if it has none. */
  async run<T>(name: string, work: () => PromiseLike<T>, { size = 1, ...task }: Task = {}): Promise<T> {
    const key = this.#keys.get(name) ?? { name, running: 0, first: emptyLine(), others: emptyLine() }
    await (this.#mayStart(key) ? this.#start(key) : this.#wait(key, size, task))
    try {
      return await work()
    } finally {
      key.running--
      this.#shared.running--
      this.#drop(key)
      // An ended task lets at most one other start.
      this.#shared.queues.some((queue) => queue.#startNext())
    }
  }

  rejectWaiting(error: Error): void {
    for (const { first, others } of this.#waitingKeys)
      for (const reject of [...first.tasks, ...others.tasks]) reject(error)
  }

  /** `waiting` is a size. */
  get figures() {
    const { running: max } = this.#limits
    const { first, others } = this.#waiting
    return { max, running: this.#shared.running, waiting: first + others, rejected: this.#rejected }
  }

  #mayStart(key: Key): boolean {
    return this.#shared.running < this.#limits.running && key.running < this.#limits.runningOfKey
  }

  #start(key: Key): void {
    this.#keys.set(key.name, key)
    key.running++
    this.#shared.running++
  }

  #wait(key: Key, size: number, { timeoutMs, first = false }: Task): Promise<void> {
    const { waiting, waitingOfKey, full } = this.#limits
    const kind = first ? 'first' : 'others'
    const line = key[kind]
    if (this.#waiting[kind] + size > waiting || line.size + size > waitingOfKey) {
      this.#rejected++
      throw full()
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const settle = (error?: Error) => {
      clearTimeout(timer)
      this.#waiting[kind] -= size
      line.size -= size
      line.tasks.delete(settle)
      if (isIdle(key)) this.#waitingKeys.delete(key)
      if (error) {
        this.#rejected++
        this.#drop(key)
        reject(error)
      } else {
        this.#start(key)
        resolve()
      }
    }
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => settle(full()), timeoutMs)
    this.#keys.set(key.name, key)
    this.#waitingKeys.add(key)
    line.tasks.add(settle)
    line.size += size
    this.#waiting[kind] += size
    return promise
  }

  #startNext(): boolean {
    const key = this.#waitingKeys.values().find((key) => this.#mayStart(key))
    if (!key) return false
    // The key moves to the end of the round robin.
    this.#waitingKeys.delete(key)
    this.#waitingKeys.add(key)
    const [start] = [...key.first.tasks.values().take(1), ...key.others.tasks.values().take(1)]
    start!()
    return true
  }

  #drop(key: Key): void {
    if (key.running === 0 && isIdle(key)) this.#keys.delete(key.name)
  }
}
