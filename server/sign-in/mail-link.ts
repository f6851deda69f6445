import type { Database } from '../database/connect.ts'
import { type Mailer, MailFailure } from '../mail/mailer.ts'
import { linkEmail } from './link-email.ts'
import { findHolder } from './password-links.ts'

export interface Mailed {
  mailed: boolean
  /** Says why not. Missing if there is no mail server. */
  mail_error?: string
}

/** Emails an existing link. A failure does not affect the link. */
export async function mailLink(
  { directory }: Database,
  mailer: Mailer | null,
  { token, link }: { token: string; link: string },
): Promise<Mailed> {
  if (!mailer) return { mailed: false }
  const holder = await findHolder(directory, token)
  if (!holder) return { mailed: false, mail_error: 'The link was replaced by a newer one.' }
  try {
    await mailer.send(linkEmail(link, holder, new Date()))
    return { mailed: true }
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    return { mailed: false, mail_error: error.message }
  }
}
