import { type Connection, connect, openPool, type SignIns } from '../database/connect.ts'
import { findExcessRights, listSignIns } from '../database/service-roles.ts'
import { explainError, isSignInProblem, suggestFix } from '../database/sign-in-problem.ts'
import type { Sql } from '../database/sql.ts'
import { makeProof } from '../health/proof.ts'
import { createdSecret } from '../sign-in/secret.ts'
import { type Check, type Finding, fine, problem } from './check.ts'
import type { Installation } from './installation.ts'

/** What the service cannot work without. Migrations grant more. */
const needed: Record<keyof SignIns, Record<string, string>> = {
  app: {
    leads: 'select, insert, update, delete',
    call_logs: 'select, insert, update, delete',
    timeline_entries: 'select, insert, update, delete',
    deliveries: 'select, insert, update, delete',
    lead_counts: 'select, insert, update, delete',
    lead_count_changes: 'select, insert, delete',
    audit_log: 'select, insert',
  },
  directory: {
    accounts: 'select',
    users: 'select',
    api_keys: 'select',
    webhooks: 'select',
    sessions: 'select, insert, update, delete',
    credentials: 'select, insert, update, delete',
    installation_secrets: 'select, insert',
  },
}

export const databaseRights = (installation: Installation): Check => ({
  name: 'database_rights',
  async run() {
    const sql = installation.sql.get()
    installation.isSchemaCurrent.get()
    const { given } = installation.settings.get()
    const owner = installation.owner.orNull()
    const roles = await listSignIns(sql, owner, given)
    if (!roles) {
      return problem(
        'The roles of the service are not recorded in the database.',
        'Set DATABASE_APP_URL and DATABASE_DIRECTORY_URL, as for the service.',
      )
    }
    const wrong =
      (await problemOfRole(roles.directory, needed.directory, given && 'DATABASE_DIRECTORY_URL')) ??
      (await problemOfRole(roles.app, needed.app, given && 'DATABASE_APP_URL')) ??
      (owner && (await problemOfOwner(sql)))
    if (wrong) return wrong
    await openDatabase(installation, roles)
    return fine('The roles of the service can sign in and have the rights they need, and not more.')
  },
})

async function openDatabase({ database, proof, closers }: Installation, roles: SignIns) {
  const opened = connect(roles, { watched: false, poolSize: 4 })
  closers.push(opened.close)
  const secret = await createdSecret(opened.directory)
  // Without a secret no service has run on this database: one that answers is of another installation.
  proof.set(secret === null ? '' : makeProof(secret))
  database.set(opened)
}

/** `variable` names the role, unless it is one of our own. */
async function problemOfRole(
  connection: Connection,
  rights: Record<string, string>,
  variable: string | null,
): Promise<Finding | null> {
  const sql = openPool(connection, { max: 1 })
  const name = connection.username
  try {
    const excess = await findExcessRights(sql)
    if (excess) {
      return problem(
        `Row-level security would not apply to the service: ${excess}.`,
        variable ? `Name another role in ${variable}.` : 'Take these rights from the role.',
      )
    }
    const lacking = await lackingRights(sql, rights)
    if (lacking.length > 0) {
      return problem(
        `The role ${name} lacks rights: ${lacking.join(', ')}.`,
        'Grant them as the owner of the tables. If the database was restored from a dump, restore it with its privileges.',
      )
    }
    return null
  } catch (error) {
    if (!isSignInProblem(error)) throw error
    return problem(
      `The service's role ${name} cannot sign in: ${explainError(error)}.`,
      variable
        ? suggestFix(error, variable)
        : 'Restart the service, which sets the passwords of its roles again, or let pg_hba.conf admit the role with a password.',
    )
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function lackingRights(sql: Sql, rights: Record<string, string>): Promise<string[]> {
  const wanted = Object.entries(rights).flatMap(([table, list]) => list.split(', ').map((right) => ({ table, right })))
  const [usage] = await sql`select has_schema_privilege('public', 'usage') as granted`
  if (!usage!.granted) return ['usage on the schema public']
  const rows = await sql<{ lacks: string }[]>`
    select name || ' on ' || of_table as lacks
    from unnest(${wanted.map(({ table }) => table)}::text[], ${wanted.map(({ right }) => right)}::text[])
      with ordinality as wanted (of_table, name, position)
    where not has_table_privilege(of_table, name) order by position`
  return rows.map(({ lacks }) => lacks)
}

async function problemOfOwner(sql: Sql): Promise<Finding | null> {
  const [row] = await sql`select current_user as name, tableowner as owner,
      pg_has_role(tableowner, 'member') as owns from pg_tables where schemaname = 'public' and tablename = 'leads'`
  if (!row || row.owns) return null
  return problem(
    `The user ${row.name} in DATABASE_URL does not own the tables: they belong to ${row.owner}.`,
    `Set DATABASE_URL to the sign-in of ${row.owner}: only the owner can migrate.`,
  )
}
