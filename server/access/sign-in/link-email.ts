import { msg, plural } from '@lingui/core/runtime-macro'
import type { Language } from '../../platform/languages/contract.ts'
import { type Text, translate } from '../../platform/languages/translate.ts'
import type { Email } from '../../platform/mail/email.ts'
import type { Holder } from './password-links.ts'

/** Renders the email with a one-time link. `language`: of an invitation whose user has chosen none yet. */
export function linkEmail(
  link: string,
  { kind, email, name, account, expires_at, ...holder }: Holder,
  { now, language: inviting }: { now: Date; language: Language | null },
): Email {
  const language = holder.language ?? (kind === 'invitation' ? inviting : null)
  const say = (text: Text) => translate(text, language)
  const once = say(validFor(expires_at.getTime() - now.getTime()))
  const hello = say(msg`Hello ${{ name }},`)
  return kind === 'invitation'
    ? {
        to: email,
        language,
        subject: say(msg`Your invitation to ${{ account }} on Lead Engine`),
        before: [hello, say(msg`You are invited to ${{ account }} on Lead Engine. Join with this link:`)],
        link: { label: say(msg`Join`), url: link },
        after: [`${once} ${say(msg`If you did not expect this email, ignore it.`)}`],
      }
    : {
        to: email,
        language,
        subject: say(msg`A new password for Lead Engine`),
        before: [hello, say(msg`Choose a new password for ${{ account }} on Lead Engine with this link:`)],
        link: { label: say(msg`Choose a new password`), url: link },
        after: [`${once} ${say(msg`If you did not ask for it, ignore this email: your password does not change.`)}`],
      }
}

function validFor(milliseconds: number): Text {
  const hours = Math.max(1, Math.round(milliseconds / 3_600_000))
  return hours < 48
    ? msg`The link works once and is valid for ${plural({ hours }, { one: 'an hour', other: '{hours} hours' })}.`
    : msg`The link works once and is valid for ${plural({ days: Math.round(hours / 24) }, { one: '{days} day', other: '{days} days' })}.`
}
