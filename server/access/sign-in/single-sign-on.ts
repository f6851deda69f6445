import { randomUUID } from 'node:crypto'
import { msg } from '@lingui/core/runtime-macro'
import { type Actor, selfActor } from '../../platform/database/actor.ts'
import { isConflict } from '../../platform/database/errors.ts'
import type { Sql, TransactionSql } from '../../platform/database/sql.ts'
import { notifyDirectoryChanged } from '../../platform/database/watch.ts'
import { notFound } from '../../platform/http/problem.ts'
import { isLastAdmin, lockAdmins } from '../account/admins.ts'
import type { Role } from '../account/contract.ts'
import { createUser } from '../account/store.ts'
import { recordAudit } from '../audit/record.ts'
import type { SingleSignOnProblem } from './contract.ts'
import { endSessions } from './credentials.ts'
import { endPasswordLinks } from './password-links.ts'
import type { Identity } from './read-claims.ts'
import type { SingleSignOn } from './single-sign-on-settings.ts'

/** The name of the provider in credentials, and in the URL to which it returns users. */
export const provider = 'oidc'

/** Why a person may not sign in. `details` are for the log, without personal data. */
export class Rejection extends Error {
  readonly problem: SingleSignOnProblem

  constructor(problem: SingleSignOnProblem, details: string) {
    super(details)
    this.problem = problem
  }
}

interface Known {
  id: string
  role: Role
  is_active: boolean
  /** What the provider calls them; null before they are linked. */
  subject: string | null
}

/** The subject as it is stored: another provider may use the same one for another person. */
export const subjectOf = ({ issuer }: SingleSignOn, { subject }: Pick<Identity, 'subject'>) => `${issuer} ${subject}`

/**
 * Decides whether a person may sign in, and as which user: the one who is linked with their subject, else the one with
 * their verified email, else a new one if the provider says their role. Saves the link and the role.
 */
export async function admit(directory: Sql, settings: SingleSignOn, identity: Identity): Promise<void> {
  const admitted = () => directory.begin((tx) => admitWithin(tx, settings, identity))
  await admitted().catch((error) => {
    // If two first sign-ins come at once, the second finds what the first one saved.
    if (isConflict(error)) return admitted()
    throw error
  })
}

async function admitWithin(tx: TransactionSql, settings: SingleSignOn, identity: Identity): Promise<void> {
  const accountId = await findOwnAccount(tx, settings)
  if (!accountId)
    throw new Rejection('not-set-up', 'Set OIDC_ACCOUNT to the name of the account that has single sign-on.')
  const subject = subjectOf(settings, identity)
  const linked = await findLinked(tx, accountId, subject)
  if (!linked) {
    requireVerifiedEmail(identity)
    // In this order, as all changes of users: Admins first.
    await lockAdmins(tx, accountId)
  }
  const user = linked ?? (await findByEmail(tx, accountId, settings, identity.email!))
  if (user && !user.is_active) throw new Rejection('deactivated', 'The user is deactivated.')
  // The provider gave the email to somebody else. A link with another provider is replaced.
  if (user?.subject && user.subject !== subject && user.subject.startsWith(`${settings.issuer} `))
    throw new Rejection('other-identity', 'The user is linked with another identity of the provider.')
  if (settings.roleClaim !== null && !identity.role)
    throw new Rejection('no-role', `No value of the claim ${settings.roleClaim} is a role.`)
  if (!user) return addUser(tx, settings, accountId, identity)
  if (user.subject !== subject) await link(tx, accountId, user.id, subject)
  if (identity.role && identity.role !== user.role) await changeRole(tx, accountId, user.id, identity.role)
}

/**
 * Returns the account whose users sign in with the provider. Others would have to trust it as well. Admins of others may name them like the
 * id of an account.
 */
export async function findOwnAccount(sql: Sql | TransactionSql, { account }: SingleSignOn): Promise<string | null> {
  const accounts = account
    ? await sql<{ id: string; is_id: boolean }[]>`
        select id, id::text = lower(${account}) as is_id from accounts
        where lower(name) = lower(${account}) or id::text = lower(${account})`
    : await sql<{ id: string; is_id?: boolean }[]>`select id from accounts limit 2`
  const [own] = accounts.length === 1 ? accounts : accounts.filter(({ is_id }) => is_id)
  return own?.id ?? null
}

/** Returns whether the user has to sign in with the provider. */
export async function mustUseProvider(sql: Sql | TransactionSql, settings: SingleSignOn | null, userId: string) {
  if (!settings?.only) return false
  const [user] = await sql<
    { account_id: string; role: Role }[]
  >`select account_id, role from users where id = ${userId}`
  return user !== undefined && user.role !== 'Admin' && user.account_id === (await findOwnAccount(sql, settings))
}

async function findLinked(tx: TransactionSql, accountId: string, subject: string): Promise<Known | null> {
  const [user] = await tx<(Known & { account_id: string })[]>`
    select users.id, account_id, role, deactivated_at is null as is_active, subject
    from credentials join users on users.id = user_id where provider = ${provider} and subject = ${subject}`
  if (user && user.account_id !== accountId) throw new Rejection('unknown-user', 'The user is in another account.')
  return user ?? null
}

/** Anybody may enter the email of somebody else in their profile at the provider. */
function requireVerifiedEmail({ email, isVerified }: Identity): void {
  if (!email) throw new Rejection('no-email', 'The provider sent no email that a user can have.')
  if (!isVerified) throw new Rejection('email-not-verified', 'The provider did not say that the email is verified.')
}

/** Locks the user, so that one of two identities with the email is linked. */
async function findByEmail(
  tx: TransactionSql,
  accountId: string,
  settings: SingleSignOn,
  email: string,
): Promise<Known | null> {
  const [user] = await tx<(Omit<Known, 'subject'> & { account_id: string; email_verified: boolean })[]>`
    select id, account_id, role, deactivated_at is null as is_active, email_verified
    from users where lower(email) = ${email.toLowerCase()} for no key update`
  if (user && user.account_id !== accountId) throw new Rejection('unknown-user', 'The user is in another account.')
  if (!user && settings.roleClaim === null) throw new Rejection('unknown-user', 'No user has the email.')
  if (!user) return null
  // Otherwise a user could take the email of a colleague to be joined by them.
  if (!user.email_verified)
    throw new Rejection('email-not-confirmed', 'The user changed their email without a mail server.')
  // After the lock, so that it has what another sign-in has saved meanwhile.
  const [link] = await tx<{ subject: string }[]>`
    select subject from credentials where provider = ${provider} and user_id = ${user.id}`
  return { ...user, subject: link?.subject ?? null }
}

async function addUser(tx: TransactionSql, settings: SingleSignOn, account_id: string, identity: Identity) {
  const { name, role } = identity
  const actor: Actor = { account_id, user_id: null, sees: 'all', via: 'web', via_id: null }
  const id = await createUser(tx, actor, { email: identity.email!, name, role: role!, team: null })
  await link(tx, account_id, id, subjectOf(settings, identity))
}

/** Replaces a link with an earlier provider. Ends one-time links, which somebody else may have. */
async function link(tx: TransactionSql, accountId: string, id: string, subject: string): Promise<void> {
  const now = new Date()
  await tx`delete from credentials where user_id = ${id} and provider = ${provider}`
  await tx`insert into credentials (id, user_id, provider, subject, created_at, updated_at)
    values (${randomUUID()}, ${id}, ${provider}, ${subject}, ${now}, ${now})`
  await endPasswordLinks(tx, accountId, id)
  await recordAudit(tx, selfActor(accountId, id), { action: 'user.single_sign_on_linked', subject_id: id })
}

/** Gives the user the role that the provider says, unless they are the last Admin. */
async function changeRole(tx: TransactionSql, accountId: string, id: string, role: Role): Promise<void> {
  const admins = await lockAdmins(tx, accountId)
  if (isLastAdmin(admins, id)) return
  await tx`update users set role = ${role}, updated_at = ${new Date()} where account_id = ${accountId} and id = ${id}`
  const actor: Actor = { account_id: accountId, user_id: null, sees: 'all', via: 'web', via_id: null }
  await recordAudit(tx, actor, { action: 'user.changed', subject_id: id, details: { role } })
  await notifyDirectoryChanged(tx, accountId)
}

/** Ends the link and the sessions of a user. The next identity with their verified email is linked instead. */
export async function unlink(directory: Sql, actor: Actor, userId: string): Promise<void> {
  await directory.begin(async (tx) => {
    const [user] = await tx`select from users
      where account_id = ${actor.account_id} and id = ${userId} for no key update`
    if (!user) throw notFound(msg`There is no such user.`)
    const ended = await tx`delete from credentials where provider = ${provider} and user_id = ${userId}`
    if (ended.count === 0) return
    await endSessions(tx, userId)
    await recordAudit(tx, actor, { action: 'user.single_sign_on_unlinked', subject_id: userId })
  })
}
