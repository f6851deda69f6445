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

const maxNewOwners = 50

/** The new owners, who share the open leads evenly, or null for unassigned. If they are missing, the leads stay. */
export const Deactivation = Type.Object({
  reassign_to: Type.Optional(Nullable(Type.Array(Uuid(), { minItems: 1, maxItems: maxNewOwners, uniqueItems: true }))),
  with_closed: Type.Optional(Type.Boolean({ description: 'Won and lost leads, too.' })),
})

/** Returns how many of the leads each of the new owners gets. They get them in turn, the first one first. */
export const evenShares = (userIds: string[], leads: number) =>
  userIds.map((user_id, n) => ({ user_id, leads: Math.ceil(Math.max(0, leads - n) / userIds.length) }))

/** Many leads are reassigned in the background: `reassignment` has the progress. */
export const Deactivated = Type.Object({
  id: Uuid(),
  active: Type.Boolean(),
  leads_reassigned: Type.Integer(),
  reassignment: Nullable(Reassignment),
})

export const TwoFactorReset = Type.Object({ id: Uuid(), two_factor: Type.Boolean() })

export const SingleSignOnUnlinked = Type.Object({ id: Uuid(), single_sign_on: Type.Boolean() })
