import { type Static, Type } from 'typebox'
import { Role } from '../account/contract.ts'
import { Name, Nullable, Uuid } from '../http/contract.ts'

export const Profile = Type.Object({
  id: Uuid(),
  email: Type.String(),
  name: Type.String(),
  role: Role(),
  team: Nullable(Type.String()),
  account: Type.Object({ id: Uuid(), name: Type.String() }),
  /** Whether they sign in with a two-factor code. */
  two_factor: Type.Boolean(),
  /** The IP address of this request, for an IP whitelist. */
  address: Type.String(),
})
export type Profile = Static<typeof Profile>

export const ProfileChange = Type.Object({ name: Name() })
