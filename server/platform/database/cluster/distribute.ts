import { asOwner, type Connection, type SignIns } from '../connect.ts'
import { schemaProblem, schemaState, takeMigrationLock, withoutLongWaits } from '../migrate.ts'
import { prepareRoles } from '../service-roles.ts'
import type { Sql, TransactionSql } from '../sql.ts'
import { placeTables } from './place-tables.ts'
import { hasCitus, localTables } from './placement.ts'
import { deleteOrphans, removeObstacles, undoDistribution } from './unfinished-distribution.ts'

export interface Distribution {
  /** The tables that were placed, or would be. */
  tables: { name: string; rows: number }[]
  /** How many nodes hold rows of accounts. */
  nodes: number
  placed: boolean
}

interface DistributeOptions {
  /** The service's roles, if DATABASE_APP_URL and DATABASE_DIRECTORY_URL name them. */
  given: SignIns | null
  dryRun: boolean
  /** Gets what will be placed, before it is. */
  onPlan(plan: Distribution): void
}

/**
 * Places the tables of a filled database on the nodes of its Citus cluster. The service may run: it reads meanwhile, and cannot
 * write. Rows are copied in one transaction. After a failure everything is as before; after an interruption, this or the next
 * start of the service makes foreign keys and policies again.
 */
export function distribute(owner: Connection, { given, dryRun, onPlan }: DistributeOptions): Promise<Distribution> {
  return asOwner(owner, async (sql) => {
    await takeMigrationLock(sql)
    const state = await schemaState(sql)
    if (state.is === 'empty') throw new Error('The database is empty: start the service, which places its tables.')
    if (state.is !== 'current') throw schemaProblem(state)
    const nodes = await nodesOf(sql)
    const { references, ofAccounts } = await localTables(sql)
    const names = [...references, ...ofAccounts]
    const plan = { tables: await countRows(sql, names), nodes, placed: false }
    if (dryRun) return plan
    if (names.length === 0) {
      await removeLocalRows(sql)
      return plan
    }
    onPlan(plan)
    const tables = await placeAll(sql, names, given).catch(async (error) => {
      await undoDistribution(sql)
      throw error
    })
    // Until autovacuum does it, statements would have bad plans on the nodes.
    for (const name of names) await sql`analyze ${sql(name)}`
    await removeLocalRows(sql)
    return { tables, nodes, placed: true }
  })
}

async function placeAll(sql: Sql, names: string[], given: SignIns | null): Promise<Distribution['tables']> {
  await changeTables(sql, removeObstacles)
  let tables: Distribution['tables'] = []
  await changeTables(sql, async (tx) => {
    // Allows reading.
    await tx.unsafe(`lock table ${names.join(', ')} in exclusive mode`)
    // From here on, it only waits for readers.
    await tx`set local lock_timeout = 0`
    await deleteOrphans(tx)
    tables = await countRows(tx, names)
    await placeTables(tx, await prepareRoles(tx, given))
    const placed = await countRows(tx, names)
    for (const [at, { name, rows }] of tables.entries())
      if (placed[at]!.rows !== rows)
        throw new Error(`${name} had ${rows} rows, and has ${placed[at]!.rows} on the nodes: nothing was changed.`)
  })
  return tables
}

/** Runs a transaction that locks tables, again and again until no lock lets others wait for long. */
function changeTables(sql: Sql, work: (tx: TransactionSql) => Promise<unknown>): Promise<void> {
  return withoutLongWaits(() =>
    sql.begin(async (tx) => {
      await tx`set local lock_timeout = '2s'`
      await work(tx)
    }),
  )
}

/** Citus leaves the rows that it copied where they were, and nothing reads or deletes them there any more. */
async function removeLocalRows(sql: Sql): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select logicalrelid::text as name from pg_dist_partition where pg_relation_size(logicalrelid) > 0`
  for (const { name } of tables)
    await changeTables(sql, (tx) => tx`select truncate_local_data_after_distributing_table(${name}::regclass)`)
}

async function nodesOf(sql: Sql): Promise<number> {
  const [nodes] = (await hasCitus(sql))
    ? await sql<{ n: number }[]>`select count(*)::int as n from pg_dist_node where isactive and shouldhaveshards`
    : []
  if (nodes && nodes.n > 0) return nodes.n
  throw new Error(
    'DATABASE_URL is not the coordinator of a Citus cluster with worker nodes: docs/scaling.md says how to make one.',
  )
}

async function countRows(sql: Sql | TransactionSql, names: string[]): Promise<Distribution['tables']> {
  const tables: Distribution['tables'] = []
  for (const name of names) {
    const [row] = await sql<{ n: string }[]>`select count(*) as n from ${sql(name)}`
    tables.push({ name, rows: Number(row!.n) })
  }
  return tables
}
