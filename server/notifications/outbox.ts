import { setTimeout as pause } from 'node:timers/promises'
import { FairQueue } from '../queue/fair-queue.ts'

/** `gone`: the recipient has ended. `rejected`: another attempt would fail too. `failed`: it may succeed. */
export type Outcome = 'sent' | 'gone' | 'rejected' | 'failed'

export interface Outbox {
  /** Sends a message apart from the caller. `attempt` gets the number of attempts before it. */
  send(message: { accountId: string; to: string }, attempt: (before: number) => Promise<Outcome>): Promise<Outcome>
  /** Waits for all messages. */
  idle(): Promise<void>
  /** Ends the attempts that run, and gives up messages that wait for another. */
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

/** Sends messages of one kind, accounts by round robin, and repeats those that fail. */
export function openOutbox({ onError, retryAfter = usualRetries, ...limits }: Limits): Outbox {
  const queue = new FairQueue(limits)
  const waiting = new Map<string, number>()
  const running = new Set<Promise<Outcome>>()
  const stopping = new AbortController()
  const { signal } = stopping

  async function sendOnce(accountId: string, attempt: () => Promise<Outcome>): Promise<Outcome> {
    try {
      return await queue.run(accountId, async () => (signal.aborted ? 'failed' : await attempt()))
    } catch (error) {
      onError(error)
      return 'failed'
    }
  }

  async function sendUntilSent(accountId: string, attempt: (before: number) => Promise<Outcome>): Promise<Outcome> {
    for (let before = 0; ; before++) {
      const outcome = await sendOnce(accountId, () => attempt(before))
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
      await idle()
    },
  }
}
