import type { TransactionSql } from '../../server/platform/database/sql.ts'

/** Lifts the time limits that the server may set: this transaction may take long. */
export async function withoutTimeLimits(tx: TransactionSql): Promise<void> {
  // transaction_timeout exists since PostgreSQL 17.
  await tx`select set_config(name, '0', true) from pg_settings
    where name in ('statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout')`
}
