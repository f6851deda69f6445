import { recordAudit } from '../audit/record.ts'
import { type Actor, changeAsActor, forWholeAccount } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { isConflict } from '../database/errors.ts'
import type { TransactionSql } from '../database/sql.ts'
import { notifyDirectoryChanged } from '../database/watch.ts'
import { invalid, notFound } from '../http/problem.ts'
import type { Email } from '../mail/email.ts'
import { type Mailer, MailFailure } from '../mail/mailer.ts'
import { endPasswordLinks } from './password-links.ts'

interface Changed {
  name: string
  account: string
  /** The previous email. */
  from: string
  to: string
}

/** Changes the email with which a user signs in. Ends their one-time links, which went to the previous one. */
export async function changeEmail(database: Database, actor: Actor, userId: string, to: string): Promise<Changed> {
  return changeAsActor(database, forWholeAccount(actor), async (tx) => {
    const { from, ...user } = await lockEmail(tx, actor.account_id, userId)
    rejectSameEmail(from, to)
    await tx`update users set email = ${to}, updated_at = ${new Date()}
      where account_id = ${actor.account_id} and id = ${userId}`
    await endPasswordLinks(tx, actor.account_id, userId)
    await recordAudit(tx, actor, { action: 'user.changed', subject_id: userId, details: { email: to } })
    await notifyDirectoryChanged(tx, actor.account_id)
    return { ...user, from, to }
  }).catch((error) => {
    throw isConflict(error) ? invalid(`Another user already has the email ${to}.`, 'email') : error
  })
}

export function rejectSameEmail(from: string, to: string): void {
  if (from.toLowerCase() === to.toLowerCase()) throw invalid('This is the email already.', 'email')
}

async function lockEmail(tx: TransactionSql, accountId: string, id: string): Promise<Omit<Changed, 'to'>> {
  const [user] = await tx<Omit<Changed, 'to'>[]>`
    select users.name, accounts.name as account, email as from from users join accounts on accounts.id = account_id
    where account_id = ${accountId} and users.id = ${id} for no key update of users`
  if (!user) throw notFound('There is no such user.')
  return user
}

/** Notifies both emails of the change. `onError` gets failures: the change stays. */
export async function mailEmailChanged(
  mailer: Mailer | null,
  { name, account, from, to }: Changed,
  onError: (reason: string) => void,
): Promise<void> {
  const email = {
    subject: 'Your email for Lead Engine was changed',
    before: [`Hello ${name},`, `From now on, you sign in to ${account} on Lead Engine with ${to} instead of ${from}.`],
    after: ['Your password does not change. If you did not expect this, contact an Admin of your account at once.'],
  }
  for (const recipient of [from, to]) await mailer?.send({ to: recipient, ...email }).catch(reported)

  function reported(error: unknown) {
    if (!(error instanceof MailFailure)) throw error
    onError(error.message)
  }
}

/** Renders the email with the code that confirms a new email. */
export const codeEmail = (to: string, code: string): Email => ({
  to,
  subject: 'Confirm your email for Lead Engine',
  before: [`Your code is ${code}.`, 'Enter it in Lead Engine within 30 minutes, to sign in with this email.'],
  after: ['If you did not ask for it, ignore this email: nothing changes.'],
})
