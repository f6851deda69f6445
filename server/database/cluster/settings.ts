import type { TransactionSql } from '../sql.ts'

/**
 * Settings of the service's sessions on the coordinator. There is no generic plan: Citus needs the parameters of a statement to plan it.
 * The actor, which is set by SET LOCAL, is sent to the nodes.
 */
export const sessionSettings = { 'citus.propagate_set_commands': 'local', 'citus.node_connection_timeout': 5000 }

/** Each connection to a node has a snapshot of its own. Without Citus, nothing reads this. */
export async function readFromOneSnapshot(tx: TransactionSql): Promise<void> {
  await tx`set local citus.max_adaptive_executor_pool_size = 1`
}
