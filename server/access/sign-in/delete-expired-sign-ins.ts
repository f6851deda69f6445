import type { Sql } from '../../platform/database/sql.ts'

/** Removes sessions, codes and one-time links that have expired, and returns how many of one kind at most. */
export async function deleteExpiredSignIns(directory: Sql, now: Date, limit: number): Promise<number> {
  const removed = await Promise.all([
    directory`delete from sessions where id in (
      select id from sessions where expires_at < ${now} order by expires_at limit ${limit} for update skip locked)`,
    directory`delete from verifications where id in (
      select id from verifications where expires_at < ${now} order by expires_at limit ${limit} for update skip locked)`,
    directory`delete from password_links where (account_id, user_id) in (
      select account_id, user_id from password_links where expires_at < ${now} limit ${limit})`,
  ])
  return Math.max(...removed.map(({ count }) => count))
}
