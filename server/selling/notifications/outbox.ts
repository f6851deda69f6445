import { setTimeout as pause } from 'node:timers/promises'
import { FairQueue } from '../../platform/queue/fair-queue.ts'

/** `gone`: the recipient has ended. `rejected`: another attempt would fail too. `failed`: it may succeed. */
export type Outcome = 'sent' | 'gone' | 'rejected' | 'failed'

export interface Outbox {
  /** Sends a message apart from the caller. */
  send(message: { accountId: string; to: string }, attempt: () => Promise<Outcome>): Promise<Outcome>
  /** Waits for all messages. */
  idle(): Promise<void>
  /** Makes the first attempt of each message, as far as there is time, and gives up those that wait for another. */
  stop(): Promise<void>
}

interface Limits {
  running: number
  runningOfKey: number
  onError(error: unknown): void
  /** After each failure, in milliseconds. */
  retryAfter?: number[]
}

const usualRetries = [1000, 5000, 60_000, 300_000]
/** Messages to one recipient that have not been sent yet. Further ones fail. */
const maxWaiting = 100
/** In milliseconds. A process that stops has little time. */
const stopWithin = 3000

/** Sends messages of one kind, accounts by round robin, and repeats those that fail. */
export function openOutbox({ onError, retryAfter = usualRetries, ...limits }: Limits): Outbox {
  const queue = new FairQueue(limits)
  const waiting = new Map<string, number>()
  const running = new Set<Promise<Outcome>>()
  const stopping = new AbortController()
  const { signal } = stopping

  let isOver = false

  async function sendOnce(accountId: string, attempt: () => Promise<Outcome>): Promise<Outcome> {
    try {
      return await queue.run(accountId, async () => (isOver ? 'failed' : await attempt()))
    } catch (error) {
      onError(error)
      return 'failed'
    }
  }

  async function sendUntilSent(accountId: string, attempt: () => Promise<Outcome>): Promise<Outcome> {
    for (let before = 0; ; before++) {
      const outcome = await sendOnce(accountId, attempt)
      const wait = retryAfter[before]
      if (outcome !== 'failed' || wait === undefined || signal.aborted) return outcome
      await pause(wait, undefined, { ref: false, signal }).catch(() => {})
      if (signal.aborted) return 'failed'
    }
  }

  const idle = async () => void (await Promise.all(running))

  return {
    idle,
    async send({ accountId, to }, attempt) {
      const before = waiting.get(to) ?? 0
      if (before >= maxWaiting || signal.aborted) return 'failed'
      waiting.set(to, before + 1)
      const sending = sendUntilSent(accountId, attempt)
      running.add(sending)
      try {
        return await sending
      } finally {
        running.delete(sending)
        const left = waiting.get(to)! - 1
        if (left > 0) waiting.set(to, left)
        else waiting.delete(to)
      }
    },
    async stop() {
      stopping.abort()
      await Promise.race([idle(), pause(stopWithin, undefined, { ref: false })])
      isOver = true
    },
  }
}
