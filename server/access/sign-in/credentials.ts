import { randomUUID } from 'node:crypto'
import { msg } from '@lingui/core/runtime-macro'
import type { Sql, TransactionSql } from '../../platform/database/sql.ts'
import { invalid } from '../../platform/http/problem.ts'
import { hashPassword, verifyPassword } from './password.ts'

/** Sets a password, and ends all sessions and one-time links of the user. */
export async function setPassword(directory: Sql, userId: string, password: string): Promise<void> {
  const hash = await hashPassword(password)
  await directory.begin((tx) => writePassword(tx, userId, hash))
}

export async function writePassword(tx: TransactionSql, userId: string, hash: string): Promise<void> {
  const now = new Date()
  await tx`
    insert into credentials (id, user_id, provider, subject, password, created_at, updated_at)
    values (${randomUUID()}, ${userId}, 'credential', ${userId}, ${hash}, ${now}, ${now})
    on conflict (provider, subject) do update set password = excluded.password, updated_at = excluded.updated_at`
  await endSessions(tx, userId)
  for (const table of ['password_links', 'forgotten_links'])
    await tx`delete from ${tx(table)} where (account_id, user_id) in (select account_id, id from users where id = ${userId})`
}

/** Returns which of these users chose a password or signed in by single sign-on. The others are invited. */
export async function findJoined(directory: Sql, ids: string[]): Promise<Set<string>> {
  const rows = await directory<{ user_id: string }[]>`select user_id from credentials
    where user_id = any (${ids}::uuid[]) and (password is not null or provider = 'oidc')`
  return new Set(rows.map(({ user_id }) => user_id))
}

/** Rejects a password that is not the user's own. Limit the attempts. */
export async function checkPassword(directory: Sql, userId: string, password: string): Promise<void> {
  const [row] = await directory<{ password: string | null }[]>`
    select password from credentials where provider = 'credential' and subject = ${userId}`
  if (!row?.password) throw invalid(msg`You have no password yet. Ask another Admin for a password link.`, 'password')
  if (!(await verifyPassword(password, row.password))) throw invalid(msg`The password is wrong.`, 'password')
}

export async function endSessions(directory: Sql | TransactionSql, userId: string): Promise<void> {
  await directory`delete from sessions where user_id = ${userId}`
  // Also ends sign-ins that wait for the second factor.
  await directory`delete from verifications where value = ${userId}`
}

/** Returns the users of those sessions that have not ended. */
export async function findSessions(directory: Sql, ids: string[]): Promise<Map<string, string>> {
  const sessions = await directory<{ id: string; user_id: string }[]>`
    select id, user_id from sessions where id = any (${ids}::uuid[]) and expires_at > now()`
  return new Map(sessions.map(({ id, user_id }) => [id, user_id]))
}
