import { msg } from '@lingui/core/runtime-macro'
import { isLastAdmin, lockAdmins } from '../../access/account/admins.ts'
import type { Role } from '../../access/account/contract.ts'
import { setActive } from '../../access/account/store.ts'
import { recordAudit } from '../../access/audit/record.ts'
import { endSessions } from '../../access/sign-in/credentials.ts'
import { endPasswordLinks } from '../../access/sign-in/password-links.ts'
import { type Actor, changeAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { notifyDirectoryChanged } from '../../platform/database/watch.ts'
import { invalid, notFound } from '../../platform/http/problem.ts'
import type { UserChange } from './contract.ts'
import { planReassignment, stopReassignments } from './reassign-leads.ts'

interface Kept {
  id: string
  name: string
  role: Role
  team: string | null
  active: boolean
}

/** Changes a user. An account always keeps an active Admin. */
export async function changeUser(database: Database, actor: Actor, id: string, change: UserChange): Promise<void> {
  await changeAsActor(database, actor, async (tx) => {
    const admins = await lockAdmins(tx, actor.account_id)
    const user = await lockUser(tx, actor.account_id, id)
    if (change.role && change.role !== 'Admin' && isLastAdmin(admins, id)) throw lastAdmin('role')
    const { name, role, team } = { ...user, ...change }
    await tx`update users set name = ${name}, role = ${role}, team = ${team}, updated_at = ${new Date()}
      where account_id = ${actor.account_id} and id = ${id}`
    await recordAudit(tx, actor, { action: 'user.changed', subject_id: id, details: { ...change } })
    await notifyDirectoryChanged(tx, actor.account_id)
  })
}

interface NewOwners {
  /** Ids of users; null for unassigned. Undefined: the leads stay. */
  to: string[] | null | undefined
  withClosed: boolean
}

/**
 * Deactivates a user, and plans the reassignment of their leads, with calls and timelines. Returns the id of the job to run. For a
 * deactivated user it only plans the reassignment.
 */
export async function deactivateUser(
  database: Database,
  actor: Actor,
  id: string,
  { to, withClosed }: NewOwners,
): Promise<string | null> {
  const job = await changeAsActor(database, actor, async (tx) => {
    const admins = await lockAdmins(tx, actor.account_id)
    const user = await lockUser(tx, actor.account_id, id)
    if (isLastAdmin(admins, id)) throw lastAdmin()
    const owners = to ? await assigneesOf(tx, actor.account_id, to, id) : []
    await setActive(tx, actor, id, false)
    await endPasswordLinks(tx, actor.account_id, id)
    await stopReassignments(tx, actor, { to_user: id }, `${user.name} was deactivated.`)
    return to === undefined ? null : planReassignment(tx, actor, user, { to: owners, withClosed })
  })
  // Deletes the sessions: activating the user must not restore them.
  await endSessions(database.directory, id)
  return job
}

export async function activateUser(database: Database, actor: Actor, id: string): Promise<void> {
  await changeAsActor(database, actor, async (tx) => {
    const { name } = await lockUser(tx, actor.account_id, id)
    await setActive(tx, actor, id, true)
    await stopReassignments(tx, actor, { from_user: id }, `${name} was activated.`)
  })
}

export async function lockUser(tx: TransactionSql, accountId: string, id: string): Promise<Kept> {
  const [user] = await tx<Kept[]>`select id, name, role, team, deactivated_at is null as active from users
    where account_id = ${accountId} and id = ${id} for no key update`
  if (!user) throw notFound(msg`There is no such user.`)
  return user
}

async function assigneesOf(tx: TransactionSql, accountId: string, ids: string[], from: string) {
  const users = await tx<{ id: string; name: string }[]>`select id, name from users
    where account_id = ${accountId} and id = any (${ids}::uuid[]) and id <> ${from} and deactivated_at is null
    order by id for no key update`
  if (users.length < ids.length)
    throw invalid(msg`Leads can be reassigned only to other active users of the account.`, 'reassign_to')
  return users.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
}

const lastAdmin = (field?: string) =>
  invalid(msg`This is the last active Admin of the account: make somebody else Admin first.`, field)
