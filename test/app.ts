import { createServer } from 'node:net'
import { operationRoutes } from '../operations/web-routes.ts'
import { readSecret } from '../server/access/sign-in/secret.ts'
import { openSignIn } from '../server/access/sign-in/sign-in.ts'
import { buildApp } from '../server/app.ts'
import { readConfig } from '../server/config.ts'
import type { Database } from '../server/platform/database/connect.ts'
import { listen } from '../server/platform/http/connections.ts'
import { openRateLimits, type Times } from '../server/platform/http/rate-limit.ts'
import { testDatabase } from './database.ts'

/**
 * The real app over a real database of its own, on a port of its own. `env` is what a user would set,
 * `limitTimes` is for rate limits.
 */
export async function testApp(env: Record<string, string> = {}, clock?: () => Date, limitTimes?: Times) {
  const store = await testDatabase()
  const served = await serve(store.database, env, clock, limitTimes)
  return {
    ...store,
    ...served,
    close: async () => {
      await served.close()
      await store.close()
    },
  }
}

/** The real app over an existing database: a second process on the same one, or one behind a proxy. */
export async function serve(
  database: Database,
  env: Record<string, string> = {},
  clock?: () => Date,
  limitTimes?: Times,
) {
  const lines: string[] = []
  const config = readConfig({
    PORT: String(await freePort()),
    LOG_LEVEL: 'info',
    RATE_LIMIT_PER_MINUTE: '1000000',
    WEB_LIMIT_PER_MINUTE: '1000000',
    ...env,
  })
  const signIn = openSignIn({
    directory: database.directory,
    baseUrl: config.baseUrl,
    secret: await readSecret(database.directory),
    singleSignOn: config.singleSignOn,
    report: (message, details) => lines.push(`${message} ${JSON.stringify(details)}`),
  })
  const rateLimits = await openRateLimits(config.redisUrl, (message) => lines.push(message), limitTimes)
  const logStream = { write: (line: string) => void lines.push(line) }
  const app = await buildApp({
    config,
    database,
    rateLimits,
    signIn,
    logStream,
    ...(clock ? { clock } : {}),
    operationRoutes: operationRoutes(database, config, clock),
  })
  await listen(app, config)
  return {
    app,
    database,
    config,
    url: config.baseUrl,
    /** What the service logged. */
    lines,
    close: async () => {
      await app.close()
      rateLimits.close()
    },
  }
}

const firstPort = 10_100
let lastPort = firstPort + ((process.pid * 997) % 19_900)

/**
 * Below the ports that the system gives to connections and to `listen(0)`, so that it is still free when it is used.
 * Browsers and `fetch` do not connect to port 10080, and to any above it they do.
 */
export async function freePort(): Promise<number> {
  const port = lastPort < 30_000 ? lastPort + 1 : firstPort
  lastPort = port
  return (await isFree(port)) ? port : freePort()
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
