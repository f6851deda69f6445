import { type Static, Type } from 'typebox'
import { Reassignment, Role } from '../../access/account/contract.ts'
import { Line, Name, Nullable, Uuid } from '../../platform/http/contract.ts'

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
