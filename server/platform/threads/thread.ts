import { type Transferable, Worker } from 'node:worker_threads'

/** Returns the worker file beside a module, as TypeScript or compiled. */
export const threadFile = (name: string, moduleUrl: string): URL =>
  new URL(`./${name}.${moduleUrl.endsWith('.ts') ? 'ts' : 'js'}`, moduleUrl)

/** The call took too long, or the worker ended before it answered. */
export class ThreadFailed extends Error {}

type Reply = { answer: unknown } | { error: string }

/**
 * A worker thread that answers one message at a time. After a failure or a timeout the worker is stopped, and the next
 * call starts a new one.
 */
export class Thread {
  readonly #file: URL
  readonly #heapMb: number
  #worker: Worker | undefined
  #fail: ((reason: ThreadFailed) => void) | undefined

  constructor(file: URL, heapMb = 256) {
    this.#file = file
    this.#heapMb = heapMb
  }

  /** `ms` counts from the start of the worker, so that the first call has as much time as any other. */
  async call(message: unknown, ms: number, transfer: Transferable[] = []): Promise<unknown> {
    const worker = this.#worker ?? (await this.#start())
    // An idle worker does not keep the process alive.
    worker.ref()
    try {
      return await this.#answer(worker, message, ms, transfer)
    } catch (error) {
      if (error instanceof ThreadFailed) this.close()
      throw error
    } finally {
      worker.unref()
    }
  }

  close(): void {
    this.#fail?.(new ThreadFailed('The worker was stopped.'))
    void this.#worker?.terminate()
    this.#worker = undefined
  }

  async #start(): Promise<Worker> {
    const worker = new Worker(this.#file, { resourceLimits: { maxOldGenerationSizeMb: this.#heapMb } })
    this.#worker = worker
    const ended = (reason: string) => {
      // A stopped worker ends later, when another may be running.
      if (this.#worker !== worker) return
      this.#worker = undefined
      this.#fail?.(new ThreadFailed(reason))
    }
    worker.on('error', (error) => ended(`The worker failed: ${(error as Error).message}`))
    worker.on('exit', () => ended('The worker ended.'))
    await this.#next(worker, startMs)
    return worker
  }

  async #answer(worker: Worker, message: unknown, ms: number, transfer: Transferable[]): Promise<unknown> {
    const next = this.#next(worker, ms)
    worker.postMessage(message, transfer)
    const reply = (await next) as Reply
    if ('error' in reply) throw new Error(reply.error)
    return reply.answer
  }

  #next(worker: Worker, ms: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        clearTimeout(timer)
        this.#fail = undefined
        worker.off('message', onMessage)
        end()
      }
      const onMessage = (message: unknown) => settle(() => resolve(message))
      const fail = (reason: ThreadFailed) => settle(() => reject(reason))
      const timer = setTimeout(() => fail(new ThreadFailed(`It took longer than ${ms / 1000} s.`)), ms)
      this.#fail = fail
      worker.on('message', onMessage)
    })
  }
}

/** The longest start of a worker on a busy machine. */
const startMs = 30_000
