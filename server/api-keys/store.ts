import { randomUUID } from 'node:crypto'
import type { Sql, TransactionSql } from 'postgres'
import { recordAudit } from '../audit/record.ts'
import type { Actor } from '../database/actor.ts'
import { tellDirectoryChanged } from '../database/watch.ts'
import { hashOf, newSecret } from './secret.ts'

export const permissions = ['read', 'write', 'delete'] as const
export type Permission = (typeof permissions)[number]

export interface FoundKey {
  id: string
  account_id: string
  name: string
  user_id: string
  permissions: Permission[]
  ip_whitelist: string[]
}

/** The living key of an active person (D4), before the account is known. */
export async function findKey(directory: Sql, secretHash: Buffer): Promise<FoundKey | null> {
  const [row] = await directory`
    select api_keys.id, api_keys.account_id, api_keys.name, user_id, can_read, can_write, can_delete, ip_whitelist
    from api_keys join users on users.account_id = api_keys.account_id and users.id = api_keys.user_id
    where secret_hash = ${secretHash} and revoked_at is null and deactivated_at is null`
  if (!row) return null
  const { id, account_id, name, user_id, ip_whitelist } = row
  return { id, account_id, name, user_id, ip_whitelist, permissions: permissions.filter((one) => row[`can_${one}`]) }
}

export interface NewKey {
  user_id: string
  name: string
  permissions: Permission[]
  ip_whitelist: string[]
}

/** `secret` is shown to its owner now and never again. */
export async function createKey(
  tx: TransactionSql,
  actor: Actor,
  key: NewKey,
): Promise<{ id: string; secret: string }> {
  const id = randomUUID()
  const secret = newSecret()
  await tx`insert into api_keys (account_id, id, user_id, name, secret_hash, last_four, can_read, can_write, can_delete,
      ip_whitelist, created_at)
    values (${actor.account_id}, ${id}, ${key.user_id}, ${key.name}, ${hashOf(secret)}, ${secret.slice(-4)},
      ${key.permissions.includes('read')}, ${key.permissions.includes('write')}, ${key.permissions.includes('delete')},
      ${key.ip_whitelist}, ${new Date()})`
  await recordAudit(tx, actor, 'api_key.created', id, { name: key.name, permissions: key.permissions })
  return { id, secret }
}

/** Gives the key a new value and ends the old one at once, on every process. Null when there is no such living key. */
export async function regenerateKey(tx: TransactionSql, actor: Actor, id: string): Promise<string | null> {
  const secret = newSecret()
  const changed = await tx`update api_keys set secret_hash = ${hashOf(secret)}, last_four = ${secret.slice(-4)}
    where account_id = ${actor.account_id} and id = ${id} and revoked_at is null`
  if (changed.count === 0) return null
  await recordAudit(tx, actor, 'api_key.regenerated', id)
  await tellDirectoryChanged(tx, actor.account_id)
  return secret
}

export async function revokeKey(tx: TransactionSql, actor: Actor, id: string): Promise<boolean> {
  const changed = await tx`update api_keys set revoked_at = ${new Date()}
    where account_id = ${actor.account_id} and id = ${id} and revoked_at is null`
  if (changed.count === 0) return false
  await recordAudit(tx, actor, 'api_key.revoked', id)
  await tellDirectoryChanged(tx, actor.account_id)
  return true
}

export interface ListedKey {
  id: string
  name: string
  user: string
  last_four: string
  permissions: Permission[]
  ip_whitelist: string[]
  created_at: Date
  revoked_at: Date | null
}

export async function listKeys(tx: TransactionSql, accountId: string): Promise<ListedKey[]> {
  const rows = await tx`
    select api_keys.id, api_keys.name, users.email as user, last_four, can_read, can_write, can_delete, ip_whitelist,
      api_keys.created_at, revoked_at
    from api_keys join users on users.account_id = api_keys.account_id and users.id = api_keys.user_id
    where api_keys.account_id = ${accountId} order by api_keys.created_at, api_keys.id`
  return rows.map(({ can_read, can_write, can_delete, ...key }) => ({
    ...(key as Omit<ListedKey, 'permissions'>),
    permissions: permissions.filter((one) => ({ read: can_read, write: can_write, delete: can_delete })[one]),
  }))
}
