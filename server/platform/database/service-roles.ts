import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { isDistributed } from './cluster/placement.ts'
import type { Connection, SignIns } from './connect.ts'
import type { Sql, TransactionSql } from './sql.ts'
import { quoted } from './sql.ts'

type Kind = keyof SignIns
export type RoleNames = Record<Kind, string>
const kinds: readonly Kind[] = ['app', 'directory']

interface RecordedRole {
  kind: Kind
  name: string
  /** Null for a role of DATABASE_APP_URL or DATABASE_DIRECTORY_URL; generated for our own roles. */
  password: string | null
  ours: boolean
}

/** The names in migrations, which are replaced by the roles of the installation. */
const written = /\blead_engine_(app|directory)\b/g

export function withRoleNames(statement: string, names: RoleNames): string {
  return statement.replace(written, (_text, kind: Kind) => quoted(names[kind]))
}

/**
 * Prepares the service's two login roles: the configured ones, else two of this installation. Roles belong to the whole
 * server, so their names are unique, and the password of an existing role is never changed while a service runs. `tx`
 * has the owner's role, under the lock of migrations.
 */
export async function prepareRoles(tx: TransactionSql, given: SignIns | null): Promise<RoleNames> {
  await tx`create table if not exists service_roles (
    kind text primary key check (kind in ('app', 'directory')), name text not null, password text, ours boolean not null)`
  const recorded = await recordedRoles(tx)
  const names: Partial<RoleNames> = {}
  for (const kind of kinds) {
    const known = recorded.get(kind)
    const role = given ? { name: given[kind].username, password: null, ours: false } : await ownRole(tx, kind, known)
    names[kind] = role.name
    if (role.name === known?.name && role.password === known.password && role.ours === known.ours) continue
    // Earlier versions shared two roles per server.
    await copyAccess(tx, known?.name ?? `lead_engine_${kind}`, role.name)
    await tx`insert into service_roles ${tx({ kind, ...role })}
      on conflict (kind) do update set name = excluded.name, password = excluded.password, ours = excluded.ours`
  }
  return names as RoleNames
}

/** Returns the service's connections: those that were given, else to the owner's database. Null before the migrations. */
export async function listSignIns(
  sql: Sql,
  owner: Connection | null,
  given: SignIns | null = null,
): Promise<SignIns | null> {
  const signIns = given ?? (owner && (await recordedSignIns(sql, owner)))
  if (!signIns) return null
  const isCluster = await isDistributed(sql)
  return { app: { ...signIns.app, isCluster }, directory: { ...signIns.directory, isCluster } }
}

/** Returns the names of the service's roles: those that were given, else the recorded ones. Null if they are not recorded. */
export async function roleNames(sql: Sql, given: SignIns | null): Promise<RoleNames | null> {
  if (given) return { app: given.app.username, directory: given.directory.username }
  const [table] = await sql`select from pg_tables where schemaname = 'public' and tablename = 'service_roles'`
  const recorded = table ? await recordedRoles(sql) : new Map<Kind, RecordedRole>()
  const [app, directory] = [recorded.get('app')?.name, recorded.get('directory')?.name]
  return app !== undefined && directory !== undefined ? { app, directory } : null
}

async function recordedSignIns(sql: Sql, owner: Connection): Promise<SignIns | null> {
  const [table] = await sql`select from pg_tables where schemaname = 'public' and tablename = 'service_roles'`
  const recorded = table ? await recordedRoles(sql) : new Map<Kind, RecordedRole>()
  const signIn = (kind: Kind) => {
    const role = recorded.get(kind)
    return role?.password ? { ...owner, username: role.name, password: role.password } : null
  }
  const [app, directory] = [signIn('app'), signIn('directory')]
  return app && directory ? { app, directory } : null
}

/** Restores the recorded passwords and the login right of our roles, if they were changed. */
export async function resetPasswords(sql: Sql): Promise<void> {
  for (const { name, password, ours } of (await recordedRoles(sql)).values()) {
    if (ours && password) await resetPassword(sql, name, password)
  }
}

/** Sets no other options: only a superuser may set them on an existing role, even to the same value. */
export async function resetPassword(sql: Sql | TransactionSql, name: string, password: string): Promise<void> {
  await sql.unsafe(`alter role ${quoted(name)} login password '${verifierOf(password)}'`).catch((error) => {
    throw error.code === '42501' ? new Error(mayNotChange(name), { cause: error }) : error
  })
}

const mayNotChange = (name: string) =>
  `The user in DATABASE_URL may not set the password of the role ${name}, which another user created: grant it that ` +
  'role WITH ADMIN OPTION.'

/** Returns null if row-level security applies to the role, else what is wrong. */
export async function findExcessRights(sql: Sql): Promise<string | null> {
  const [role] = await sql`select rolname as name, rolsuper as super, rolbypassrls as bypasses,
      (select string_agg(roleid::regrole::text, ', ') from pg_auth_members where member = pg_roles.oid) as groups,
      exists (select from pg_tables where schemaname = 'public' and tablename in ('leads', 'users')
        and pg_has_role(rolname, tableowner, 'member')) as owns
    from pg_roles where rolname = session_user`
  if (!role) return null
  if (role.super) return `${role.name} is a superuser`
  if (role.bypasses) return `${role.name} may bypass row-level security`
  if (!role.owns) return null
  return role.groups
    ? `${role.name} is a member of ${role.groups}, and so owns the tables`
    : `${role.name} owns the tables`
}

/** Throws if the service or a command of it is connected. */
export async function checkUnused(sql: Sql): Promise<void> {
  const [table] = await sql`select from pg_tables where schemaname = 'public' and tablename = 'service_roles'`
  if (!table) return
  const [others] = await sql<{ n: number }[]>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and usename in (select name from service_roles)`
  if (others!.n === 0) return
  throw new Error(
    `The service or a command uses this database (${others!.n} connections of its roles): stop it first. Nothing was changed.`,
  )
}

async function recordedRoles(sql: Sql | TransactionSql): Promise<Map<Kind, RecordedRole>> {
  const rows = await sql<RecordedRole[]>`select kind, name, password, ours from service_roles`
  return new Map(rows.map((row) => [row.kind, row]))
}

async function ownRole(
  tx: TransactionSql,
  kind: Kind,
  known: RecordedRole | undefined,
): Promise<Omit<RecordedRole, 'kind'>> {
  const kept = known?.ours ? known : null
  const name = kept?.name ?? `lead_engine_${kind}_${randomBytes(6).toString('hex')}`
  const password = kept?.password ?? randomBytes(24).toString('base64url')
  const [there] = await tx`select from pg_roles where rolname = ${name}`
  if (there && !kept?.password) await resetPassword(tx, name, password)
  if (!there) {
    const options = `login nosuperuser nobypassrls password '${verifierOf(password)}'`
    await tx.unsafe(`create role ${quoted(name)} ${options}`).catch((error) => {
      throw error.code === '42501' ? new Error(mayNotMakeRoles, { cause: error }) : error
    })
    // Shows in the list of roles what they are for.
    const [{ database }] = (await tx`select current_database() as database`) as unknown as [{ database: string }]
    await tx.unsafe(`comment on role ${quoted(name)} is '${roleComment(database).replaceAll("'", "''")}'`)
  }
  return { name, password, ours: true }
}

const mayNotMakeRoles =
  'The user in DATABASE_URL may not create roles: give it CREATEROLE, or create two login roles and name them in ' +
  'DATABASE_APP_URL and DATABASE_DIRECTORY_URL.'

export const roleComment = (database: string) => `Lead Engine, database ${database}`

/** Grants `to` all rights that `from` has in this database. */
async function copyAccess(tx: TransactionSql, from: string, to: string): Promise<void> {
  const [role] = await tx`select oid from pg_roles where rolname = ${from}`
  const [target] = await tx`select oid from pg_roles where rolname = ${to}`
  if (!target)
    throw new Error(`There is no role named ${to} on this PostgreSQL: create it, with login, and start again.`)
  const [database] = await tx`select current_database() as name,
    has_database_privilege(${to}, current_database(), 'connect') as is_open`
  if (!database!.is_open) await tx.unsafe(`grant connect on database ${quoted(database!.name)} to ${quoted(to)}`)
  if (!role || from === to) return
  const statements = await tx<{ statement: string }[]>`
    select format('grant %s on %s to %I', privilege_type, object, ${to}::text) as statement from (
      select acl.*, format('schema %I', nspname) as object from pg_namespace, aclexplode(nspacl) acl
      union all
      select acl.*, format('%s %I.%I', case relkind when 'S' then 'sequence' else 'table' end, nspname, relname)
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace, aclexplode(relacl) acl
      union all
      select acl.*, format('function %s', pg_proc.oid::regprocedure) from pg_proc, aclexplode(proacl) acl
    ) granted where grantee = ${role.oid}
    union all
    select format('grant %s (%I) on table %I.%I to %I', privilege_type, attname, nspname, relname, ${to}::text)
    from pg_attribute join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace,
      aclexplode(attacl) acl where grantee = ${role.oid}
    union all
    select format('alter policy %I on %I.%I to %s, %I', policyname, schemaname, tablename,
      (select string_agg(quote_ident(name), ', ') from unnest(roles) name), ${to}::text)
    from pg_policies where ${from}::name = any (roles) and not ${to}::name = any (roles)`
  for (const { statement } of statements) await tx.unsafe(statement)
}

/** Returns the SCRAM verifier that PostgreSQL stores, so that no statement log contains the password. */
function verifierOf(password: string): string {
  const iterations = 4096
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const key = (name: string) => createHmac('sha256', salted).update(name).digest()
  const stored = createHash('sha256').update(key('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${key('Server Key').toString('base64')}`
}
