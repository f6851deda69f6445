import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'

/** The worker's side of a Thread: reports that it started, then answers each message. */
export function answerMessages(answerTo: (message: never) => unknown): void {
  // The event loop has priority if there are too few cores. Only Linux has priorities per thread; elsewhere this would
  // slow down the whole service.
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

/** Gives the worker a third of the event loop's share of a busy core. */
const lower = 5
