import type { Statement, TransactionSql } from '../../platform/database/sql.ts'

/**
 * Returns whether an account has room for another row. `held` selects those that it has. Locks the account until the transaction
 * ends, so that requests at once do not exceed the limit. Call it before the row is written.
 */
export async function hasRoom(tx: TransactionSql, accountId: string, held: Statement, max: number): Promise<boolean> {
  await tx`select 1 from accounts where id = ${accountId} for no key update`
  const { count } = await tx`select from (${held} limit ${max}) held`
  return count < max
}
