import { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible'
import { networkOf } from './address-list.ts'
import { rateLimited } from './problem.ts'

/** At most so many in the time that starts with the first one counted, a minute unless it is said (D9). */
export interface RateLimit {
  most: number
  count(key: string): Promise<Counted>
}

interface Counted {
  allowed: boolean
  remaining: number
  /** Whole seconds until that time is over, at least 1. */
  wait: number
}

export interface RateLimits {
  limit(name: string, most: number, seconds?: number): RateLimit
  close(): void
}

/** Counts an attempt from an address, of one kind where the limit has several. */
export async function countAttempt(limit: RateLimit, address: string, kind = ''): Promise<void> {
  const { allowed, wait } = await limit.count(kind + networkOf(address))
  if (!allowed) throw rateLimited('Too many attempts came from this address', wait)
}

/** Counted in memory, or in Redis for several processes. Without Redis the counting goes on in memory, and the log says so. */
export function openRateLimits(redisUrl: string | null, log: (message: string) => void): RateLimits {
  const redis = redisUrl ? openRedis(redisUrl, log) : null
  return {
    limit(name, most, seconds = 60) {
      const options = { keyPrefix: `lead-engine:${name}`, points: most, duration: seconds }
      const memory = new RateLimiterMemory(options)
      const limiter = redis
        ? new RateLimiterRedis({
            ...options,
            storeClient: redis,
            insuranceLimiter: memory,
            rejectIfRedisNotReady: true,
          })
        : memory
      return {
        most,
        count: (key) =>
          limiter.consume(key).then(
            (result) => counted(true, result),
            (refused: RateLimiterRes | Error) => {
              if (refused instanceof Error) throw refused
              return counted(false, refused)
            },
          ),
      }
    },
    close: () => redis?.disconnect(),
  }
}

function counted(allowed: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): Counted {
  return { allowed, remaining: Math.max(0, remainingPoints), wait: Math.max(1, Math.ceil(msBeforeNext / 1000)) }
}

function openRedis(url: string, log: (message: string) => void): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1000,
    // A Redis that hangs is as good as gone: whoever asks first waits this long, and the others not until it is back.
    commandTimeout: 100,
    socketTimeout: 100,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  })
  let away = false
  const say = (now: boolean, message: string) => {
    if (now !== away) log(message)
    away = now
  }
  redis.on('error', (error) =>
    say(true, `Redis cannot be reached (${error.message}): each process counts requests in its own memory.`),
  )
  redis.on('close', () => say(true, 'Redis went away: each process counts requests in its own memory.'))
  redis.on('ready', () => say(false, 'Redis is back: requests are counted together again.'))
  return redis
}
