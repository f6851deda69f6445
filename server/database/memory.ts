import type { Watch } from './watch.ts'

/** What was read of the directory: API keys, webhooks, people, rules. Forgotten at once on every process when it changes. */
export interface Memory {
  /**
   * The remembered value, or what `load` reads now. A `null` is never remembered, so a new key is known at once, and
   * while notifications do not reach us nothing is taken from memory.
   */
  recall<T>(key: string, load: () => Promise<{ account_id: string; value: T } | null>): Promise<T | null>
  forget(accountId: string | null): void
}

const mostEntries = 50_000

export function rememberDirectory(watch: Pick<Watch, 'listening' | 'onChange'> | null): Memory {
  const entries = new Map<string, { account_id: string; value: unknown }>()
  // Counts what was forgotten: a value read before a change and arriving after it must not be kept.
  let changes = 0

  function forget(accountId: string | null) {
    changes++
    for (const [key, entry] of entries) if (accountId === null || entry.account_id === accountId) entries.delete(key)
  }
  watch?.onChange(forget)

  return {
    async recall<T>(key: string, load: () => Promise<{ account_id: string; value: T } | null>) {
      if (watch?.listening) {
        const entry = entries.get(key)
        if (entry) return entry.value as T
      }
      const before = changes
      const listened = watch?.listening
      const loaded = await load()
      if (loaded && listened && watch?.listening && changes === before) {
        if (entries.size >= mostEntries) entries.clear()
        entries.set(key, loaded)
      }
      return loaded?.value ?? null
    },
    forget,
  }
}
