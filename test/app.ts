import { createServer } from 'node:net'
import { buildSignIn, secretOf } from '../server/accounts/sign-in.ts'
import { buildApp } from '../server/app.ts'
import { readConfig } from '../server/config.ts'
import { openRateLimits } from '../server/http/rate-limit.ts'
import { testDatabase } from './database.ts'

/** The true app over a true database of its own, on a port of its own. `env` is what a user would set. */
export async function testApp(env: Record<string, string> = {}, clock?: () => Date) {
  const store = await testDatabase()
  const lines: string[] = []
  const config = readConfig({
    PORT: String(await freePort()),
    LOG_LEVEL: 'info',
    RATE_LIMIT_PER_MINUTE: '1000000',
    ...env,
  })
  const signIn = buildSignIn({
    directory: store.directory,
    baseUrl: config.baseUrl,
    secret: await secretOf(store.directory),
  })
  const rateLimits = openRateLimits(config.redisUrl, (message) => lines.push(message))
  const logStream = { write: (line: string) => void lines.push(line) }
  const app = await buildApp({
    config,
    database: store.database,
    rateLimits,
    signIn,
    logStream,
    ...(clock ? { clock } : {}),
  })
  await app.listen({ port: config.port, host: config.host })
  return {
    ...store,
    app,
    config,
    url: config.baseUrl,
    /** What the service logged. */
    lines,
    close: async () => {
      await app.close()
      rateLimits.close()
      await store.close()
    },
  }
}

async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
