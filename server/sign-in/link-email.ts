import type { Email } from '../mail/email.ts'
import type { Holder } from './password-links.ts'

/** Renders the email with a one-time link. */
export function linkEmail(link: string, { kind, email, name, account, expires_at }: Holder, now: Date): Email {
  const once = `The link works once and is valid for ${spanOf(expires_at.getTime() - now.getTime())}.`
  return kind === 'invitation'
    ? {
        to: email,
        subject: `Your invitation to ${account} on Lead Engine`,
        before: [`Hello ${name},`, `You are invited to ${account} on Lead Engine. Choose a password with this link:`],
        link: { label: 'Choose a password', url: link },
        after: [`${once} If you did not expect this email, ignore it.`],
      }
    : {
        to: email,
        subject: 'A new password for Lead Engine',
        before: [`Hello ${name},`, `Choose a new password for ${account} on Lead Engine with this link:`],
        link: { label: 'Choose a new password', url: link },
        after: [`${once} If you did not ask for it, ignore this email: your password does not change.`],
      }
}

function spanOf(milliseconds: number): string {
  const hours = Math.round(milliseconds / 3_600_000)
  if (hours <= 1) return 'an hour'
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}
