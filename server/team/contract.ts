import { type Static, Type } from 'typebox'
import { Role } from '../account/contract.ts'
import { Instant, Line, Name, Nullable, Uuid } from '../http/contract.ts'

/** The progress of reassigning the leads of a deactivated user. */
export const Reassignment = Type.Object({
  state: Type.Enum(['running', 'done', 'stopped']),
  total: Type.Integer(),
  moved: Type.Integer(),
  /** Null if they become unassigned. */
  to_user: Nullable(Uuid()),
  /** Says why it stopped. */
  error: Nullable(Type.String()),
})
export type Reassignment = Static<typeof Reassignment>

/** The optional fields are for Admins. */
export const ListedUser = Type.Object({
  id: Uuid(),
  email: Type.String(),
  name: Type.String(),
  active: Type.Boolean(),
  role: Type.Optional(Role()),
  team: Type.Optional(Nullable(Type.String())),
  created_at: Type.Optional(Instant()),
  last_sign_in_at: Type.Optional(Nullable(Instant())),
  /** False until they chose one. */
  has_password: Type.Optional(Type.Boolean()),
  two_factor: Type.Optional(Type.Boolean()),
  /** Whether they have signed in by single sign-on. */
  single_sign_on: Type.Optional(Type.Boolean()),
  /** Of their unused one-time link, if there is one. */
  link_expires_at: Type.Optional(Nullable(Instant())),
  /** The last time their leads were reassigned. */
  reassignment: Type.Optional(Nullable(Reassignment)),
})
export type ListedUser = Static<typeof ListedUser>

export const Invitation = Type.Object({
  email: Type.String({ format: 'user-email', maxLength: 254 }),
  name: Name(),
  role: Role(),
  team: Type.Optional(Nullable(Line(200))),
})
export type Invitation = Static<typeof Invitation>

export const UserChange = Type.Object({
  name: Type.Optional(Name()),
  role: Type.Optional(Role()),
  team: Type.Optional(Nullable(Line(200))),
})
export type UserChange = Static<typeof UserChange>

/** The new owner of the leads: a user, or null for unassigned. If it is missing, the leads stay. */
export const Deactivation = Type.Object({ reassign_to: Type.Optional(Nullable(Uuid())) })

/** Many leads are reassigned in the background: `reassignment` has the progress. */
export const Deactivated = Type.Object({
  id: Uuid(),
  active: Type.Boolean(),
  leads_reassigned: Type.Integer(),
  reassignment: Nullable(Reassignment),
})

export const TwoFactorReset = Type.Object({ id: Uuid(), two_factor: Type.Boolean() })

export const SingleSignOnUnlinked = Type.Object({ id: Uuid(), single_sign_on: Type.Boolean() })
