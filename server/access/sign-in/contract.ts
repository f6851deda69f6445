import { type Static, Type } from 'typebox'
import { Instant, Line, Name, Nullable, Uuid } from '../../platform/http/contract.ts'

/** A one-time link, shown only once. With a mail server it is emailed too; otherwise the Admin sends it. */
export const PasswordLink = Type.Object({
  user_id: Uuid(),
  link: Type.String(),
  expires_at: Instant(),
  mailed: Type.Boolean(),
  /** Says why it was not emailed. Missing if there is no mail server. */
  mail_error: Type.Optional(Type.String()),
})
export type PasswordLink = Static<typeof PasswordLink>

/** `password` is that of the signed-in user, who changes their own email or, as an Admin, another user's. */
export const EmailChange = Type.Object({
  email: Type.String({ format: 'user-email', maxLength: 254 }),
  password: Type.String({ maxLength: 128 }),
})

export const SignInOptions = Type.Object({
  mail: Type.Boolean(),
  /** False until the first user can sign in. */
  is_set_up: Type.Boolean(),
  single_sign_on: Nullable(
    Type.Object({
      /** What users call the provider; null if OIDC_NAME is not set. */
      name: Nullable(Type.String()),
      /** Whether only Admins may sign in with a password. */
      only: Type.Boolean(),
    }),
  ),
})
export type SignInOptions = Static<typeof SignInOptions>

/** Where users go to sign in with the provider. `next`: the page to open then. */
export const singleSignOnUrl = '/auth/single-sign-on'

/** Why a person is not signed in by the provider, as the page of sign-in gets it. */
export const singleSignOnProblems = [
  'cancelled',
  'deactivated',
  'email-not-confirmed',
  'email-not-verified',
  'expired',
  'invalid-answer',
  'no-email',
  'no-role',
  'not-set-up',
  'other-identity',
  'service-failed',
  'too-many',
  'unknown-user',
  'unreachable',
] as const
export type SingleSignOnProblem = (typeof singleSignOnProblems)[number]

export const Forgotten = Type.Object({ email: Type.String({ format: 'email', maxLength: 254 }) })

export const LinkToken = Type.Object({ token: Line(200, { minLength: 1 }) })

export const LinkHolder = Type.Object({
  kind: Type.Enum(['invitation', 'reset', 'setup']),
  email: Type.String(),
  name: Type.String(),
  account: Type.String(),
  expires_at: Instant(),
  /** Whether they may sign in with a password. */
  may_use_password: Type.Boolean(),
})
export type LinkHolder = Static<typeof LinkHolder>

export const NewPassword = Type.Object({
  token: Line(200, { minLength: 1 }),
  password: Type.String({ format: 'password' }),
})

/** What the first Admin enters with the set-up link. */
export const SetUp = Type.Object({
  ...NewPassword.properties,
  company: Name(),
  name: Name(),
  email: Type.String({ format: 'user-email', maxLength: 254 }),
})
export type SetUp = Static<typeof SetUp>

/** The answer of POST /auth/sign-in/email: the user, or that a two-factor code is needed. */
export type SignInAnswer = { user: { id: string } } | { twoFactorRedirect: true; twoFactorMethods: 'totp'[] }

/** The answer of POST /auth/two-factor/enable. It takes effect with a first right code. The codes are shown only once. */
export interface TwoFactorSetup {
  totpURI: string
  backupCodes: string[]
}

/** The answer of POST /auth/two-factor/generate-backup-codes. The new codes replace the previous ones. */
export type NewBackupCodes = Pick<TwoFactorSetup, 'backupCodes'>
