import { msg } from '@lingui/core/runtime-macro'
import { accountActor, asActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Sql, TransactionSql } from '../../platform/database/sql.ts'
import { notifyDirectoryChanged } from '../../platform/database/watch.ts'
import { forbidden, tryLater } from '../../platform/http/problem.ts'
import { recordAudit } from '../audit/record.ts'
import type { Account } from './users.ts'

/** The accounts for which background jobs work: those that are neither suspended nor closed by a command. */
export const openAccounts = (sql: Sql | TransactionSql) =>
  sql`(select id from accounts where suspended_at is null and closed_for is null)`

/** The accounts that no command restores or deletes: suspended ones are cleaned up like others. */
export const presentAccounts = (sql: Sql | TransactionSql) => sql`(select id from accounts where closed_for is null)`

/** Throws the answer to API keys and sessions of an account that is not open. */
export function requireOpen(account: Pick<Account, 'isClosed' | 'suspendedAt'>): void {
  if (account.isClosed) throw closed()
  if (account.suspendedAt)
    throw forbidden(
      'ACCOUNT_SUSPENDED',
      msg`This account is suspended. Its data is kept, and new leads wait. Ask the provider of this service to resume it.`,
    )
}

export const closed = () => tryLater(msg`The account is being restored. Try again in a few minutes.`)

/** Suspends an account or resumes it. Returns whether that changed anything. */
export async function setSuspended(database: Database, accountId: string, suspended: boolean): Promise<boolean> {
  const actor = accountActor(accountId)
  return asActor(database, actor, async (tx) => {
    const { count } = suspended
      ? await tx`update accounts set suspended_at = ${new Date()} where id = ${accountId} and suspended_at is null`
      : await tx`update accounts set suspended_at = null, resumed_at = ${new Date()}
          where id = ${accountId} and suspended_at is not null`
    if (count === 0) return false
    await recordAudit(tx, actor, {
      action: suspended ? 'account.suspended' : 'account.resumed',
      subject_id: accountId,
    })
    await notifyDirectoryChanged(tx, accountId)
    return true
  })
}
