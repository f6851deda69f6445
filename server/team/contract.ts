import { type Static, Type } from 'typebox'
import { Role } from '../account/contract.ts'
import { Instant, Line, Name, Nullable, Uuid } from '../http/contract.ts'

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
export const ListedUser = Type.Object({
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
export type ListedUser = Static<typeof ListedUser>

export const Invitation = Type.Object({
  email: Type.String({ format: 'person-email', maxLength: 254 }),
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
