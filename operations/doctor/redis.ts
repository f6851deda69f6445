import { Redis } from 'ioredis'
import { type Check, errorMessage, type Finding, fine, problem } from './check.ts'
import type { Installation } from './installation.ts'

export const redis = ({ config }: Installation): Check => ({
  name: 'redis',
  async run() {
    const { redisUrl } = config.get()
    if (!redisUrl) return fine('REDIS_URL is not set: each service counts requests by itself.')
    const client = new Redis(redisUrl, {
      lazyConnect: true,
      connectTimeout: 3000,
      commandTimeout: 3000,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    })
    let failure: unknown = null
    client.on('error', (error) => {
      failure = error
    })
    try {
      await client.connect()
      return judgeReplication(await client.info('replication'))
    } catch (error) {
      return unusable(failure ?? error)
    } finally {
      client.disconnect()
    }
  },
})

export function judgeReplication(info: string): Finding {
  return /^role:slave\r?$/m.test(info)
    ? problem('Redis is a replica, which cannot be written to.', 'Set REDIS_URL to its primary.')
    : fine('Redis answers.')
}

function unusable(error: unknown): Finding {
  const message = errorMessage(error)
  return problem(
    `Redis cannot be used: ${message}. Each service counts requests by itself, so limits are exceeded.`,
    /NOAUTH|WRONGPASS|NOPERM/.test(message)
      ? 'Correct user and password in REDIS_URL.'
      : 'Start Redis, or correct REDIS_URL.',
  )
}
