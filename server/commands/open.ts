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

/** Whose schema is brought up to date: only what serves migrates a database that is in use. */
type Migrates = 'always' | 'empty' | 'never'

interface Ways {
  migrates: Migrates
  watched?: boolean
  log?: (message: string) => void
}

/**
 * The installation that the environment describes, for a process that stays. The embedded database is started where it
 * does not run, and stopped again by the last one who needs it. Signed in as the service's two roles: the owner's
 * credentials end here, in the environment too.
 */
export async function openInstallation(ways: Ways): Promise<Opened & { startedByNpm: boolean }> {
  const { owner: _, ...opened } = await open(ways)
  for (const name of ['DATABASE_URL', 'DATABASE_APP_URL', 'DATABASE_DIRECTORY_URL']) delete process.env[name]
  return { ...opened, startedByNpm: process.env.npm_lifecycle_event !== undefined }
}

/** For a command that asks or changes something and ends. `owner` is null where only the roles' URLs are set. */
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
      throw new Error('The service has roles of your own here: set DATABASE_APP_URL and DATABASE_DIRECTORY_URL.')
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
    'The database holds no Lead Engine yet: start the service or run lead-engine setup, or set DATABASE_URL to the service’s database.',
  )
}

/** Both can sign in, and row-level security holds for them. */
async function checkRoles({ app, directory }: SignIns, given: boolean): Promise<void> {
  const check = async (connection: Connection, variable: string) => {
    const excess = await signInAs(connection, excessOf, given ? variable : null)
    if (!excess) return
    throw new Error(
      given
        ? `${variable} must name a role that row-level security holds for: ${excess}.`
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

/** The server is not there, or does not let this user in. */
function isSignInProblem(error: unknown): error is Error {
  const code = String((error as { code?: unknown } | null)?.code)
  return isAway(error) || /^28|^3D000$|^42501$|TLS|CERT|SSL/.test(code) || isUntrusted(code)
}

const isUntrusted = (code: string) => /^UNABLE_TO_|SELF_SIGNED/.test(code)

function reasonOf({ message, code }: Error & { code?: unknown }): string {
  if (isUntrusted(String(code)))
    return 'the server has a certificate that is not trusted: name its authority in sslrootcert'
  if (/before secure TLS/.test(message)) return 'the server offers no TLS, which its sslmode needs'
  return message
}

const sayToPeople = (message: string) => console.error(message)
