import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countConnections } from '../../server/config.ts'
import { type Connection, openAsOwner, openPool } from '../../server/platform/database/connect.ts'
import { explainError, isSignInProblem, suggestFix } from '../../server/platform/database/sign-in-problem.ts'
import type { Sql } from '../../server/platform/database/sql.ts'
import { type Check, errorMessage, type Finding, fine, problem } from './check.ts'
import type { Installation } from './installation.ts'

/** Starts the embedded database for as long as doctor runs, or joins the running one. Never creates one. */
export const database = (installation: Installation): Check => ({
  name: 'database',
  // After a crash, PostgreSQL first reads its write-ahead log.
  seconds: 120,
  async run() {
    const folder = installation.dataDir.get()
    const { owner, given } = installation.settings.get()
    if (folder !== null) return startIn(folder, installation)
    if (owner) return connectAsOwner(installation, owner, 'DATABASE_URL')
    const { directory } = given!
    return tryConnection(installation, openPool(directory, { max: 1 }), directory, 'DATABASE_DIRECTORY_URL')
  },
})

async function startIn(folder: string, installation: Installation): Promise<Finding> {
  const password = await repairPassword(folder, installation)
  if (password && !password.ok) return password
  try {
    // Loaded only if needed: it uses node:sqlite, for which older versions of Node print a warning.
    const { startEmbedded } = await import('../embedded/embedded.ts')
    const config = installation.config.orNull()
    const connections = config ? countConnections(config) : 0
    const { connection, stop } = await startEmbedded(folder, () => {}, { create: false, connections })
    installation.closers.push(stop)
    const finding = await connectAsOwner(installation, connection, 'DATA_DIR')
    return finding.ok && password ? fine(`${password.message} ${finding.message}`) : finding
  } catch (error) {
    return problem(
      `The embedded database does not start: ${errorMessage(error).replace(/\. Run lead-engine doctor$/, '')}.`,
      await startAdvice(error as Error, folder, installation),
    )
  }
}

/** Returns nothing if the file with the password is there. */
async function repairPassword(folder: string, { repair }: Installation): Promise<Finding | null> {
  const file = join(folder, 'postgres.password')
  if (existsSync(file)) return null
  const message = `${file} with the password of the embedded database is missing.`
  if (repair !== 'everything') {
    return problem(
      message,
      'Stop the service, which still knows it, and run lead-engine doctor --repair. That sets another password and loses no data.',
    )
  }
  const { setNewPassword } = await import('../embedded/set-password.ts')
  try {
    await setNewPassword(folder)
    return fine(`${file} was missing: the embedded database has a new password.`)
  } catch (error) {
    return problem(`${message} ${(error as Error).message}`, 'Stop the service, and run lead-engine doctor --repair.')
  }
}

const damagedFiles =
  /pg_control|PG_CONTROL_VERSION 0,|WAL directory|checkpoint record|could not (?:find|open|read) |invalid page|PANIC|checksum|is not a valid data directory|missing or erroneous/

/** A library, a name, a value, or more memory than there is. */
const wrongSetting =
  /could not access file|configuration parameter|invalid value for parameter|configuration file .* contains errors|could not map anonymous shared memory|requires a .* value/

const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .slice(0, 10)
    .join('; ') || 'no setting'

/** PostgreSQL says why it does not start. */
async function startAdvice(error: Error, folder: string, { restoreAdvice }: Installation): Promise<string> {
  if (/No space left on device|53100/.test(error.message)) {
    return `Free space on the disk of ${folder}, or enlarge it. Then start the service: no data is lost.`
  }
  if ((error.cause as { code?: string } | undefined)?.code === '28P01') {
    return `${folder}/postgres.password does not have the password of the database. Stop the service, remove that file, and run lead-engine doctor --repair, which sets another one.`
  }
  const wrong = wrongSetting.exec(error.message)
  if (wrong) {
    const file = join(folder, 'postgres', 'postgresql.auto.conf')
    return `A setting keeps PostgreSQL from starting, and no data is damaged. Remove its line from ${file} or postgresql.conf beside it, and start the service. ${file} has: ${linesOf(file)}.`
  }
  if (damagedFiles.test(error.message))
    return `The files of the database are damaged. ${await restoreAdvice.ofFolder(folder)}`
  return `${folder}/postgres.log says why.`
}

function connectAsOwner(installation: Installation, owner: Connection, variable: string): Promise<Finding> {
  installation.owner.set(owner)
  return tryConnection(installation, openAsOwner(owner, { max: 1 }), owner, variable)
}

async function tryConnection(
  { sql, closers }: Installation,
  opened: Sql,
  { username }: Connection,
  variable: string,
): Promise<Finding> {
  closers.push(() => opened.end({ timeout: 1 }))
  try {
    // What holds a lock is then named, instead of waited for.
    await opened`set lock_timeout = '5s'`
    sql.set(opened)
    return fine(`The database answers to ${username}.`)
  } catch (error) {
    return connectionProblem(error, variable)
  }
}

export function connectionProblem(error: unknown, variable: string): Finding {
  const reason = isSignInProblem(error) ? explainError(error) : ''
  return problem(`${variable}: ${reason || errorMessage(error)}.`, suggestFix(error, variable))
}

export const databaseVersion = ({ sql }: Installation): Check => ({
  name: 'database_version',
  async run() {
    const [row] = await sql.get()`select current_setting('server_version_num')::int as number,
      current_setting('server_version') as name`
    return judgeVersion(row as unknown as { number: number; name: string })
  },
})

export function judgeVersion({ number, name }: { number: number; name: string }): Finding {
  if (number < 150_000) {
    return problem(`PostgreSQL ${name} is too old: Lead Engine needs 15 or newer.`, 'Upgrade PostgreSQL.')
  }
  return fine(`PostgreSQL ${name}.`)
}
