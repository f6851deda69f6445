import { type Static, Type } from 'typebox'
import { Instant, Line, Name, Nullable, Uuid } from '../../platform/http/contract.ts'

export const permissions = ['read', 'write', 'delete'] as const
export type Permission = (typeof permissions)[number]

const Permissions = () => Type.Array(Type.Enum([...permissions]))

/** IP addresses and CIDR ranges. An empty list allows any IP. */
const Whitelist = () => Type.Array(Line(100), { maxItems: 100 })

const LastUse = Nullable(Type.Object({ at: Instant(), address: Type.String() }))

export const ShownKey = Type.Object({
  id: Uuid(),
  name: Type.String(),
  user: Type.Object({ id: Uuid(), name: Type.String(), email: Type.String(), active: Type.Boolean() }),
  last_four: Type.String(),
  permissions: Permissions(),
  ip_whitelist: Type.Array(Type.String()),
  created_at: Instant(),
  revoked_at: Nullable(Instant()),
  last_use: LastUse,
})
export type ShownKey = Static<typeof ShownKey>

export const KeyToCreate = Type.Object({
  name: Name(),
  user_id: Uuid(),
  permissions: Permissions(),
  ip_whitelist: Type.Optional(Whitelist()),
})

/** `key` is the value, answered only once. */
export const CreatedKey = Type.Object({ id: Uuid(), key: Type.String() })

const KeySettings = Type.Object({
  name: Type.Optional(Name()),
  permissions: Type.Optional(Permissions()),
  ip_whitelist: Type.Optional(Whitelist()),
})
export type KeySettings = Static<typeof KeySettings>

/** `was`: the values that the form showed for the fields it changes. Answers 409 if somebody changed them since. */
export const KeyChange = Type.Object({ ...KeySettings.properties, was: Type.Optional(KeySettings) })

/** The value that no longer works, so that the Admin knows which program to update. */
const Stopped = Type.Object({ name: Type.String(), last_four: Type.String(), last_use: LastUse })

export const RegeneratedKey = Type.Object({ id: Uuid(), key: Type.String(), stopped: Stopped })
export const RevokedKey = Type.Object({ id: Uuid(), revoked: Type.Boolean(), stopped: Stopped })
