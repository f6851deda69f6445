import { setTimeout as pause } from 'node:timers/promises'

/** In milliseconds. NOTIFY takes a lock of the whole server when its transaction commits. */
const every = 250

/** Announces to all processes what changed, each by a key such as the id of its account. */
export interface Announcer {
  /** Announces the key once the others of the same moment are known. Call it after the commit. */
  announce(key: string): void
  /** Sends what is left, and ends. */
  close(): Promise<void>
}

/** `notify` gets the keys that were announced: the first at once, and later ones together, at most every 250 ms. */
export function openAnnouncer(notify: (keys: string[]) => PromiseLike<unknown>): Announcer {
  const waiting = new Set<string>()
  const closing = new AbortController()
  let sending: Promise<void> | null = null

  async function send() {
    while (waiting.size > 0) {
      const keys = [...waiting]
      waiting.clear()
      // A page that misses it asks by itself within a minute. After an outage of the database, all pages do.
      await Promise.resolve(notify(keys)).catch(() => {})
      await pause(every, undefined, { ref: false, signal: closing.signal }).catch(() => {})
    }
    sending = null
  }

  return {
    announce(key) {
      waiting.add(key)
      sending ??= send()
    },
    async close() {
      closing.abort()
      await sending
    },
  }
}
