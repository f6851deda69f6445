import type { Watch } from './watch.ts'

/** Rows of the directory that requests need: API keys, webhooks, users and rules. Every process drops them when they change. */
export interface Cache {
  /**
   * Returns the cached value, or what `load` reads. A `null` is never cached, so that a new key works at once. While
   * notifications do not reach this process, every call loads.
   */
  get<T>(key: string, load: () => Promise<{ account_id: string; value: T } | null>): Promise<T | null>
  /** Drops what belongs to one account, or everything. */
  invalidate(accountId: string | null): void
}

const maxEntries = 50_000

export function directoryCache(watch: Pick<Watch, 'listening' | 'onChange'> | null): Cache {
  const entries = new Map<string, { account_id: string; value: unknown }>()
  // A value that was read before an invalidation and arrives after it must not be cached.
  let invalidations = 0

  function invalidate(accountId: string | null) {
    invalidations++
    for (const [key, entry] of entries) if (accountId === null || entry.account_id === accountId) entries.delete(key)
  }
  watch?.onChange(invalidate)

  return {
    async get<T>(key: string, load: () => Promise<{ account_id: string; value: T } | null>) {
      if (watch?.listening) {
        const entry = entries.get(key)
        if (entry) return entry.value as T
      }
      const before = invalidations
      const listened = watch?.listening
      const loaded = await load()
      if (loaded && listened && watch?.listening && invalidations === before) {
        if (entries.size >= maxEntries) entries.clear()
        entries.set(key, loaded)
      }
      return loaded?.value ?? null
    },
    invalidate,
  }
}
