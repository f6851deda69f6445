import { accessSync, constants } from 'node:fs'
import { type Config, countConnections, readConfig } from '../../server/config.ts'
import {
  asOwner,
  type Connection,
  connect,
  type Database,
  openPool,
  type SignIns,
} from '../../server/platform/database/connect.ts'
import { type DatabaseSettings, readDatabaseSettings } from '../../server/platform/database/database-settings.ts'
import { writeDatabaseUrl } from '../../server/platform/database/database-url.ts'
import { migrate, restoreCommand, schemaProblem, schemaState } from '../../server/platform/database/migrate.ts'
import { isOwnSession, sharedSession } from '../../server/platform/database/own-session.ts'
import { findExcessRights, listSignIns, resetPasswords } from '../../server/platform/database/service-roles.ts'
import { explainError, isSignInProblem } from '../../server/platform/database/sign-in-problem.ts'
import { interrupted } from '../../server/platform/database/unfinished-restore.ts'
import { makeBackupFolder, missingParent } from '../backup/backup-folder.ts'
import { type ContinuousSettings, readContinuousSettings } from '../continuous-backup/settings.ts'
import { fixReadOnly } from '../doctor/read-only-folder.ts'
import { checkRestored, forgetRestore } from '../embedded/unfinished-restore.ts'
import { readServiceUrl } from './service-url.ts'

export interface Opened {
  config: Config
  database: Database
  /** The folder of the embedded database; null with a PostgreSQL of your own. */
  dataDir: string | null
  /** Saved before the embedded database was migrated; null if it was not. */
  snapshot: string | null
  close(): Promise<void>
}

/** When to migrate: only the service and `migrate` change a database that has data. */
type Migrates = 'always' | 'empty' | 'never'

interface OpenOptions {
  migrates: Migrates
  watched?: boolean
  log?: (message: string) => void
  /** Runs before the database is created or migrated. If it throws an error, nothing is changed. */
  holdPort?: () => Promise<void>
}

interface OpenedService extends Opened {
  /** The variables with which another process of the service signs in, without the owner's credentials. */
  signInUrls: Record<string, string>
}

/**
 * Opens the installation that the environment describes, for a long-running process. Starts the embedded database if
 * needed; the last process that uses it stops it. Connects with the service's two roles, and removes the owner's
 * credentials, also from the environment.
 */
export async function openInstallation(options: OpenOptions): Promise<OpenedService> {
  const { owner: _, signIns, replica, ...opened } = await open(options)
  const { DATABASE_URL, DATABASE_APP_URL, DATABASE_DIRECTORY_URL, DATABASE_READ_URL } = process.env
  const like = (url: string | undefined) => url?.trim() || DATABASE_URL?.trim() || 'postgres://localhost'
  const signInUrls = {
    DATABASE_APP_URL: writeDatabaseUrl(signIns.app, like(DATABASE_APP_URL)),
    DATABASE_DIRECTORY_URL: writeDatabaseUrl(signIns.directory, like(DATABASE_DIRECTORY_URL)),
    ...(replica ? { DATABASE_READ_URL: writeDatabaseUrl(replica, like(DATABASE_READ_URL)) } : {}),
  }
  delete process.env.DATABASE_PASSWORD_FILE
  for (const name of ['DATABASE_URL', 'DATABASE_APP_URL', 'DATABASE_DIRECTORY_URL', 'DATABASE_READ_URL'])
    delete process.env[name]
  return { ...opened, signInUrls }
}

/**
 * Opens the installation for a short command. `owner` is null if only the URLs of the roles are set. Without a BASE_URL, the command
 * has that of the service.
 */
export async function withInstallation<T>(
  work: (opened: Opened & { owner: Connection | null }) => Promise<T>,
  { migrates = 'never' }: { migrates?: Migrates } = {},
): Promise<T> {
  const opened = await open({ migrates })
  try {
    const { config, database } = opened
    const saved = process.env.BASE_URL?.trim() ? null : await readServiceUrl(database.directory)
    return await work({ ...opened, config: { ...config, baseUrl: saved ?? config.baseUrl } })
  } finally {
    await opened.close()
  }
}

/** Opens the database as its owner, for commands that read or replace all of it. */
export async function withOwner<T>(
  work: (opened: { owner: Connection; given: SignIns | null; dataDir: string; isEmbedded: boolean }) => Promise<T>,
): Promise<T> {
  const { config, settings } = readVariables()
  const { owner, given, dataDir } = settings
  if (!owner && given)
    throw new Error('Set DATABASE_URL to the owner of the tables: no other role can read all of them.')
  const { startEmbedded } = owner ? {} : await import('../embedded/embedded.ts')
  const connections = countConnections(config)
  const embedded = await startEmbedded?.(dataDir, sayToPeople, { create: false, connections })
  try {
    if (owner) await checkSession(owner, 'DATABASE_URL')
    return await work({ owner: owner ?? embedded!.connection, given, dataDir, isEmbedded: !owner })
  } catch (error) {
    throw owner ? explained(error, 'DATABASE_URL') : error
  } finally {
    await embedded?.stop()
  }
}

/** Reads the environment. Throws one error with the problems of all variables. */
export function readVariables(): { config: Config; settings: DatabaseSettings } {
  const [config, settings] = [attempt(() => readConfig(process.env)), attempt(() => readDatabaseSettings(process.env))]
  if (config.value && settings.value) return { config: config.value, settings: settings.value }
  throw new Error([config.problem, settings.problem].filter(Boolean).join('\n'))
}

function attempt<T>(read: () => T): { value?: T; problem?: string } {
  try {
    return { value: read() }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

/** The folders of this installation that contain lists of deleted leads. */
export function dataFolders(): string[] {
  const { dataDir } = readDatabaseSettings(process.env)
  const backups = backupFolder()
  return backups ? [dataDir, backups.folder] : [dataDir]
}

/** Returns null if CONTINUOUS_BACKUP is not set. */
export function continuousSettings(): ContinuousSettings | null {
  return readContinuousSettings(process.env)
}

/** Returns the environment with the key of the bucket, and takes the key out of that of this process, which answers requests. */
export function takeBucketKey(): NodeJS.ProcessEnv {
  const env = { ...process.env }
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) delete process.env[name]
  return env
}

/** Where daily backups are written, and how many are kept; null if BACKUP_DIR is not set. */
export function backupFolder(): { folder: string; keep: number } | null {
  const { backupDir, backupKeep } = readVariables().config
  return backupDir ? { folder: backupDir, keep: backupKeep } : null
}

/** Checks that daily backups can be made, before the service starts. */
export function checkBackupFolder(folder: string): void {
  const { owner, given } = readDatabaseSettings(process.env)
  if (given && !owner) {
    throw new Error(
      'BACKUP_DIR needs DATABASE_URL, the owner of the tables: set it, or run lead-engine backup elsewhere instead.',
    )
  }
  const missing = missingParent(folder)
  if (missing) throw new Error(missing)
  try {
    makeBackupFolder(folder)
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    const fix = code === 'EROFS' ? ` ${fixReadOnly(folder)}` : ''
    throw new Error(`BACKUP_DIR cannot be used (${message}).${fix}`, { cause: error })
  }
}

async function open({ migrates, watched = false, log = sayToPeople, holdPort = async () => {} }: OpenOptions) {
  const { config, settings } = readVariables()
  const isEmbedded = !settings.owner && !settings.given
  // Loaded only if needed: it uses node:sqlite, for which older versions of Node print a warning.
  const { startEmbedded } = isEmbedded ? await import('../embedded/embedded.ts') : {}
  const embedded = await startEmbedded?.(settings.dataDir, log, {
    create: migrates !== 'never',
    connections: countConnections(config),
    beforeCreation: checkBefore(settings.dataDir, migrates, holdPort),
  })
  const owner = embedded?.connection ?? settings.owner
  const stop = embedded?.stop
  try {
    if (migrates !== 'never' || watched) await checkSessions(settings)
    let snapshot: string | null = null
    const save = embedded && snapshotOf(embedded.connection, settings.dataDir, log)
    const beforeChange = save && (async () => (snapshot = await save()))
    const signIns = await signInsFor(owner, settings, { migrates, log, holdPort, beforeChange })
    const { username, password } = signIns.app
    const replica = watched && settings.replica ? { ...settings.replica, username, password } : null
    const database = connect(signIns, { watched, poolSize: config.databasePoolSize, replica, log })
    const close = async () => {
      await database.close()
      await stop?.()
    }
    const dataDir = isEmbedded ? settings.dataDir : null
    return { config, owner, signIns, replica, database, dataDir, snapshot, close }
  } catch (error) {
    await stop?.()
    throw error
  }
}

/** In a scope of its own, as the next one. */
const checkBefore = (dataDir: string, migrates: Migrates, holdPort: () => Promise<void>) => async () => {
  if (migrates === 'always') checkRestored(dataDir)
  else forgetRestore(dataDir)
  await holdPort()
}

/** In a scope of its own: `close`, which lives as long as the service, would keep the owner's password in memory. */
const snapshotOf = (owner: Connection, dataDir: string, log: (message: string) => void) => async () => {
  log('Saving a snapshot of the database before it is migrated')
  const { saveSnapshot } = await import('../backup/snapshot.ts')
  const file = await saveSnapshot(owner, dataDir, new Date())
  log(`To go back to the earlier version, install it again and run: ${restoreCommand(file)}`)
  return file
}

interface Preparation {
  migrates: Migrates
  log(message: string): void
  holdPort(): Promise<void>
  beforeChange: (() => Promise<string>) | undefined
}

async function signInsFor(
  owner: Connection | null,
  { given }: DatabaseSettings,
  preparation: Preparation,
): Promise<SignIns> {
  if (!owner) {
    const signIns = await signInAs(
      given!.directory,
      async (sql) => {
        await checkCurrent(sql)
        return listSignIns(sql, owner, given)
      },
      'DATABASE_DIRECTORY_URL',
    )
    await checkRoles(signIns!, true)
    return signIns!
  }
  return asOwner(owner, async (sql) => {
    await prepareSchema(sql, given, preparation).catch((error) => {
      throw explained(error, 'DATABASE_URL')
    })
    const signIns = await listSignIns(sql, owner, given)
    if (!signIns) {
      throw new Error('This installation uses its own roles: set DATABASE_APP_URL and DATABASE_DIRECTORY_URL.')
    }
    await checkRoles(signIns, given !== null).catch(async (error) => {
      if (given || preparation.migrates !== 'always') throw error
      await resetPasswords(sql)
      await checkRoles(signIns, false)
    })
    return signIns
  })
}

async function checkSessions({ owner, given }: DatabaseSettings): Promise<void> {
  if (owner) await checkSession(owner, 'DATABASE_URL')
  if (!given) return
  await checkSession(given.app, 'DATABASE_APP_URL')
  await checkSession(given.directory, 'DATABASE_DIRECTORY_URL')
}

/** The lock of migrations belongs to a session too. */
async function checkSession(connection: Connection, variable: string): Promise<void> {
  const isOwn = await isOwnSession(connection).catch((error) => {
    throw explained(error, variable)
  })
  if (!isOwn) throw new Error(`${sharedSession.message(variable)}. ${sharedSession.fix}`)
}

const explained = (error: unknown, variable: string) =>
  isSignInProblem(error) ? new Error(`${variable}: ${explainError(error)}.`, { cause: error }) : error

async function prepareSchema(
  sql: ReturnType<typeof openPool>,
  given: SignIns | null,
  { migrates, log, holdPort, beforeChange }: Preparation,
): Promise<void> {
  const { is, texts } = await schemaState(sql)
  if (migrates === 'never' || (migrates === 'empty' && is !== 'empty')) return checkCurrent(sql)
  if (is !== 'current' || texts.length > 0) await holdPort()
  await migrate(sql, given, {
    beforeChange,
    onUnfinishedRestore: (restore, { is }) => {
      if (is !== 'empty')
        return log(`${interrupted(restore)}: the data is as it was before. To have the backup, restore it again.`)
      if (migrates === 'empty') return
      throw new Error(
        `${interrupted(restore)}, and the database is empty: restore it again. To start with an empty database instead, run lead-engine setup.`,
      )
    },
  })
}

async function checkCurrent(sql: ReturnType<typeof openPool>): Promise<void> {
  const state = await schemaState(sql)
  if (state.is === 'current') return
  throw (
    schemaProblem(state) ??
    new Error(
      'The database has no Lead Engine tables yet: start the service or run lead-engine setup, or set DATABASE_URL to the service’s database.',
    )
  )
}

/** Checks that both roles can connect, and that row-level security applies to them. */
async function checkRoles({ app, directory }: SignIns, given: boolean): Promise<void> {
  const check = async (connection: Connection, variable: string) => {
    const excess = await signInAs(connection, findExcessRights, given ? variable : null)
    if (!excess) return
    throw new Error(
      given
        ? `${variable} must name a role to which row-level security applies: ${excess}.`
        : `The service may not run with more rights than it needs: ${excess}. Take them from that role.`,
    )
  }
  await Promise.all([check(app, 'DATABASE_APP_URL'), check(directory, 'DATABASE_DIRECTORY_URL')])
}

async function signInAs<T>(
  connection: Connection,
  work: (sql: ReturnType<typeof openPool>) => Promise<T>,
  variable: string | null,
): Promise<T> {
  const sql = openPool(connection, { max: 1 })
  try {
    return await work(sql)
  } catch (error) {
    if (!isSignInProblem(error)) throw error
    if (variable) throw explained(error, variable)
    throw new Error(
      `The service's role ${connection.username} cannot sign in (${explainError(error)}): let pg_hba.conf admit it with a ` +
        'password, or name roles that can sign in with DATABASE_APP_URL and DATABASE_DIRECTORY_URL.',
      { cause: error },
    )
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** The variables that configure the service. Doctor reports invalid ones, instead of stopping at the first. */
export const environment: Readonly<Record<string, string | undefined>> = process.env

const sayToPeople = (message: string) => console.error(message)
