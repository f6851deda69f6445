import type { Sql, TransactionSql } from 'postgres'
import { type Connection, openAsOwner, type SignIns } from './connect.ts'
import { migrationLock, olderSchema, schemaState } from './migrate.ts'
import { placeTables } from './place-tables.ts'
import { hasCitus, localTables } from './placement.ts'
import { checkUnused, prepareRoles, type RoleNames } from './service-roles.ts'

export interface Distribution {
  /** The number of rows of each table that is to be placed, or was placed. */
  tables: Record<string, number>
  /** How many nodes have rows of accounts. */
  nodes: number
  /** False if only the plan was asked for. */
  placed: boolean
}

/**
 * Places the tables of a filled database on the nodes of its Citus cluster, in one transaction: a failure or an interruption changes
 * nothing. Without `isMeant`, returns what it would do.
 */
export async function distribute(
  owner: Connection,
  { given, isMeant }: { given: SignIns | null; isMeant: boolean },
): Promise<Distribution> {
  const sql = openAsOwner(owner, { max: 1 })
  try {
    const [lock] = await sql`select pg_try_advisory_lock(${migrationLock}) as mine`
    if (!lock!.mine) throw new Error('Another process migrates or restores this database: wait until it has ended.')
    const state = await schemaState(sql)
    if (state.is === 'empty') throw new Error('The database is empty: start the service, which places its tables.')
    if (state.is !== 'current') throw olderSchema(state)
    const nodes = await nodesOf(sql)
    const { references, ofAccounts } = await localTables(sql)
    const names = [...references, ...ofAccounts]
    if (!isMeant) return { tables: await countRows(sql, names), nodes, placed: false }
    await checkUnused(sql)
    return await sql.begin(async (tx) => {
      const roles = (await prepareRoles(tx, given)) as RoleNames
      const before = await countRows(tx, names)
      await placeTables(tx, roles)
      const tables = await countRows(tx, names)
      for (const name of names)
        if (tables[name] !== before[name])
          throw new Error(`${name} had ${before[name]} rows, and ${tables[name]} on the nodes: nothing was changed.`)
      return { tables, nodes, placed: true }
    })
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

async function countRows(sql: Sql | TransactionSql, names: string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const name of names) {
    const [row] = await sql<{ n: string }[]>`select count(*) as n from ${sql(name)}`
    counts[name] = Number(row!.n)
  }
  return counts
}
