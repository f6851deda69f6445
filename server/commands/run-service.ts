import cluster from 'node:cluster'
import type { FastifyInstance } from 'fastify'
import { initialNames } from '../account/contract.ts'
import { buildApp } from '../app.ts'
import { startBackupProcess } from '../backup/schedule-backups.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/connect.ts'
import { isConflict } from '../database/errors.ts'
import { listen, tryToListen } from '../http/connections.ts'
import { openRateLimits } from '../http/rate-limit.ts'
import { openPrimary } from '../processes/primary.ts'
import { openWorkers } from '../processes/workers.ts'
import { readSecret } from '../sign-in/secret.ts'
import { openSignIn } from '../sign-in/sign-in.ts'
import { threadFile } from '../threads/thread.ts'
import { openTracing } from '../tracing/tracing.ts'
import { buildWebAppIfNeeded } from '../web-app/built.ts'
import { startJobs } from './background-jobs.ts'
import { backupFolder, checkBackupFolder, environment, openInstallation } from './open.ts'
import { releaseMemory } from './release-memory.ts'
import { setUp } from './setup.ts'

/**
 * Runs the service in this process. With WORKERS, this is the primary process: it opens the installation, runs the
 * background jobs, and starts workers, which run the same command and answer requests.
 */
export async function runService() {
  const parent = process.ppid
  let log: (message: string) => void = (message) => console.error(message)
  const primary = cluster.isWorker
    ? openPrimary({ metrics: () => app.metrics.getMetricsAsJSON(), log: (message) => log(message) })
    : null
  const tracing = await openTracing(environment, (message) => log(message))
  const backups = primary ? null : backupProcess()
  const building = primary ? Promise.resolve() : buildWebAppIfNeeded()
  // Handled below, after the database has started.
  building.catch(() => {})
  const installation = await openInstallation({ migrates: 'always', watched: true, log: (message) => log(message) })
  const { config, database, signInUrls } = installation
  const rateLimits = await openRateLimits(config.redisUrl, (message) => log(message), { countTogether: primary?.count })
  let app: FastifyInstance
  try {
    await building
    const first = primary ? null : await makeFirstAccount(database, config)
    const signIn = openSignIn({
      directory: database.directory,
      baseUrl: config.baseUrl,
      secret: await readSecret(database.directory),
      report: (message, details) => app.log.error({ details }, message),
    })
    const traced = tracing?.observeDatabase(database) ?? database
    app = await buildApp({ config, database: traced, rateLimits, signIn, tracing, metricsOfAll: primary?.metricsOfAll })
    log = (message) => app.log.warn(message)
    const jobs = primary ? null : startJobs(app, installation, backups)
    const workers =
      primary || config.workers === 1
        ? null
        : openWorkers({ count: config.workers, env: signInUrls, metrics: app.metrics, log: app.log })
    const endRequests = async () => {
      await workers?.stop()
      await app.close()
    }
    // The database last: a hook of the app would run before those of its parts, which still write.
    const stop = stopOnSignals(async () => {
      // Disconnects slow clients, so that the database is closed in time.
      setTimeout(() => app.server.closeAllConnections(), 7000).unref()
      const ended = endRequests()
      await (jobs ? jobs.stop(ended) : ended)
      rateLimits.close()
      await tracing?.close()
      await installation.close()
    })
    if (installation.startedByNpm) stopWithParent(parent, stop)
    await (workers ? workers.start() : listen(app, config))
    releaseMemory()
    if (primary) return
    const email = first ? null : await firstToSignIn(database)
    if (first) welcome(config, first)
    else if (email) remind(config, email, installation.startedByNpm ? 'npx lead-engine' : 'lead-engine')
    else if (process.stdout.isTTY) console.log(`Lead Engine runs at ${config.baseUrl}`)
  } catch (error) {
    backups?.kill()
    rateLimits.close()
    await installation.close()
    const { code } = error as { code?: string }
    if (code === 'EADDRINUSE')
      throw new Error(`Port ${config.port} on ${config.host} is in use. Set PORT to another one.`)
    if (code === 'EACCES')
      throw new Error(`Port ${config.port} is not allowed for this user. Set PORT to one above 1023.`)
    throw error
  }
}

/** Started before the credentials of the owner are removed from the environment of this process. */
function backupProcess() {
  const backups = backupFolder()
  if (!backups) return null
  checkBackupFolder(backups.folder)
  return startBackupProcess(threadFile('backup-process', import.meta.url))
}

type First = Awaited<ReturnType<typeof setUp>>

/**
 * Creates the first account in an empty database. Of several processes that start at once, one creates it. Not if the service cannot
 * listen: its password and key would never be shown.
 */
async function makeFirstAccount(database: Database, config: Config): Promise<First | null> {
  const [account] = await database.directory`select 1 from accounts limit 1`
  if (account) return null
  await tryToListen(config)
  try {
    return await setUp(database, {
      account: initialNames.account,
      email: 'admin@example.com',
      name: initialNames.user,
    })
  } catch (error) {
    const [made] = await database.directory`select 1 from accounts limit 1`
    if (made || isConflict(error)) return null
    throw error
  }
}

function welcome({ baseUrl }: Config, { user, api_key }: First) {
  console.log(`
Lead Engine runs at ${baseUrl}

  Sign in    ${user.email}
  Password   ${user.password}
  API key    ${api_key}

The password and the key are shown only once: save them now. Sign in with a browser, or create your first lead:

curl -sS ${baseUrl}/api/v1/leads -H 'Authorization: Bearer ${api_key}' -H 'Content-Type: application/json' -d '{"name": "Asha Rao", "phone": "+91 98200 11223", "source": "Website"}'

The API reference is at ${baseUrl}/docs
`)
}

/** Returns the email of the first Admin while no user has ever signed in, else null. */
async function firstToSignIn({ directory }: Database): Promise<string | null> {
  const [admin] = await directory<{ email: string }[]>`
    select email from users where role = 'Admin' and deactivated_at is null and not exists (select from sign_ins)
    order by created_at limit 1`
  return admin?.email ?? null
}

function remind({ baseUrl }: Config, email: string, program: string) {
  console.log(`
Lead Engine runs at ${baseUrl}

No user has signed in yet. Sign in with a browser:

  Sign in    ${email}
  Password   as printed when the account was made. To get a new one: ${program} user reset-password ${email}
  API key    likewise. To get a new one: ${program} key create --user ${email} --name Site --permissions read,write,delete
`)
}

/**
 * The first signal lets running requests finish; a second one does not wait. Two at the same moment count as one: Ctrl-C
 * comes from the terminal and again through npm. A worker also gets it from its primary process, with which it ends.
 */
function stopOnSignals(close: () => Promise<unknown>) {
  let askedAt: number | null = null
  const stop = async () => {
    if (askedAt !== null) {
      if (!cluster.isWorker && performance.now() - askedAt > 1000) process.exit(1)
      return
    }
    askedAt = performance.now()
    setTimeout(() => process.exit(1), 15_000).unref()
    await close().catch((error) => {
      console.error(error)
      process.exitCode = 1
    })
    process.exit()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return stop
}

/** npm sends SIGTERM to the shell around this process, and the shell does not pass it on. */
function stopWithParent(parent: number, stop: () => unknown) {
  const watching = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watching)
    stop()
  }, 250).unref()
}
