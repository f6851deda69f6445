import { type Static, Type } from 'typebox'
import { Instant, Line, Name, Nullable, Uuid } from '../http/contract.ts'

export const roles = ['Admin', 'Manager', 'Agent'] as const
export type Role = (typeof roles)[number]

const Role = () => Type.Enum([...roles])

export const Profile = Type.Object({
  id: Uuid(),
  email: Type.String(),
  name: Type.String(),
  role: Role(),
  team: Nullable(Type.String()),
  account: Type.Object({ id: Uuid(), name: Type.String() }),
  /** Whether they are asked for a code of their phone when they sign in. */
  two_factor: Type.Boolean(),
  /** Where this request came from, for a whitelist. */
  address: Type.String(),
})
export type Profile = Static<typeof Profile>

export const ProfileChange = Type.Object({ name: Name() })

export const AccountSettings = Type.Object({
  id: Uuid(),
  name: Type.String(),
  default_country: Type.String(),
  delivery_retention_days: Type.Integer(),
})
export type AccountSettings = Static<typeof AccountSettings>

export const AccountChange = Type.Object({
  name: Type.Optional(Name()),
  default_country: Type.Optional(Type.String({ minLength: 2, maxLength: 2 })),
})
export type AccountChange = Static<typeof AccountChange>

/** How far the leads of a deactivated person have gone to another. */
export const Reassignment = Type.Object({
  state: Type.Enum(['running', 'done', 'stopped']),
  total: Type.Integer(),
  moved: Type.Integer(),
  /** Null: they become unassigned. */
  to_user: Nullable(Uuid()),
  /** Why it stopped, in a sentence. */
  error: Nullable(Type.String()),
})
export type Reassignment = Static<typeof Reassignment>

/** What everyone may know of those whose leads they see; the rest is for Admins. */
export const ListedPerson = Type.Object({
  id: Uuid(),
  email: Type.String(),
  name: Type.String(),
  active: Type.Boolean(),
  role: Type.Optional(Role()),
  team: Type.Optional(Nullable(Type.String())),
  created_at: Type.Optional(Instant()),
  last_sign_in_at: Type.Optional(Nullable(Instant())),
  /** False until they have chosen one. */
  has_password: Type.Optional(Type.Boolean()),
  two_factor: Type.Optional(Type.Boolean()),
  /** Of the link that waits for them, if one does. */
  link_expires_at: Type.Optional(Nullable(Instant())),
  /** The latest of their leads, if there was one. */
  reassignment: Type.Optional(Nullable(Reassignment)),
})
export type ListedPerson = Static<typeof ListedPerson>

export const Invitation = Type.Object({
  email: Type.String({ format: 'person-email', maxLength: 254 }),
  name: Name(),
  role: Role(),
  team: Type.Optional(Nullable(Line(200))),
})
export type Invitation = Static<typeof Invitation>

export const PersonChange = Type.Object({
  name: Type.Optional(Name()),
  role: Type.Optional(Role()),
  team: Type.Optional(Nullable(Line(200))),
})
export type PersonChange = Static<typeof PersonChange>

/** Who gets the leads of a person who leaves: a person, nobody (null), or they stay where they are (not given). */
export const Deactivation = Type.Object({ reassign_to: Type.Optional(Nullable(Uuid())) })

/** Many leads are reassigned in the background: `reassignment` says how far it is. */
export const Deactivated = Type.Object({
  id: Uuid(),
  active: Type.Boolean(),
  leads_reassigned: Type.Integer(),
  reassignment: Nullable(Reassignment),
})

export const TwoFactorReset = Type.Object({ id: Uuid(), two_factor: Type.Boolean() })

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
