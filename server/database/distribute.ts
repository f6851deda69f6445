import type { Sql, TransactionSql } from 'postgres'
import { type Connection, openAsOwner, type SignIns } from './connect.ts'
import { newerSchema, olderSchema, schemaState, takeMigrationLock } from './migrate.ts'
import { placeTables } from './place-tables.ts'
import { hasCitus, localTables } from './placement.ts'
import { checkUnused, prepareRoles } from './service-roles.ts'

export interface Distribution {
  /** The tables that were placed, or would be. */
  tables: { name: string; rows: number }[]
  /** How many nodes hold rows of accounts. */
  nodes: number
  placed: boolean
}

interface Ways {
  /** The service's roles, if DATABASE_APP_URL and DATABASE_DIRECTORY_URL name them. */
  given: SignIns | null
  dryRun: boolean
  /** Gets what will be placed, before it is. */
  onPlan(plan: Distribution): void
}

/**
 * Places the tables of a filled database on the nodes of its Citus cluster, in one transaction: a failure or an interruption changes
 * nothing.
 */
export async function distribute(owner: Connection, { given, dryRun, onPlan }: Ways): Promise<Distribution> {
  const sql = openAsOwner(owner, { max: 1 })
  try {
    await takeMigrationLock(sql)
    const state = await schemaState(sql)
    if (state.is === 'empty') throw new Error('The database is empty: start the service, which places its tables.')
    if (state.is === 'newer') throw newerSchema(state)
    if (state.is === 'older') throw olderSchema(state)
    const nodes = await nodesOf(sql)
    const { references, ofAccounts } = await localTables(sql)
    const tables = await countRows(sql, [...references, ...ofAccounts])
    const plan = { tables, nodes, placed: false }
    if (dryRun || tables.length === 0) return plan
    await checkUnused(sql)
    onPlan(plan)
    await sql.begin(async (tx) => {
      await placeTables(tx, await prepareRoles(tx, given))
      const placed = await countRows(
        tx,
        tables.map(({ name }) => name),
      )
      for (const [at, { name, rows }] of tables.entries())
        if (placed[at]!.rows !== rows)
          throw new Error(`${name} had ${rows} rows, and has ${placed[at]!.rows} on the nodes: nothing was changed.`)
    })
    return { ...plan, placed: true }
  } finally {
    await sql.end({ timeout: 5 })
  }
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
