import { type Static, Type } from 'typebox'
import { Instant, Line, Uuid } from '../http/contract.ts'

/** Shown this once. Mailed too, where there is a mail server; else whoever asked for it passes it on. */
export const PasswordLink = Type.Object({
  user_id: Uuid(),
  link: Type.String(),
  expires_at: Instant(),
  mailed: Type.Boolean(),
  /** Why it was not mailed, in a sentence; left out where there is no mail server. */
  mail_error: Type.Optional(Type.String()),
})
export type PasswordLink = Static<typeof PasswordLink>

export const SignInOptions = Type.Object({ mail: Type.Boolean() })

export const Forgotten = Type.Object({ email: Type.String({ format: 'email', maxLength: 254 }) })

export const LinkToken = Type.Object({ token: Line(200, { minLength: 1 }) })

export const LinkHolder = Type.Object({
  kind: Type.Enum(['invitation', 'reset']),
  email: Type.String(),
  name: Type.String(),
  account: Type.String(),
  expires_at: Instant(),
})
export type LinkHolder = Static<typeof LinkHolder>

export const NewPassword = Type.Object({
  token: Line(200, { minLength: 1 }),
  password: Type.String({ format: 'password' }),
})

/** What POST /auth/sign-in/email answers: the person, or that a code of theirs is still wanted. */
export type SignInAnswer = { user: { id: string } } | { twoFactorRedirect: true; twoFactorMethods: 'totp'[] }

/** What POST /auth/two-factor/enable answers. It counts once a first code was right; the codes are shown this once. */
export interface TwoFactorSetup {
  totpURI: string
  backupCodes: string[]
}

/** What POST /auth/two-factor/generate-backup-codes answers, in place of all that were given before. */
export type NewBackupCodes = Pick<TwoFactorSetup, 'backupCodes'>
