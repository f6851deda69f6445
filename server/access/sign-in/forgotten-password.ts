import { changeAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { type Mailed, mailLink } from './mail-link.ts'
import { linkUrl, makePasswordLink } from './password-links.ts'

/**
 * Emails a link to the user with this email. A user who has no password yet keeps the invitation: a stranger who knows
 * the email must not be able to end it. Returns null if no email is sent.
 */
export async function mailForgotten(
  database: Database,
  mailer: Mailer,
  baseUrl: string,
  email: string,
): Promise<Mailed | null> {
  const [user] = await database.directory`
    select users.id, account_id from users join credentials on provider = 'credential' and subject = users.id::text
    where lower(email) = ${email.toLowerCase()} and deactivated_at is null`
  if (!user) return null
  // There is no session: the actor is the account itself, from the web.
  const actor = { account_id: user.account_id, user_id: null, sees: 'all', via: 'web', via_id: null } as const
  const { token } = await changeAsActor(database, actor, (tx) => makePasswordLink(tx, actor, user.id, 'forgotten'))
  return mailLink(database, mailer, { token, link: linkUrl(baseUrl, token) })
}
