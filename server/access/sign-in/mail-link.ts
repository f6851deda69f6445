import { msg } from '@lingui/core/runtime-macro'
import type { Database } from '../../platform/database/connect.ts'
import type { Language } from '../../platform/languages/contract.ts'
import type { Text } from '../../platform/languages/translate.ts'
import { type Mailer, MailFailure } from '../../platform/mail/mailer.ts'
import { linkEmail } from './link-email.ts'
import { findHolder } from './password-links.ts'

export interface Mailed {
  mailed: boolean
  /** Says why not. Missing if there is no mail server. */
  mail_error?: Text
}

/** Emails an existing link. A failure does not affect the link. `language`: of the user who invites. */
export async function mailLink(
  { directory }: Database,
  mailer: Mailer | null,
  { token, link, language = null }: { token: string; link: string; language?: Language | null },
): Promise<Mailed> {
  if (!mailer) return { mailed: false }
  const holder = await findHolder(directory, token)
  if (!holder) return { mailed: false, mail_error: msg`The link was replaced by a newer one.` }
  try {
    await mailer.send(linkEmail(link, holder, { now: new Date(), language }))
    return { mailed: true }
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    return { mailed: false, mail_error: error.text }
  }
}
