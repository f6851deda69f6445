import { createHmac, randomBytes } from 'node:crypto'

/** How many keys one limit counts separately, and the number of buckets that further keys share. */
const maxKeys = 50_000
const buckets = 4096

interface Window {
  count: number
  /** In whole milliseconds, so that a minute is never longer than a minute. */
  ends: number
}

/** The count of a key, including this one, and the remaining milliseconds of its window. */
export interface CountedInMemory {
  count: number
  left: number
}

/**
 * Counts in limited memory. A window is never dropped before its end, so that many keys cannot bypass a limit: further
 * keys share buckets, chosen by their group and a secret.
 */
export function countInMemory(seconds: number, keys = maxKeys, now = () => Math.floor(performance.now())) {
  // All windows are equally long, so they end in the order of insertion.
  const windows = new Map<string, Window>()
  const shared: Window[] = []
  const secret = randomBytes(16)

  function dropEnded(at: number) {
    for (const [key, { ends }] of windows) {
      if (ends > at) return
      windows.delete(key)
    }
  }

  function bucketOf(group: string, at: number): Window {
    const number = createHmac('sha256', secret).update(group).digest().readUInt16LE() % buckets
    const bucket = shared[number]
    if (bucket && bucket.ends > at) return bucket
    shared[number] = { count: 0, ends: at + seconds * 1000 }
    return shared[number]
  }

  return {
    count(key: string, group: string): CountedInMemory {
      const at = now()
      dropEnded(at)
      let window = windows.get(key)
      if (!window) {
        if (windows.size < keys) {
          window = { count: 0, ends: at + seconds * 1000 }
          windows.set(key, window)
        } else window = bucketOf(group, at)
      }
      window.count++
      return { count: window.count, left: window.ends - at }
    },
    /** The number of windows. */
    size: () => windows.size + shared.filter(Boolean).length,
  }
}
