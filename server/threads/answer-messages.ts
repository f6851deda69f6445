import { parentPort } from 'node:worker_threads'

/** The worker's side of a Thread: says that it has started, then answers each message. */
export function answerMessages(answerTo: (message: never) => unknown): void {
  parentPort!.on('message', async (message) => {
    try {
      parentPort!.postMessage({ answer: await answerTo(message as never) })
    } catch (error) {
      parentPort!.postMessage({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
  parentPort!.postMessage('started')
}
