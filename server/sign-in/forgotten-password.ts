import { changeAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import type { Mailer } from '../mail/mailer.ts'
import { type Mailed, mailLink } from './mail-link.ts'
import { addressOf, makePasswordLink } from './password-links.ts'

/**
 * Mails a link to whoever has this email and a password. Who was invited and has none yet keeps the invitation: a
 * stranger who knows the email must not be able to end it. Null where there is nobody to write to.
 */
export async function mailForgotten(
  database: Database,
  mailer: Mailer,
  baseUrl: string,
  email: string,
): Promise<Mailed | null> {
  const [person] = await database.directory`
    select users.id, account_id from users join credentials on provider = 'credential' and subject = users.id::text
    where lower(email) = ${email.toLowerCase()} and deactivated_at is null`
  if (!person) return null
  // Nobody has proved who they are: the account itself acts, from the web.
  const actor = { account_id: person.account_id, user_id: null, sees: 'all', via: 'web', via_id: null } as const
  const { token } = await changeAsActor(database, actor, (tx) => makePasswordLink(tx, actor, person.id, 'forgotten'))
  return mailLink(database, mailer, { token, link: addressOf(baseUrl, token) })
}
