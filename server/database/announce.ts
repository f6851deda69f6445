import { setTimeout as pause } from 'node:timers/promises'

/** In milliseconds. NOTIFY takes a lock of the whole server when its transaction commits. */
const every = 250

/** Announces to all processes that leads or calls of accounts changed. */
export interface Announcer {
  /** Announces the account once the others of the same moment are known. Call it after the commit. */
  changed(accountId: string): void
  /** Sends what is left, and ends. */
  close(): Promise<void>
}

/** `notify` gets the accounts that changed: the first at once, and later ones together, at most every 250 ms. */
export function openAnnouncer(notify: (accountIds: string[]) => PromiseLike<unknown>): Announcer {
  const waiting = new Set<string>()
  const closing = new AbortController()
  let sending: Promise<void> | null = null

  async function send() {
    while (waiting.size > 0) {
      const accountIds = [...waiting]
      waiting.clear()
      // A page that misses it asks by itself within a minute. After an outage of the database, all pages do.
      await Promise.resolve(notify(accountIds)).catch(() => {})
      await pause(every, undefined, { ref: false, signal: closing.signal }).catch(() => {})
    }
    sending = null
  }

  return {
    changed(accountId) {
      waiting.add(accountId)
      sending ??= send()
    },
    async close() {
      closing.abort()
      await sending
    },
  }
}
