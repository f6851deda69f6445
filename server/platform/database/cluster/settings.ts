import type { TransactionSql } from '../sql.ts'

// Otherwise PostgreSQL plans each list with a parameter in LIMIT again, which halves the throughput.
const onePostgres = { plan_cache_mode: 'force_generic_plan' }

// There is no generic plan: Citus needs the parameters of a statement to plan it. The actor, which is set by SET LOCAL, is sent to the nodes.
const onCoordinator = { 'citus.propagate_set_commands': 'local', 'citus.node_connection_timeout': 5000 }

/** Returns how the service's sessions plan their statements, on one PostgreSQL or on the coordinator of a cluster. */
export const planSettings = (isCluster = false) => (isCluster ? onCoordinator : onePostgres)

/** Each connection to a node has a snapshot of its own. Without Citus, nothing reads this. */
export async function readFromOneSnapshot(tx: TransactionSql): Promise<void> {
  await tx`set local citus.max_adaptive_executor_pool_size = 1`
}
