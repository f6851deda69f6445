import { msg } from '@lingui/core/runtime-macro'
import { type CountedInMemory, countInMemory } from './count-in-memory.ts'
import { ipNetwork, wideIpNetwork } from './ip-list.ts'
import { rateLimited } from './problem.ts'

/** A fixed window that starts with the first request, one minute by default. */
export interface RateLimit {
  max: number
  /** Keys of one group may share a count if a process counts very many keys. */
  count(key: string, group?: string): Promise<Counted>
}

interface Counted {
  allowed: boolean
  remaining: number
  /** Whole seconds until the window ends, at least 1. */
  wait: number
}

export interface RateLimits {
  limit(name: string, max: number, seconds?: number): RateLimit
  /** Whether Redis counts, and how many requests were counted in memory instead; null without Redis. */
  readonly redis: { up: boolean; fallbacks: number } | null
  close(): void
}

/** Counts an attempt from an IP address, per kind if the limit has several. */
export async function countAttempt(limit: RateLimit, address: string, kind = ''): Promise<void> {
  const { allowed, wait } = await limit.count(kind + ipNetwork(address), kind + wideIpNetwork(address))
  if (!allowed) throw rateLimited(msg`Too many attempts came from this IP address`, wait)
}

/** Counts a key in the memory of another process, for all workers of a service; null if that does not answer. */
export type CountTogether = (
  limit: string,
  seconds: number,
  key: string,
  group: string,
) => Promise<CountedInMemory | null>

/** In milliseconds: the clock of the counts in memory, and the time limit of Redis. */
export interface Times {
  now?: () => number
  timeoutMs?: number
}

/**
 * Counts in memory, or in Redis for several services. If Redis is unavailable, it counts in memory and logs that. The
 * memory is that of this process, or the one that `countTogether` counts in.
 */
export async function openRateLimits(
  redisUrl: string | null,
  log: (message: string) => void,
  { now, timeoutMs = 100, countTogether }: Times & { countTogether?: CountTogether | undefined } = {},
): Promise<RateLimits> {
  // Without Redis, its driver is not loaded.
  const redis = redisUrl ? (await import('./redis-limits.ts')).openRedis(redisUrl, log, timeoutMs) : null
  let fallbacks = 0
  return {
    limit(name, max, seconds = 60) {
      const memory = countInMemory(seconds, undefined, now)
      const shared = redis?.limit(name, max, seconds)
      return {
        max,
        async count(key, group = key) {
          const counted = await shared?.(key)
          if (counted) return countedOf(counted.allowed, counted.remaining, counted.left)
          if (redis) fallbacks++
          const together = await countTogether?.(name, seconds, key, group)
          const { count, left } = together ?? memory.count(key, group)
          return countedOf(count <= max, max - count, left)
        },
      }
    },
    get redis() {
      return redis && { up: redis.up, fallbacks }
    },
    close: () => redis?.close(),
  }
}

const countedOf = (allowed: boolean, remaining: number, left: number): Counted => ({
  allowed,
  remaining: Math.max(0, remaining),
  wait: Math.max(1, Math.ceil(left / 1000)),
})
