import { timeLimits } from '../connect.ts'
import type { RoleNames } from '../service-roles.ts'
import type { Sql, TransactionSql } from '../sql.ts'
import { quoted } from '../sql.ts'
import { hasCitus, isDistributed, isPlaced, localFunctions, localTables, ownersFunctions } from './placement.ts'
import { addForeignKeys, forgetDistribution, removeObstacles } from './unfinished-distribution.ts'

/**
 * Places what migrations created, also after a process that ended between them and this. A database that was filled on one machine
 * stays there until `lead-engine distribute`.
 */
export async function placeNewTables(
  sql: Sql,
  roles: RoleNames,
  { wasEmpty, isChanged }: { wasEmpty: boolean; isChanged: boolean },
): Promise<void> {
  if (!(await (wasEmpty ? hasCitus(sql) : isDistributed(sql)))) return
  if (!isChanged && (await isPlaced(sql))) return
  await sql.begin(async (tx) => {
    await removeObstacles(tx)
    await placeTables(tx, roles)
  })
}

/**
 * Places the tables on the nodes of a Citus cluster that are not placed yet: the rows of an account on one node, and the directory
 * on all. `tx` has the owner's role, under the lock of migrations, and their obstacles are removed. The slow part comes first:
 * readers wait only for what is after it.
 */
export async function placeTables(tx: TransactionSql, roles: RoleNames): Promise<void> {
  const { references, ofAccounts } = await localTables(tx)
  // Several tables in one transaction, each over the connections of the one before.
  await tx`set local citus.multi_shard_modify_mode = 'sequential'`
  await setOnNodes(tx, roles)
  for (const name of ofAccounts) {
    const beside = name === 'leads' ? 'none' : 'leads'
    await tx`select create_distributed_table(${name}::regclass, 'account_id', colocate_with => ${beside})`
  }
  await addForeignKeys(tx, { toDirectory: false })
  const grants = await grantsOnViews(tx)
  for (const name of references) await tx`select create_reference_table(${name}::regclass)`
  await addForeignKeys(tx, { toDirectory: true })
  for (const { statement } of grants) await tx.unsafe(statement)
  await runAsActor(tx)
  for (const name of await localFunctions(tx)) await tx`select create_distributed_function(${name}::regprocedure)`
  await forgetDistribution(tx)
}

/** Citus lets a transaction reach a row as one user only, so no function may act as the owner. */
async function runAsActor(tx: TransactionSql): Promise<void> {
  for (const name of await ownersFunctions(tx)) await tx.unsafe(`alter function ${name} security invoker`)
}

/** The settings of the service's sessions on the nodes. There, functions that a list calls read the rows of their node. */
async function setOnNodes(tx: TransactionSql, roles: RoleNames): Promise<void> {
  const [{ database }] = (await tx`select current_database() as database`) as unknown as [{ database: string }]
  const settings = { ...timeLimits, 'citus.allow_nested_distributed_execution': 'on' }
  for (const role of Object.values(roles))
    for (const [name, value] of Object.entries(settings))
      await tx.unsafe(`alter role ${quoted(role)} in database ${quoted(database)} set ${name} = ${value}`)
}

/** Citus makes a view again, without its grants, when it places the table behind it. */
function grantsOnViews(tx: TransactionSql) {
  return tx<{ statement: string }[]>`
    select format('grant %s%s on %I to %s', privilege_type, ' (' || quote_ident(attname) || ')', relname, grantee::regrole) as statement
    from pg_class, lateral (
      select null as attname, acl.* from aclexplode(relacl) acl
      union all select attname, acl.* from pg_attribute, aclexplode(attacl) acl where attrelid = pg_class.oid
    ) granted
    where relnamespace = 'public'::regnamespace and relkind = 'v' and grantee <> relowner and grantee <> 0
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')`
}
