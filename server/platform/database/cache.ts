import { BoundedCache } from '../cache/bounded-cache.ts'
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

/** Per process, and of each account. A value that is larger is read each time. */
export const maxCached = { bytes: 128 * 1024 * 1024, bytesOfAccount: 32 * 1024 * 1024 }

/** Estimated: short texts take more memory than their JSON, long ones as much. */
const bytesOf = (value: unknown) => 1000 + 2 * JSON.stringify(value).length

export function directoryCache(watch: Pick<Watch, 'listening' | 'onChange'> | null): Cache {
  const entries = new BoundedCache<unknown>(maxCached)
  // A value that was read before an invalidation and arrives after it must not be cached.
  let invalidations = 0

  function invalidate(accountId: string | null) {
    invalidations++
    if (accountId === null) entries.clear()
    else entries.deleteAccount(accountId)
  }
  watch?.onChange(invalidate)

  return {
    async get<T>(key: string, load: () => Promise<{ account_id: string; value: T } | null>) {
      if (watch?.listening) {
        const cached = entries.get(key)
        if (cached !== undefined) return cached as T
      }
      const before = invalidations
      const listened = watch?.listening
      const loaded = await load()
      if (loaded && listened && watch?.listening && invalidations === before) {
        entries.set(key, loaded.account_id, loaded.value, bytesOf(loaded.value))
      }
      return loaded?.value ?? null
    },
    invalidate,
  }
}
