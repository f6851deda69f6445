import { randomUUID } from 'node:crypto'
import { countConnections } from '../config.ts'
import { type Connection, openAsOwner, openPool } from '../database/connect.ts'
import { type Unwritable, unwritableBy } from '../database/errors.ts'
import { schemaProblem, schemaState } from '../database/migrate.ts'
import { explainError, isSignInProblem, suggestFix } from '../database/sign-in-problem.ts'
import type { Sql } from '../database/sql.ts'
import { findUnfinishedRestore, interrupted } from '../database/unfinished-restore.ts'
import { findUnwritable } from '../database/watch-writes.ts'
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
  try {
    // Loaded only if needed: it uses node:sqlite, for which older versions of Node print a warning.
    const { startEmbedded } = await import('../database/embedded.ts')
    const config = installation.config.orNull()
    const connections = config ? countConnections(config) : 0
    const { connection, stop } = await startEmbedded(folder, () => {}, { create: false, connections })
    installation.closers.push(stop)
    return await connectAsOwner(installation, connection, 'DATA_DIR')
  } catch (error) {
    return problem(`The embedded database does not start: ${errorMessage(error)}.`, `${folder}/postgres.log says why.`)
  }
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
    await opened`select 1`
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

export const schema = ({ sql, isSchemaCurrent }: Installation): Check => ({
  name: 'schema',
  async run() {
    const connected = sql.get()
    if (!(await mayRead(connected))) {
      return problem(
        'The user in DATABASE_URL may not read the tables.',
        'Set DATABASE_URL to the sign-in of the owner of the tables.',
      )
    }
    const state = await schemaState(connected)
    if (state.is === 'empty') {
      const restore = await findUnfinishedRestore(connected)
      if (restore) return problem(`${interrupted(restore)}, and the database is empty.`, 'Restore it again.')
      return problem(
        'The database has no Lead Engine tables.',
        "Start the service, which creates them, or set DATABASE_URL to the service's database.",
      )
    }
    const wrong = state.is === 'current' ? null : schemaProblem(state)
    if (wrong) return split(wrong)
    isSchemaCurrent.set(true)
    return fine('The schema is current.')
  },
})

/** Writes a row and takes it back. */
export const writes = ({ sql, isSchemaCurrent }: Installation): Check => ({
  name: 'writes',
  async run() {
    isSchemaCurrent.get()
    const connected = sql.get()
    const reason = (await findUnwritable(connected)) ?? (await tryToWrite(connected))
    if (reason === 'read_only') {
      return problem(
        'The database accepts no writes: its transactions are read-only.',
        'Reset default_transaction_read_only (of the server, the database and its roles), or connect to the primary.',
      )
    }
    if (reason === 'disk_full') {
      return problem('The database accepts no writes: its disk is full.', 'Free space on the disk of PostgreSQL.')
    }
    return fine('The database accepts writes.')
  },
})

async function tryToWrite(sql: Sql): Promise<Unwritable | null> {
  const takenBack = new Error()
  try {
    await sql.begin(async (tx) => {
      await tx`insert into installation_secrets (name, value) values (${`doctor ${randomUUID()}`}, '')`
      throw takenBack
    })
  } catch (error) {
    const reason = unwritableBy(error)
    if (reason) return reason
    if (error !== takenBack) throw error
  }
  return null
}

async function mayRead(sql: Sql): Promise<boolean> {
  const [row] = await sql`select bool_and(has_table_privilege('public.' || tablename, 'select')
      and has_schema_privilege('public', 'usage')) as may
    from pg_tables where schemaname = 'public' and tablename = 'migrations'`
  return row!.may !== false
}

/** These errors name the fix after a colon. */
function split({ message }: Error): Finding {
  const [what = '', ...fix] = message.split('): ')
  const text = fix.join('): ')
  return problem(`${what}).`, text.charAt(0).toUpperCase() + text.slice(1))
}
