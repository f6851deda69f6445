import { type Connection, openAsOwner } from '../server/platform/database/connect.ts'
import type { Sql } from '../server/platform/database/sql.ts'

export const isCluster = process.env.CITUS_URL !== undefined

/** An option of tests. */
export const needsCluster = { skip: isCluster ? false : 'it needs a Citus cluster: set CITUS_URL' }

/** Makes a database on all nodes of the cluster whose coordinator is `server`. `fill` runs before it is one of a cluster. */
export async function makeOnCluster(
  server: Connection,
  name: string,
  fill: (coordinator: Connection) => Promise<unknown> = async () => {},
): Promise<void> {
  await onNodes(server, async (sql) => {
    await sql.unsafe(`create database ${name}`)
    // No test switches the machine off, so none needs to wait for the disk.
    await sql.unsafe(`alter database ${name} set synchronous_commit = off`)
    // Tests make rows fail by triggers. The service has none.
    await sql.unsafe(`alter database ${name} set citus.enable_unsafe_triggers = on`)
  })
  await fill({ ...server, database: name })
  const [coordinator, ...workers] = await onNodes(server, (_, node) =>
    withSql({ ...node, database: name }, (made) => made`create extension citus`),
  )
  await withSql({ ...server, database: name }, async (sql) => {
    await sql`select citus_set_coordinator_host(${coordinator!.host}, ${coordinator!.port})`
    for (const { host, port } of workers) await sql`select citus_add_node(${host}, ${port})`
  })
}

export async function dropOnCluster(server: Connection, name: string): Promise<void> {
  await onNodes(server, (sql) => sql.unsafe(`drop database if exists ${name} with (force)`))
}

/** Runs `work` on each node, and returns the nodes, the coordinator first. */
export async function onNodes(server: Connection, work: (sql: Sql, node: Connection) => PromiseLike<unknown>) {
  const nodes = await withSql(
    server,
    (sql) => sql<{ host: string; port: number }[]>`
      select nodename as host, nodeport as port from pg_dist_node order by groupid`,
  )
  for (const node of nodes) {
    await withSql({ ...server, ...node }, async (sql) => {
      // Each node is visited.
      await sql`set citus.enable_ddl_propagation = off`
      await sql`set citus.enable_create_database_propagation = off`
      await work(sql, { ...server, ...node })
    })
  }
  return nodes
}

async function withSql<T>(connection: Connection, work: (sql: Sql) => PromiseLike<T>): Promise<T> {
  const sql = openAsOwner(connection, { max: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}
