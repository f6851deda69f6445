import type { TransactionSql } from '../../platform/database/sql.ts'

/** Locks the active Admins. Of two who give up the role at once, the second waits here and then sees the change. */
export async function lockAdmins(tx: TransactionSql, accountId: string): Promise<string[]> {
  const admins = await tx<{ id: string }[]>`select id from users
    where account_id = ${accountId} and role = 'Admin' and deactivated_at is null order by id for no key update`
  return admins.map(({ id }) => id)
}

export const isLastAdmin = (admins: string[], id: string) => admins.length === 1 && admins[0] === id
