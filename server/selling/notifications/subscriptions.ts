import { findSessions } from '../../access/sign-in/credentials.ts'
import type { Sql, TransactionSql } from '../../platform/database/sql.ts'
import type { Subscription } from './push-service.ts'
import { readSubscriptions, removeSubscriptions } from './store.ts'

/** Returns the browsers of users that still have their session, and deletes the others, such as that of a lost phone. */
export async function readSignedIn(
  tx: TransactionSql,
  directory: Sql,
  accountId: string,
  userIds: string[],
): Promise<Subscription[]> {
  const all = await readSubscriptions(tx, accountId, userIds)
  if (all.length === 0) return []
  const sessions = await findSessions(
    directory,
    all.flatMap(({ session_id }) => session_id ?? []),
  )
  const isSignedIn = ({ session_id, user_id }: Subscription) =>
    session_id !== null && sessions.get(session_id) === user_id
  const ended = all.filter((one) => !isSignedIn(one))
  if (ended.length > 0) {
    await removeSubscriptions(
      tx,
      accountId,
      ended.map(({ id }) => id),
    )
  }
  return all.filter(isSignedIn)
}
