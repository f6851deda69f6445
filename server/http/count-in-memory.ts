import { createHmac, randomBytes } from 'node:crypto'

/** In how many of the keys one limit counts apart, and the buckets that further keys share. */
const mostKeys = 50_000
const buckets = 4096

interface Window {
  count: number
  /** In whole milliseconds, so that a minute is no hair longer than a minute. */
  ends: number
}

/** What was counted of a key, this time included, and how many milliseconds its window still lasts. */
export interface CountedInMemory {
  count: number
  left: number
}

/**
 * Counts in memory that does not grow with the number of keys. A window is never dropped before its end, so no client
 * escapes a limit by bringing many keys: further keys share buckets, chosen by their group and a secret.
 */
export function countInMemory(seconds: number, keys = mostKeys, now = () => Math.floor(performance.now())) {
  // All windows last equally long, so they end in the order in which they were added.
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
    /** How many windows are kept. */
    size: () => windows.size + shared.filter(Boolean).length,
  }
}
