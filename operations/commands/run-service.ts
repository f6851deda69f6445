import cluster from 'node:cluster'
import { networkInterfaces } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { initialNames } from '../../server/access/account/contract.ts'
import { readSecret } from '../../server/access/sign-in/secret.ts'
import { makeSetUpLink } from '../../server/access/sign-in/set-up-link.ts'
import { openSignIn } from '../../server/access/sign-in/sign-in.ts'
import { buildApp } from '../../server/app.ts'
import type { Config } from '../../server/config.ts'
import type { Database } from '../../server/platform/database/connect.ts'
import { isConflict } from '../../server/platform/database/errors.ts'
import { listen, reservePort } from '../../server/platform/http/connections.ts'
import { isText } from '../../server/platform/http/log-format.ts'
import { openRateLimits } from '../../server/platform/http/rate-limit.ts'
import { programVersion } from '../../server/platform/program-version.ts'
import { threadFile } from '../../server/platform/threads/thread.ts'
import { buildWebAppIfNeeded } from '../../server/platform/web-app/built.ts'
import { startBackupProcess } from '../backup/schedule-backups.ts'
import { startContinuousBackup } from '../continuous-backup/watch-process.ts'
import { openPrimary } from '../processes/primary.ts'
import { openWorkers } from '../processes/workers.ts'
import { openTracing } from '../tracing/tracing.ts'
import { operationRoutes } from '../web-routes.ts'
import { startJobs } from './background-jobs.ts'
import {
  backupFolder,
  checkBackupFolder,
  continuousSettings,
  environment,
  openInstallation,
  readVariables,
  takeBucketKey,
} from './open.ts'
import { releaseMemory } from './release-memory.ts'
import { saveServiceUrl } from './service-url.ts'
import { makeAccount } from './setup.ts'
import { undoInterruptedUpgrade } from './undo-upgrade.ts'

/** In milliseconds. Clients that send within this time after the service is stopped get answers, no resets. */
const maxDrainMs = 2500

/**
 * Runs the service in this process. With WORKERS, this is the primary process: it opens the installation, runs the
 * background jobs, and starts workers, which run the same command and answer requests. `printsKey`: whether the first start makes
 * an API key.
 */
export async function runService({ printsKey }: { printsKey: boolean }) {
  let log: (message: string) => void = (message) => console.error(message)
  const primary = cluster.isWorker
    ? openPrimary({ metrics: () => app.metrics.getMetricsAsJSON(), log: (message) => log(message) })
    : null
  const tracing = await openTracing(environment, (message) => log(message))
  const { config: place } = readVariables()
  if (!primary) continuousSettings()
  const { automaticHttps } = place
  const port = reservePort(place)
  const httpPort = automaticHttps && !primary ? reservePort({ host: place.host, port: automaticHttps.httpPort }) : null
  const holdPort = async () => {
    try {
      await port.hold()
      await httpPort?.hold()
    } catch (error) {
      throw listenProblem(error, place)
    }
  }
  const building = primary ? Promise.resolve() : buildWebAppIfNeeded()
  // Handled below, after the database has started.
  building.catch(() => {})
  if (!primary) await undoInterruptedUpgrade((message) => log(message))
  const backups = primary ? null : backupProcess()
  const installation = await openInstallation({
    migrates: 'always',
    watched: true,
    log: (message) => log(message),
    holdPort,
  })
  const { config, database, signInUrls } = installation
  const continuous = primary ? null : continuousBackup()
  const rateLimits = await openRateLimits(config.redisUrl, (message) => log(message), { countTogether: primary?.count })
  let app: FastifyInstance
  try {
    await building
    const firstKey = primary ? null : await makeFirstAccount(database, { holdPort, withKey: printsKey })
    const signIn = openSignIn({
      directory: database.directory,
      baseUrl: config.baseUrl,
      secret: await readSecret(database.directory),
      singleSignOn: config.singleSignOn,
      report: (message, details) => app.log.error({ details }, message),
    })
    const traced = tracing?.observeDatabase(database) ?? database
    app = await buildApp({
      config,
      database: traced,
      rateLimits,
      signIn,
      tracing,
      metricsOfAll: primary?.metricsOfAll,
      operationRoutes: operationRoutes(traced, config),
      maxDrainMs,
    })
    log = (message) => app.log.warn(message)
    const jobs = primary ? null : startJobs(app, installation, { backups, continuous })
    const workers =
      primary || config.workers === 1
        ? null
        : openWorkers({ count: config.workers, env: signInUrls, metrics: app.metrics, log: app.log })
    let https: { stop(): Promise<void> } | null = null
    const endRequests = async () => {
      await https?.stop()
      await workers?.stop()
      await app.close()
    }
    // The database last: a hook of the app would run before those of its parts, which still write.
    stopOnSignals(async () => {
      // Disconnects slow clients, so that the database is closed in time.
      setTimeout(() => app.server.closeAllConnections(), 7000).unref()
      const ended = endRequests()
      await (jobs ? jobs.stop(ended) : ended)
      rateLimits.close()
      await tracing?.close()
      await installation.close()
      if (!primary) say(app, config, 'Stopped.')
    })
    await port.release()
    await (workers ? workers.start() : listen(app, config))
    if (automaticHttps && httpPort) {
      const { startAutomaticHttps } = await import('../https/automatic-https.ts')
      await httpPort.release()
      https = await startAutomaticHttps(app, automaticHttps, config)
    }
    releaseMemory()
    if (primary) return
    const [setUpLink] = await Promise.all([
      // After it listens: a start that fails must not replace the link of a service that runs.
      makeSetUpLink(database, config.baseUrl).catch((err) => {
        app.log.error({ err }, 'no set-up link was made: restart the service')
        return null
      }),
      saveServiceUrl(database.directory, config.baseUrl).catch((err) => app.log.warn({ err }, 'saving BASE_URL')),
    ])
    if (setUpLink) welcome(config, setUpLink, firstKey)
    else say(app, config, runsAt(config))
  } catch (error) {
    backups?.kill()
    await continuous?.stop()
    rateLimits.close()
    await installation.close()
    throw listenProblem(error, config)
  }
}

/** Says which variable to change, if the service cannot listen. */
function listenProblem(error: unknown, { host, port, automaticHttps }: Config): unknown {
  const { code, port: failed = port } = error as { code?: string; port?: number }
  switch (code) {
    case 'EADDRINUSE':
      return new Error(
        automaticHttps
          ? `Port ${failed} on ${host} is in use, and DOMAIN needs it: stop the program that uses it, or remove DOMAIN.`
          : `Port ${port} on ${host} is in use. Set PORT to another one.`,
      )
    case 'EADDRNOTAVAIL':
      return new Error(
        `HOST is ${host}, which is no IP address of this machine. Set it to one of ${ownIps()}, or to 0.0.0.0 for all.`,
      )
    case 'EACCES':
      if (automaticHttps)
        return new Error(
          `Port ${failed} is not allowed for this user, and DOMAIN needs it: run lead-engine install, whose unit allows it, or start as root.`,
        )
      return new Error(`Port ${port} is not allowed for this user. Set PORT to one above 1023.`)
  }
  return error
}

const ownIps = () =>
  Object.values(networkInterfaces())
    .flatMap((ips = []) => ips.filter(({ family }) => family === 'IPv4').map((ip) => ip.address))
    .slice(0, 5)
    .join(', ')

/** Started before the credentials of the owner are removed from the environment of this process. */
function backupProcess() {
  const backups = backupFolder()
  if (!backups) return null
  checkBackupFolder(backups.folder)
  return startBackupProcess(threadFile('backup-process', import.meta.url))
}

/** Started after the migrations, whose table it writes to. */
function continuousBackup() {
  if (!continuousSettings()) return null
  return startContinuousBackup(threadFile('continuous-backup-process', import.meta.url), takeBucketKey())
}

/**
 * Creates the first account in an empty database, with an Admin who has no password yet, and returns its API key. Of several
 * processes that start at once, one creates it. Not if the service cannot listen: its key would never be shown.
 */
async function makeFirstAccount(
  database: Database,
  { holdPort, withKey }: { holdPort: () => Promise<void>; withKey: boolean },
): Promise<string | null> {
  const [account] = await database.directory`select 1 from accounts limit 1`
  if (account) return null
  await holdPort()
  try {
    const names = { account: initialNames.account, email: 'admin@example.com', name: initialNames.user }
    return (await makeAccount(database, names, { withKey })).api_key
  } catch (error) {
    const [made] = await database.directory`select 1 from accounts limit 1`
    if (made || isConflict(error)) return null
    throw error
  }
}

const runsAt = ({ baseUrl, tls }: Config) => {
  const waits = tls?.cert === null ? ', as soon as it has a certificate: the log says what it waits for' : ''
  return `Lead Engine runs at ${baseUrl} (version ${programVersion})${waits}`
}

/** At every LOG_LEVEL: the user who starts and stops the service sees that it worked. */
function say(app: FastifyInstance, { logFormat }: Config, text: string) {
  if (isText(logFormat)) console.log(text)
  else app.log.child({}, { level: 'info' }).info(text)
}

/** Until the account has a password. Each start makes another link, so that no log has one that still works. */
function welcome(config: Config, setUpLink: string, key: string | null) {
  const { baseUrl } = config
  const ofKey = `
  API key    ${key}

The key is shown only once: save it now. Create your first lead with it:

curl -sS -w '\\n' ${baseUrl}/api/v1/leads -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"name": "Asha Rao", "phone": "+91 98200 11223", "source": "Website"}'

The API reference is at ${baseUrl}/docs
`
  console.log(`
${runsAt(config)}

  Set up     ${setUpLink}

Open this link in a browser. It asks for your company, name, email and password.
It works once, within 24 hours. Until it is used, each start prints another one.
${key ? ofKey : ''}`)
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
}
