import { join } from 'node:path'
import { buildApp } from '../app.ts'
import { erasedListName } from '../backup/erased-list.ts'
import { logErasedLeads } from '../backup/log-erased-leads.ts'
import { scheduleBackups, startBackupProcess } from '../backup/schedule-backups.ts'
import { cleanUpHourly } from '../cleanup.ts'
import type { Config } from '../config.ts'
import { type Database, isConflict } from '../database/connect.ts'
import { observeDisks } from '../health/metrics.ts'
import { listen } from '../http/connections.ts'
import { openRateLimits } from '../http/rate-limit.ts'
import { buildSignIn, secretOf } from '../sign-in/sign-in.ts'
import { continueReassignments } from '../team/reassign-leads.ts'
import { threadFile } from '../threads/thread.ts'
import { openTracing } from '../tracing/tracing.ts'
import { buildWebAppIfNeeded } from '../web-app/built.ts'
import { backupFolder, checkBackupFolder, dataFolders, environment, openInstallation } from './open.ts'
import { setUp } from './setup.ts'

export async function runService() {
  const parent = process.ppid
  let log: (message: string) => void = (message) => console.error(message)
  const tracing = await openTracing(environment, (message) => log(message))
  const backups = backupProcess()
  const building = buildWebAppIfNeeded()
  // Handled below, after the database has started.
  building.catch(() => {})
  const installation = await openInstallation({ migrates: 'always', watched: true, log: (message) => log(message) })
  const { config, database, dataDir } = installation
  const rateLimits = openRateLimits(config.redisUrl, (message) => log(message))
  try {
    await building
    const first = await makeFirstAccount(database)
    const signIn = buildSignIn({
      directory: database.directory,
      baseUrl: config.baseUrl,
      secret: await secretOf(database.directory),
      report: (message, details) => app.log.error({ details }, message),
    })
    const traced = tracing?.observeDatabase(database) ?? database
    const app = await buildApp({ config, database: traced, rateLimits, signIn, tracing })
    log = (message) => app.log.warn(message)
    observeDisks(app.metrics, { data: dataDir, backups: config.backupDir })
    const reassigning = continueReassignments(database, (err) => app.log.error({ err }, 'reassigning leads'))
    const cleanup = cleanUpHourly(database, {
      deliveryRetentionDays: config.deliveryRetentionDays,
      metrics: app.metrics,
      onError: (err, where) => app.log.error({ err, ...where }, 'cleanup'),
    })
    const erased = logErasedLeads(database, {
      lists: dataFolders().map((folder) => join(folder, erasedListName)),
      metrics: app.metrics,
      onError: (err, list) => app.log.error({ err, list }, 'deleted leads are not logged'),
    })
    const schedule =
      backups &&
      scheduleBackups(database, backups, {
        metrics: app.metrics,
        onDone: (backup) => app.log.info(backup, 'daily backup'),
        onError: (err) => app.log.error({ err }, 'daily backup'),
      })
    // The database last: a hook of the app would run before those of its parts, which still write.
    const stop = stopOnSignals(async () => {
      // Disconnects slow clients, so that the database is closed in time.
      setTimeout(() => app.server.closeAllConnections(), 7000).unref()
      reassigning.stop()
      await cleanup.stop()
      await schedule?.stop()
      await app.close()
      await erased.stop()
      rateLimits.close()
      await tracing?.close()
      await installation.close()
    })
    if (installation.startedByNpm) stopWithParent(parent, stop)
    await listen(app, config)
    if (first) welcome(config, first)
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

/** Creates the first account in an empty database. Of several processes that start at once, one creates it. */
async function makeFirstAccount(database: Database): Promise<First | null> {
  const [account] = await database.directory`select 1 from accounts limit 1`
  if (account) return null
  try {
    return await setUp(database, { account: 'My company', email: 'admin@example.com', name: 'Admin' })
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

/**
 * The first signal lets running requests finish; a second one does not wait. Two at the same moment count as one: Ctrl-C
 * comes from the terminal and again through npm.
 */
function stopOnSignals(close: () => Promise<unknown>) {
  let askedAt: number | null = null
  const stop = async () => {
    if (askedAt !== null) {
      if (performance.now() - askedAt > 1000) process.exit(1)
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
