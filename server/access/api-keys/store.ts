import { randomUUID } from 'node:crypto'
import { msg } from '@lingui/core/runtime-macro'
import type { Actor } from '../../platform/database/actor.ts'
import type { Sql, TransactionSql } from '../../platform/database/sql.ts'
import { notifyDirectoryChanged } from '../../platform/database/watch.ts'
import { invalid } from '../../platform/http/problem.ts'
import { hasRoom } from '../account/limit-number.ts'
import { recordAudit } from '../audit/record.ts'
import { type KeySettings, type Permission, permissions } from './contract.ts'
import { hashSecret, newSecret } from './secret.ts'

export interface FoundKey {
  id: string
  account_id: string
  name: string
  user_id: string
  permissions: Permission[]
  ip_whitelist: string[]
}

/** Returns the key if it is not revoked and its user is active. The account is not known before. */
export async function findKey(lookup: Sql, secretHash: Buffer): Promise<FoundKey | null> {
  const [row] = await lookup`
    select api_keys.id, api_keys.account_id, api_keys.name, user_id, can_read, can_write, can_delete, ip_whitelist
    from api_keys join users on users.account_id = api_keys.account_id and users.id = api_keys.user_id
    where secret_hash = ${secretHash} and revoked_at is null and deactivated_at is null`
  if (!row) return null
  const { id, account_id, name, user_id, ip_whitelist } = row
  return { id, account_id, name, user_id, ip_whitelist, permissions: permissions.filter((one) => row[`can_${one}`]) }
}

/** An account may have so many that are not revoked. Of the revoked ones, as many are listed. */
export const maxKeys = 200

export interface NewKey {
  user_id: string
  name: string
  permissions: Permission[]
  ip_whitelist: string[]
}

/** `secret` is shown to the Admin now and never again. */
export async function createKey(
  tx: TransactionSql,
  actor: Actor,
  key: NewKey,
): Promise<{ id: string; secret: string }> {
  const held = tx`select from api_keys where account_id = ${actor.account_id} and revoked_at is null`
  if (!(await hasRoom(tx, actor.account_id, held, maxKeys)))
    throw invalid(msg`The account has ${{ maxKeys }} API keys. Revoke one first.`, 'name')
  const id = randomUUID()
  const secret = newSecret()
  await tx`insert into api_keys (account_id, id, user_id, name, secret_hash, last_four, can_read, can_write, can_delete,
      ip_whitelist, created_at)
    values (${actor.account_id}, ${id}, ${key.user_id}, ${key.name}, ${hashSecret(secret)}, ${secret.slice(-4)},
      ${key.permissions.includes('read')}, ${key.permissions.includes('write')}, ${key.permissions.includes('delete')},
      ${key.ip_whitelist}, ${new Date()})`
  await recordAudit(tx, actor, {
    action: 'api_key.created',
    subject_id: id,
    details: { name: key.name, permissions: key.permissions },
  })
  return { id, secret }
}

/** Replaces the key's value, at once on every process. Returns null if there is no such key or it is revoked. */
export async function regenerateKey(tx: TransactionSql, actor: Actor, id: string): Promise<string | null> {
  const secret = newSecret()
  const changed = await tx`update api_keys set secret_hash = ${hashSecret(secret)}, last_four = ${secret.slice(-4)}
    where account_id = ${actor.account_id} and id = ${id} and revoked_at is null`
  if (changed.count === 0) return null
  await recordAudit(tx, actor, { action: 'api_key.regenerated', subject_id: id })
  await notifyDirectoryChanged(tx, actor.account_id)
  return secret
}

export async function revokeKey(tx: TransactionSql, actor: Actor, id: string): Promise<boolean> {
  const changed = await tx`update api_keys set revoked_at = ${new Date()}
    where account_id = ${actor.account_id} and id = ${id} and revoked_at is null`
  if (changed.count === 0) return false
  await recordAudit(tx, actor, { action: 'api_key.revoked', subject_id: id })
  await notifyDirectoryChanged(tx, actor.account_id)
  return true
}

/** Locks the user of a new key. Returns false if the account has no such active user. */
export async function lockKeyUser(tx: TransactionSql, accountId: string, userId: string): Promise<boolean> {
  const found = await tx`select 1 from users
    where account_id = ${accountId} and id = ${userId} and deactivated_at is null for key share`
  return found.length > 0
}

export async function lockKey(tx: TransactionSql, accountId: string, id: string): Promise<void> {
  await tx`select 1 from api_keys where account_id = ${accountId} and id = ${id} for no key update`
}

/** Changes only the given settings. Returns false if there is no such key or it is revoked. */
export async function changeKey(tx: TransactionSql, actor: Actor, id: string, change: KeySettings): Promise<boolean> {
  const may = (one: Permission) => change.permissions?.includes(one) ?? null
  const changed = await tx`update api_keys set name = coalesce(${change.name ?? null}, name),
      can_read = coalesce(${may('read')}, can_read), can_write = coalesce(${may('write')}, can_write),
      can_delete = coalesce(${may('delete')}, can_delete),
      ip_whitelist = coalesce(${change.ip_whitelist ?? null}::text[], ip_whitelist)
    where account_id = ${actor.account_id} and id = ${id} and revoked_at is null`
  if (changed.count === 0) return false
  await recordAudit(tx, actor, { action: 'api_key.changed', subject_id: id, details: { ...change } })
  await notifyDirectoryChanged(tx, actor.account_id)
  return true
}

export interface ListedKey {
  id: string
  name: string
  user: { id: string; name: string; email: string; active: boolean }
  last_four: string
  permissions: Permission[]
  ip_whitelist: string[]
  created_at: Date
  revoked_at: Date | null
  last_use: { at: Date; address: string } | null
}

/** Returns all keys and the newest revoked ones, or the one with this id. */
export async function listKeys(tx: TransactionSql, accountId: string, id: string | null = null): Promise<ListedKey[]> {
  const newest = tx`select id from api_keys where account_id = ${accountId} and revoked_at is not null
    order by revoked_at desc limit ${maxKeys}`
  const chosen = id === null ? tx`(revoked_at is null or api_keys.id in (${newest}))` : tx`api_keys.id = ${id}`
  const rows = await tx`
    select api_keys.id, api_keys.name, user_id, users.name as user_name, email, deactivated_at is null as active,
      last_four, can_read, can_write, can_delete, ip_whitelist, api_keys.created_at, revoked_at, at, address
    from api_keys join users on users.account_id = api_keys.account_id and users.id = api_keys.user_id
      left join api_key_uses on api_key_uses.account_id = api_keys.account_id and api_key_id = api_keys.id
    where api_keys.account_id = ${accountId} and ${chosen}
    order by api_keys.created_at, api_keys.id`
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    user: { id: row.user_id, name: row.user_name, email: row.email, active: row.active },
    last_four: row.last_four,
    permissions: permissions.filter((one) => row[`can_${one}`]),
    ip_whitelist: row.ip_whitelist,
    created_at: row.created_at,
    revoked_at: row.revoked_at,
    last_use: row.at && { at: row.at, address: row.address },
  }))
}
