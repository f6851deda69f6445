import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'

/** The worker's side of a Thread: says that it has started, then answers each message. */
export function answerMessages(answerTo: (message: never) => unknown): void {
  // The event loop comes first where there are too few cores. Linux gives each thread a priority of its own; elsewhere
  // this would slow down the whole service.
  if (process.platform === 'linux') setPriority(lower)
  parentPort!.on('message', async (message) => {
    try {
      parentPort!.postMessage({ answer: await answerTo(message as never) })
    } catch (error) {
      parentPort!.postMessage({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
  parentPort!.postMessage('started')
}

/** A third of the event loop's share of a core that both want. */
const lower = 5
