import { Redis } from 'ioredis'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'

interface CountedInRedis {
  allowed: boolean
  remaining: number
  /** Milliseconds until the window ends. */
  left: number
}

interface RedisLimits {
  /** Returns how to count a key, which returns null while Redis is unavailable. */
  limit(name: string, max: number, seconds: number): (key: string) => Promise<CountedInRedis | null>
  readonly up: boolean
  close(): void
}

/** `timeoutMs`: how long a command may take. */
export function openRedis(url: string, log: (message: string) => void, timeoutMs: number): RedisLimits {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1000,
    // If Redis hangs, the first request waits this long, and the others do not wait until it is back.
    commandTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  })
  let away = false
  const say = (now: boolean, message: string) => {
    if (now !== away) log(message)
    away = now
  }
  redis.on('error', (error) =>
    say(true, `Redis cannot be reached (${error.message}): each service counts requests in its own memory.`),
  )
  redis.on('close', () => say(true, 'Redis went away: each service counts requests in its own memory.'))
  redis.on('ready', () => say(false, 'Redis is back: requests are counted together again.'))
  return {
    limit(name, max, seconds) {
      const shared = new RateLimiterRedis({
        keyPrefix: `lead-engine:${name}`,
        points: max,
        duration: seconds,
        storeClient: redis,
        rejectIfRedisNotReady: true,
      })
      return (key) => countIn(shared, key)
    },
    get up() {
      return redis.status === 'ready'
    },
    close: () => redis.disconnect(),
  }
}

async function countIn(shared: RateLimiterRedis, key: string): Promise<CountedInRedis | null> {
  try {
    const { remainingPoints, msBeforeNext } = await shared.consume(key)
    return { allowed: true, remaining: remainingPoints, left: msBeforeNext }
  } catch (error) {
    return error instanceof RateLimiterRes ? { allowed: false, remaining: 0, left: error.msBeforeNext } : null
  }
}
