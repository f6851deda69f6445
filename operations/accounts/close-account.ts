import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from '../../server/platform/database/sql.ts'
import { notifyDirectoryChanged } from '../../server/platform/database/watch.ts'

const lockOfAccount = 7106154

/** Longer than a transaction of the service lasts, in milliseconds. */
const maxWaitMs = 150_000

/** One command at a time changes an account as a whole. The lock ends with the session. */
export async function lockAccount(sql: Sql, accountId: string): Promise<void> {
  const [lock] = await sql`select pg_try_advisory_lock(hashtextextended(${accountId}, ${lockOfAccount})) as mine`
  if (!lock!.mine)
    throw new Error('Another command restores, imports or deletes this account: wait until it has ended.')
}

/**
 * Closes an account: no transaction of the service begins for it, and those that began before have ended. If one does not end, the
 * account is opened again.
 */
export async function closeAccount(sql: Sql, accountId: string, why: 'restore' | 'delete'): Promise<void> {
  await changeClosed(sql, accountId, why)
  const started = performance.now()
  let running: { id: string; pid: number }[] = await transactionsOfService(sql)
  while (running.length > 0) {
    if (performance.now() - started > maxWaitMs) {
      await openAccount(sql, accountId)
      throw new Error(
        `A transaction of the service did not end within ${maxWaitMs / 1000} s (process ${running[0]!.pid} of PostgreSQL). Nothing was changed: end it and run the command again.`,
      )
    }
    await pause(100)
    const still = await transactionsOfService(sql)
    running = running.filter(({ id }) => still.some((one) => one.id === id))
  }
}

export const openAccount = (sql: Sql, accountId: string) => changeClosed(sql, accountId, null)

/** Opens an account that a restore left closed because its process was killed. Throws an error while a command works on it. */
export async function openInterrupted(sql: Sql, accountId: string): Promise<void> {
  await sql.begin(async (tx) => {
    const [account] = await tx<{ closed_for: string | null; is_free: boolean }[]>`
      select closed_for, pg_try_advisory_xact_lock(hashtextextended(${accountId}, ${lockOfAccount})) as is_free
      from accounts where id = ${accountId}`
    if (account!.closed_for === null) return
    if (!account!.is_free) throw new Error('A command restores or deletes this account: wait until it has ended.')
    if (account!.closed_for === 'delete')
      throw new Error('The deletion of this account was interrupted: end it with lead-engine account delete.')
    await tx`update accounts set closed_for = null where id = ${accountId}`
    await notifyDirectoryChanged(tx, accountId)
  })
}

async function changeClosed(sql: Sql, accountId: string, closed: string | null): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`update accounts set closed_for = ${closed} where id = ${accountId}`
    await notifyDirectoryChanged(tx, accountId)
  })
}

/** The transactions of the service's roles, by their virtual ids, which any role may read. */
function transactionsOfService(sql: Sql) {
  return sql<{ id: string; pid: number }[]>`
    select virtualtransaction as id, pg_locks.pid from pg_locks join pg_stat_activity on pg_stat_activity.pid = pg_locks.pid
    where locktype = 'virtualxid' and granted and datname = current_database()
      and usename in (select name from service_roles)`
}
