import { findAccount } from '../../access/account/users.ts'
import type { Database } from '../../platform/database/connect.ts'
import { type ConcerningCall, concernedUsers } from './concerned-users.ts'

/**
 * Announces a call that rings or has changed to the open pages of its users. Call it after the commit, with the call as it was before, too:
 * pages of users who are no longer rung then remove it.
 */
export async function announceRinging(
  database: Database,
  accountId: string,
  ...calls: ConcerningCall[]
): Promise<void> {
  const account = await findAccount(database, accountId)
  const userIds = new Set(calls.flatMap((call) => concernedUsers(account, call)))
  database.announceRinging(accountId, [...userIds])
}
