/** Citus gives these no code of their own. */
const lostNode =
  /^failure on connection marked as essential|^could not commit transaction for shard|^could not find valid entry for shard/

/** Returns whether a node ended within a transaction, or its rows are moved. */
export function isLostNode(error: unknown): boolean {
  const { code, message = '' } = (error ?? {}) as { code?: unknown; message?: string }
  return code === 'XX000' && lostNode.test(message)
}

/** Returns whether Citus cannot plan the statement, as on connections from before the tables were placed. */
export function isUnplanned(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: string }
  return code === '0A000' && message === 'could not create distributed plan'
}
