import { type Static, Type } from 'typebox'
import { Name, Uuid } from '../http/contract.ts'

export const roles = ['Admin', 'Manager', 'Agent'] as const
export type Role = (typeof roles)[number]

export const Role = () => Type.Enum([...roles])

export const AccountSettings = Type.Object({
  id: Uuid(),
  name: Type.String(),
  default_country: Type.String(),
  delivery_retention_days: Type.Integer(),
})
export type AccountSettings = Static<typeof AccountSettings>

const ChangeableSettings = Type.Object({
  name: Type.Optional(Name()),
  default_country: Type.Optional(Type.String({ minLength: 2, maxLength: 2 })),
})
export const AccountChange = Type.Object({ ...ChangeableSettings.properties, was: Type.Optional(ChangeableSettings) })
export type AccountChange = Static<typeof AccountChange>
