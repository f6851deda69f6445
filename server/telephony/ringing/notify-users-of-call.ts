import { findAccount } from '../../access/account/users.ts'
import type { Database } from '../../platform/database/connect.ts'
import { type ConcerningCall, concernedUsers } from './concerned-users.ts'

/**
 * Notifies the open pages of a call's users that it rings or has changed. Call it after the commit, with the call as it was before, too:
 * pages of users who are no longer rung then remove it.
 */
export async function notifyUsersOfCall(
  database: Database,
  accountId: string,
  ...calls: ConcerningCall[]
): Promise<void> {
  const account = await findAccount(database, accountId)
  const userIds = new Set(calls.flatMap((call) => concernedUsers(account, call)))
  database.announceToUsers(accountId, [...userIds])
}
