import { randomUUID } from 'node:crypto'
import { msg } from '@lingui/core/runtime-macro'
import type { Actor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { notifyDirectoryChanged } from '../../platform/database/watch.ts'
import { invalid } from '../../platform/http/problem.ts'
import { recordAudit } from '../audit/record.ts'
import type { Role } from './contract.ts'
import { hasRoom } from './limit-number.ts'

/** The actor is the account itself: it has no users yet. */
export async function createAccount(tx: TransactionSql, actor: Actor, name: string): Promise<void> {
  await tx`insert into accounts (id, name, created_at) values (${actor.account_id}, ${name}, ${new Date()})`
  await recordAudit(tx, actor, { action: 'account.created', subject_id: actor.account_id, details: { name } })
}

export interface NewUser {
  email: string
  name: string
  role: Role
  team: string | null
}

/** An account may have so many, with deactivated ones. */
export const maxUsers = 2000

/** Fails with 23505 if a user of any account has the email. */
export async function createUser(tx: TransactionSql, actor: Actor, user: NewUser): Promise<string> {
  const held = tx`select from users where account_id = ${actor.account_id}`
  if (!(await hasRoom(tx, actor.account_id, held, maxUsers)))
    throw invalid(msg`The account has ${{ maxUsers }} users, the most that an account may have.`, 'email')
  const id = randomUUID()
  await tx`insert into users (id, account_id, email, name, role, team)
    values (${id}, ${actor.account_id}, ${user.email}, ${user.name}, ${user.role}, ${user.team})`
  await recordAudit(tx, actor, {
    action: 'user.created',
    subject_id: id,
    details: { email: user.email, role: user.role },
  })
  await notifyDirectoryChanged(tx, actor.account_id)
  return id
}

/** Deactivates or activates a user, who keeps their leads. Returns whether anything changed. */
export async function setActive(tx: TransactionSql, actor: Actor, userId: string, active: boolean): Promise<boolean> {
  const changed = await tx`update users set deactivated_at = ${active ? null : new Date()}, updated_at = ${new Date()}
    where account_id = ${actor.account_id} and id = ${userId} and (deactivated_at is null) <> ${active}`
  if (changed.count === 0) return false
  await recordAudit(tx, actor, { action: active ? 'user.activated' : 'user.deactivated', subject_id: userId })
  await notifyDirectoryChanged(tx, actor.account_id)
  return true
}
