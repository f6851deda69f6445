import type { ChildProcess } from 'node:child_process'

/** The other process did not answer. */
export class NoAnswer extends Error {}

/** Asks the other process, and waits so many milliseconds for its answer. */
export type Ask = (request: unknown, timeoutMs: number) => Promise<unknown>

type Peer = Pick<ChildProcess | NodeJS.Process, 'send' | 'connected'> & {
  on(event: 'message', listener: (message: Message) => void): unknown
}

type Message = { id: number } & ({ request: unknown } | { answer: unknown } | { error: string })

/**
 * Lets two processes ask each other. After a request that was not answered in time, others fail at once until the peer is
 * heard again: nothing grows while it hangs.
 */
export function openIpc(peer: Peer, answer: (request: never) => unknown): Ask {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let lastId = 0
  let isSilent = false

  peer.on('message', (message) => {
    isSilent = false
    if ('request' in message) void reply(message.id, message.request)
    else if ('error' in message) waiting.get(message.id)?.reject(new Error(message.error))
    else waiting.get(message.id)?.resolve(message.answer)
  })

  async function reply(id: number, request: unknown) {
    try {
      send({ id, answer: await answer(request as never) })
    } catch (error) {
      send({ id, error: (error as Error).message })
    }
  }

  function send(message: Message) {
    // A peer that has just ended gets nothing. The request fails after its time limit.
    peer.send?.(message, undefined, undefined, () => {})
  }

  return async (request, timeoutMs) => {
    if (isSilent || !peer.connected) throw new NoAnswer('the other process does not answer')
    const id = ++lastId
    const answered = Promise.withResolvers<unknown>()
    waiting.set(id, answered)
    const timer = setTimeout(() => {
      isSilent = true
      answered.reject(new NoAnswer(`the other process did not answer within ${timeoutMs} ms`))
    }, timeoutMs)
    send({ id, request })
    try {
      return await answered.promise
    } finally {
      clearTimeout(timer)
      waiting.delete(id)
    }
  }
}
