import type { Sql, TransactionSql } from '../sql.ts'

/** Copied to every node: read by most statements, changed seldom, and small. Each comes after those that it refers to. */
const onEveryNode = ['accounts', 'users', 'api_keys', 'webhooks']

/** Read before the account is known, and written often. They stay on the coordinator. */
const onCoordinator = [
  'backup_runs',
  'continuous_backup',
  'credentials',
  'erased_leads',
  'forgotten_links',
  'installation_secrets',
  'migrations',
  'schema_texts',
  'password_links',
  'service_roles',
  'sessions',
  'sign_ins',
  'two_factors',
  'verifications',
]

/** All other tables contain data of accounts, and have an `account_id`. */
export const directoryTables: ReadonlySet<string> = new Set([...onEveryNode, ...onCoordinator])

/** Returns whether the database can be the coordinator of a Citus cluster. */
export async function hasCitus(sql: Sql | TransactionSql): Promise<boolean> {
  const [extension] = await sql`select from pg_extension where extname = 'citus'`
  return extension !== undefined
}

/** Returns whether the rows of accounts are spread over the nodes of a Citus cluster. */
export async function isDistributed(sql: Sql | TransactionSql): Promise<boolean> {
  if (!(await hasCitus(sql))) return false
  const [leads] = await sql`select from pg_dist_partition where logicalrelid = to_regclass('public.leads')`
  return leads !== undefined
}

/** Returns the tables that are to be placed, and are not. */
export async function localTables(sql: Sql | TransactionSql): Promise<{ references: string[]; ofAccounts: string[] }> {
  const rows = await sql<{ name: string }[]>`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
      and not exists (select from pg_dist_partition where logicalrelid = pg_class.oid)
      and (relname = 'accounts' or exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'account_id'))`
  const local = rows.map(({ name }) => name)
  return {
    references: onEveryNode.filter((name) => local.includes(name)),
    // The rows of the other tables are where the leads of their account are.
    ofAccounts: local.filter((name) => !directoryTables.has(name)).sort(leadsFirst),
  }
}

/** Returns whether all tables are placed, all functions are on the nodes, and none acts as the owner, as Citus needs it. */
export async function isPlaced(sql: Sql | TransactionSql): Promise<boolean> {
  const { references, ofAccounts } = await localTables(sql)
  const functions = [...(await ownersFunctions(sql)), ...(await localFunctions(sql))]
  return references.length + ofAccounts.length + functions.length === 0
}

/** The functions that run as the owner of the tables. */
export async function ownersFunctions(sql: Sql | TransactionSql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select oid::regprocedure::text as name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef`
  return rows.map(({ name }) => name)
}

/** The functions that are on the coordinator alone, because they were created before Citus. */
export async function localFunctions(sql: Sql | TransactionSql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select pg_proc.oid::regprocedure::text as name from pg_proc join pg_language on pg_language.oid = prolang
    where pronamespace = 'public'::regnamespace and prokind = 'f' and lanname in ('sql', 'plpgsql')
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
      and not exists (select from pg_dist_object where classid = 'pg_proc'::regclass and objid = pg_proc.oid)`
  return rows.map(({ name }) => name)
}

const leadsFirst = (one: string, other: string) => Number(other === 'leads') - Number(one === 'leads')
