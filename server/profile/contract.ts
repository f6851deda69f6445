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
  /** Whether they are asked for a code of their phone when they sign in. */
  two_factor: Type.Boolean(),
  /** Where this request came from, for a whitelist. */
  address: Type.String(),
})
export type Profile = Static<typeof Profile>

export const ProfileChange = Type.Object({ name: Name() })
