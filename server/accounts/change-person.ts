import type { TransactionSql } from 'postgres'
import { recordAudit } from '../audit/record.ts'
import { type Actor, changeAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { tellDirectoryChanged } from '../database/watch.ts'
import { invalid, notFound } from '../http/problem.ts'
import { handedOverSentence } from '../timeline/sentences.ts'
import type { PersonChange, Role } from './contract.ts'
import { endSessions } from './credentials.ts'
import { endPasswordLink } from './password-links.ts'
import { setActive } from './store.ts'

interface Kept {
  id: string
  name: string
  role: Role
  team: string | null
  active: boolean
}

/** An account is never left without somebody who can manage it. */
export async function changePerson(database: Database, actor: Actor, id: string, change: PersonChange): Promise<void> {
  await changeAsActor(database, actor, async (tx) => {
    const admins = await lockAdmins(tx, actor.account_id)
    const person = await lockPerson(tx, actor.account_id, id)
    if (change.role && change.role !== 'Admin' && isLast(admins, id)) throw lastAdmin('role')
    const { name, role, team } = { ...person, ...change }
    await tx`update users set name = ${name}, role = ${role}, team = ${team}, updated_at = ${new Date()}
      where account_id = ${actor.account_id} and id = ${id}`
    await recordAudit(tx, actor, 'user.changed', id, { ...change })
    await tellDirectoryChanged(tx, actor.account_id)
  })
}

/**
 * Ends a person's access (D4), and hands their leads with calls and timelines to another, or to nobody, in the same
 * transaction; without a heir they stay where they are. For a person deactivated before, it hands over alone.
 */
export async function deactivatePerson(
  database: Database,
  actor: Actor,
  id: string,
  heir: string | null | undefined,
): Promise<number> {
  const moved = await changeAsActor(database, actor, async (tx) => {
    const admins = await lockAdmins(tx, actor.account_id)
    const person = await lockPerson(tx, actor.account_id, id)
    if (isLast(admins, id)) throw lastAdmin()
    const to = heir ? await heirOf(tx, actor.account_id, heir, id) : null
    await setActive(tx, actor, id, false)
    await endPasswordLink(tx, actor.account_id, id)
    return heir === undefined ? 0 : handOver(tx, actor, person, to)
  })
  // Ended for good: sessions of before must not come back to life with the person.
  await endSessions(database.directory, id)
  return moved
}

export async function activatePerson(database: Database, actor: Actor, id: string): Promise<void> {
  await changeAsActor(database, actor, async (tx) => {
    await lockPerson(tx, actor.account_id, id)
    await setActive(tx, actor, id, true)
  })
}

/** The active ones. Of two who give up the role at once, the second waits here and then sees that the first did. */
async function lockAdmins(tx: TransactionSql, accountId: string): Promise<string[]> {
  const admins = await tx`select id from users
    where account_id = ${accountId} and role = 'Admin' and deactivated_at is null order by id for no key update`
  return admins.map((admin) => admin.id)
}

export async function lockPerson(tx: TransactionSql, accountId: string, id: string): Promise<Kept> {
  const [person] = await tx<Kept[]>`select id, name, role, team, deactivated_at is null as active from users
    where account_id = ${accountId} and id = ${id} for no key update`
  if (!person) throw notFound('There is no such person.')
  return person
}

async function heirOf(tx: TransactionSql, accountId: string, heir: string, from: string): Promise<Kept> {
  const [person] = await tx<Kept[]>`select id, name from users
    where account_id = ${accountId} and id = ${heir} and id <> ${from} and deactivated_at is null for no key update`
  if (!person) throw invalid('reassign_to must be another active person of the account.', 'reassign_to')
  return person
}

async function handOver(tx: TransactionSql, actor: Actor, from: Kept, to: Kept | null): Promise<number> {
  const [by] = await tx`select name from users where account_id = ${actor.account_id} and id = ${actor.user_id}`
  const summary = handedOverSentence(from.name, to?.name ?? null, by!.name)
  const details = { via: actor.via, via_id: actor.via_id, user_id: actor.user_id, from: from.id, to: to?.id ?? null }
  const [row] = await tx`select reassign_leads(${actor.account_id}, ${from.id}, ${to?.id ?? null}, ${new Date()},
    ${summary}, ${tx.json(details)}) as moved`
  const moved = Number(row!.moved)
  await recordAudit(tx, actor, 'user.leads_reassigned', from.id, { to: to?.id ?? null, leads: moved })
  return moved
}

const isLast = (admins: string[], id: string) => admins.length === 1 && admins[0] === id

const lastAdmin = (field?: string) =>
  invalid('This is the last active Admin of the account: make somebody else Admin first.', field)
