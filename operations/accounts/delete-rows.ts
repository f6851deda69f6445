import type { TransactionSql } from '../../server/platform/database/sql.ts'
import { accountTables, ofAccount } from './tables.ts'

/** Deletes all rows of an account in one transaction. */
export async function deleteRows(tx: TransactionSql, accountId: string): Promise<void> {
  for (const table of (await accountTables(tx)).toReversed())
    await tx`delete from ${tx(table.name)} where ${ofAccount(tx, table, accountId)}`
}
