import { msg } from '@lingui/core/runtime-macro'
import { type Actor, changeAsActor, forWholeAccount } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isConflict } from '../../platform/database/errors.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { notifyDirectoryChanged } from '../../platform/database/watch.ts'
import { invalid, notFound } from '../../platform/http/problem.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { type Text, translate } from '../../platform/languages/translate.ts'
import type { Email } from '../../platform/mail/email.ts'
import { type Mailer, MailFailure } from '../../platform/mail/mailer.ts'
import { recordAudit } from '../audit/record.ts'
import { endPasswordLinks } from './password-links.ts'

interface Changed {
  name: string
  account: string
  language: Language | null
  /** The previous email. */
  from: string
  to: string
}

/**
 * Changes the email with which a user signs in. Ends their one-time links, which went to the previous one. `isConfirmed`:
 * by a code, or by an Admin, who may also confirm an email that the user has already.
 */
export async function changeEmail(
  database: Database,
  actor: Actor,
  userId: string,
  { to, isConfirmed }: { to: string; isConfirmed: boolean },
): Promise<Changed> {
  return changeAsActor(database, forWholeAccount(actor), async (tx) => {
    const { from, was_confirmed, ...user } = await lockEmail(tx, actor.account_id, userId)
    if (was_confirmed || !isConfirmed) rejectSameEmail(from, to)
    await tx`update users set email = ${to}, email_verified = ${isConfirmed}, updated_at = ${new Date()}
      where account_id = ${actor.account_id} and id = ${userId}`
    await endPasswordLinks(tx, actor.account_id, userId)
    await recordAudit(tx, actor, { action: 'user.changed', subject_id: userId, details: { email: to } })
    await notifyDirectoryChanged(tx, actor.account_id)
    return { ...user, from, to }
  }).catch((error) => {
    throw isConflict(error) ? invalid(msg`Another user already has the email ${{ to }}.`, 'email') : error
  })
}

export function rejectSameEmail(from: string, to: string): void {
  if (from.toLowerCase() === to.toLowerCase())
    throw invalid(msg`The new email is the same as the current one.`, 'email')
}

type Before = Omit<Changed, 'to'> & { was_confirmed: boolean }

async function lockEmail(tx: TransactionSql, accountId: string, id: string): Promise<Before> {
  const [user] = await tx<Before[]>`
    select users.name, accounts.name as account, language, email as from, email_verified as was_confirmed from users join accounts on accounts.id = account_id
    where account_id = ${accountId} and users.id = ${id} for no key update of users`
  if (!user) throw notFound(msg`There is no such user.`)
  return user
}

/** Notifies both emails of the change. `onError` gets failures: the change stays. */
export async function mailEmailChanged(
  mailer: Mailer | null,
  { name, account, language, from, to }: Changed,
  onError: (reason: string) => void,
): Promise<void> {
  const say = (text: Text) => translate(text, language)
  const email = {
    language,
    subject: say(msg`Your email for Lead Engine was changed`),
    before: [
      say(msg`Hello ${{ name }},`),
      say(msg`From now on, you sign in to ${{ account }} on Lead Engine with ${{ to }} instead of ${{ from }}.`),
    ],
    after: [
      say(msg`Your password does not change. If you did not expect this, contact an Admin of your account at once.`),
    ],
  }
  for (const recipient of [from, to]) await mailer?.send({ to: recipient, ...email }).catch(reported)

  function reported(error: unknown) {
    if (!(error instanceof MailFailure)) throw error
    onError(error.message)
  }
}

/** Renders the email with the code that confirms a new email. */
export function codeEmail(to: string, code: string, language: Language | null): Email {
  const say = (text: Text) => translate(text, language)
  return {
    to,
    language,
    subject: say(msg`Confirm your email for Lead Engine`),
    before: [
      say(msg`Your code is ${{ code }}.`),
      say(msg`Enter it in Lead Engine within 30 minutes, to sign in with this email.`),
    ],
    after: [say(msg`If you did not ask for it, ignore this email: nothing changes.`)],
  }
}
