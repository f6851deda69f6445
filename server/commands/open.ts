import { type Config, readConfig } from '../config.ts'
import {
  type Connection,
  connect,
  type Database,
  isAway,
  openAsOwner,
  openPool,
  type SignIns,
} from '../database/connect.ts'
import { type DatabaseSettings, readDatabaseSettings } from '../database/database-settings.ts'
import { startEmbedded } from '../database/embedded.ts'
import { migrate, newerSchema, olderSchema, type SchemaState, schemaState } from '../database/migrate.ts'
import { excessOf, resetPasswords, signInsOf } from '../database/service-roles.ts'

export interface Opened {
  config: Config
  database: Database
  close(): Promise<void>
}

/** When to migrate: only the service and `migrate` change a database that has data. */
type Migrates = 'always' | 'empty' | 'never'

interface Ways {
  migrates: Migrates
  watched?: boolean
  log?: (message: string) => void
}

/**
 * Opens the installation that the environment describes, for a long-running process. Starts the embedded database if
 * needed; the last process that uses it stops it. Connects with the service's two roles, and removes the owner's
 * credentials, also from the environment.
 */
export async function openInstallation(ways: Ways): Promise<Opened & { startedByNpm: boolean }> {
  const { owner: _, ...opened } = await open(ways)
  for (const name of ['DATABASE_URL', 'DATABASE_APP_URL', 'DATABASE_DIRECTORY_URL']) delete process.env[name]
  return { ...opened, startedByNpm: process.env.npm_lifecycle_event !== undefined }
}

/** Opens the installation for a short command. `owner` is null if only the URLs of the roles are set. */
export async function withInstallation<T>(
  work: (opened: Opened & { owner: Connection | null }) => Promise<T>,
  { migrates = 'never' }: { migrates?: Migrates } = {},
): Promise<T> {
  const opened = await open({ migrates })
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

async function open({ migrates, watched = false, log = sayToPeople }: Ways) {
  const config = readConfig(process.env)
  const settings = readDatabaseSettings(process.env)
  const isEmbedded = !settings.owner && !settings.given
  const embedded = isEmbedded ? await startEmbedded(settings.dataDir, log, { create: migrates !== 'never' }) : null
  const owner = embedded?.connection ?? settings.owner
  const stop = embedded?.stop
  try {
    const signIns = await signInsFor(owner, settings, migrates)
    const database = connect(signIns, { watched, poolSize: config.databasePoolSize })
    const close = async () => {
      await database.close()
      await stop?.()
    }
    return { config, owner, database, close }
  } catch (error) {
    await stop?.()
    throw error
  }
}

async function signInsFor(owner: Connection | null, { given }: DatabaseSettings, migrates: Migrates): Promise<SignIns> {
  if (!owner) {
    await signInAs(given!.directory, (sql) => checkSchema(sql, 'never'), 'DATABASE_DIRECTORY_URL')
    await checkRoles(given!, true)
    return given!
  }
  const sql = openAsOwner(owner, { max: 1 })
  try {
    await checkSchema(sql, migrates, given).catch((error) => {
      throw isSignInProblem(error) ? new Error(`DATABASE_URL: ${reasonOf(error)}.`, { cause: error }) : error
    })
    const signIns = given ?? (await signInsOf(sql, owner))
    if (!signIns) {
      throw new Error('This installation uses its own roles: set DATABASE_APP_URL and DATABASE_DIRECTORY_URL.')
    }
    await checkRoles(signIns, given !== null).catch(async (error) => {
      if (given || migrates !== 'always') throw error
      await resetPasswords(sql)
      await checkRoles(signIns, false)
    })
    return signIns
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function checkSchema(sql: ReturnType<typeof openPool>, migrates: Migrates, given: SignIns | null = null) {
  const state = await schemaState(sql)
  if (migrates === 'always' || (migrates === 'empty' && state.is === 'empty')) return migrate(sql, given)
  if (state.is !== 'current') throw schemaProblem(state)
}

function schemaProblem(state: SchemaState): Error {
  if (state.is === 'newer') return newerSchema(state)
  if (state.is === 'older') return olderSchema(state)
  return new Error(
    'The database has no Lead Engine tables yet: start the service or run lead-engine setup, or set DATABASE_URL to the service’s database.',
  )
}

/** Checks that both roles can connect, and that row-level security applies to them. */
async function checkRoles({ app, directory }: SignIns, given: boolean): Promise<void> {
  const check = async (connection: Connection, variable: string) => {
    const excess = await signInAs(connection, excessOf, given ? variable : null)
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
    throw new Error(
      variable
        ? `${variable}: ${reasonOf(error)}.`
        : `The service's role ${connection.username} cannot sign in (${reasonOf(error)}): let pg_hba.conf admit it with a ` +
            'password, or name roles that can sign in with DATABASE_APP_URL and DATABASE_DIRECTORY_URL.',
      { cause: error },
    )
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Explains why the server is unreachable, or rejects this role. */
function isSignInProblem(error: unknown): error is Error {
  const code = String((error as { code?: unknown } | null)?.code)
  return isAway(error) || /^28|^3D000$|^42501$|TLS|CERT|SSL/.test(code) || isUntrusted(code)
}

const isUntrusted = (code: string) => /^UNABLE_TO_|SELF_SIGNED/.test(code)

function reasonOf({ message, code }: Error & { code?: unknown }): string {
  if (isUntrusted(String(code))) return 'the certificate of the server is not trusted: set sslrootcert to its authority'
  if (/before secure TLS/.test(message)) return 'the server offers no TLS, which sslmode requires'
  return message
}

const sayToPeople = (message: string) => console.error(message)
