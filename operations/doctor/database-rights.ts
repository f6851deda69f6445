import { createdSecret } from '../../server/access/sign-in/secret.ts'
import { type Connection, connect, openPool, type SignIns } from '../../server/platform/database/connect.ts'
import { findExcessRights, listSignIns } from '../../server/platform/database/service-roles.ts'
import { explainError, isSignInProblem, suggestFix } from '../../server/platform/database/sign-in-problem.ts'
import { quoted, type Sql } from '../../server/platform/database/sql.ts'
import { makeProof } from '../../server/platform/health/proof.ts'
import { type Check, type Finding, fine, problem } from './check.ts'
import type { Installation } from './installation.ts'

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
      (await problemOfRole(installation, roles.directory, given && 'DATABASE_DIRECTORY_URL')) ??
      (await problemOfRole(installation, roles.app, given && 'DATABASE_APP_URL')) ??
      (owner && (await problemOfOwner(sql)))
    if (wrong) return wrong
    await openDatabase(installation, roles)
    return fine('The roles of the service can sign in, and row-level security applies to them.')
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
  { sql: ofOwner, owner, repair }: Installation,
  connection: Connection,
  variable: string | null,
): Promise<Finding | null> {
  const sql = openPool(connection, { max: 1 })
  const name = connection.username
  try {
    const excess = await findExcessRights(sql)
    if (!excess) return null
    const taking = await takingRights(sql, name)
    // A role that was given may be used by other programs.
    if (repair === 'everything' && owner.orNull() && !variable) {
      await ofOwner.get().unsafe(taking)
      const left = await findExcessRights(sql)
      if (!left) return null
    }
    return problem(
      `Row-level security does not apply to the service: ${excess}.`,
      variable
        ? `Name another role in ${variable}, or take the rights from it: ${taking}.`
        : `Run lead-engine doctor --repair, or as a superuser of PostgreSQL: ${taking}. If it owns tables, give them back to the user of DATABASE_URL.`,
    )
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

/** A role has the rights of those that it is a member of, directly or through others. */
async function takingRights(sql: Sql, role: string): Promise<string> {
  const groups = await sql<{ name: string }[]>`
    select roleid::regrole::text as name from pg_auth_members where member = (select oid from pg_roles where rolname = ${role})
      and exists (select from pg_tables where schemaname = 'public' and pg_has_role(roleid, tableowner, 'member'))`
  return [
    ...groups.map(({ name }) => `revoke ${name} from ${quoted(role)}`),
    ...(groups.length === 0 ? [`alter role ${quoted(role)} nosuperuser nobypassrls`] : []),
  ].join('; ')
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
