import { type Static, Type } from 'typebox'
import { Instant, Line, Name, Nullable, Uuid } from '../../platform/http/contract.ts'

/** In characters. */
export const maxLostReasonLength = 100

export const roles = ['Admin', 'Manager', 'Agent'] as const
export type Role = (typeof roles)[number]

/** What the first account and its Admin are called until somebody names them. */
export const initialNames = { account: 'My company', user: 'Admin' }

export const Role = () => Type.Enum([...roles])

/** Returns whether the role is `lowest` or above it. */
export const isAtLeast = (role: Role, lowest: Role) => roles.indexOf(role) <= roles.indexOf(lowest)

/** A shift that ends at or before the minute of its start ends on the next day. */
export const WorkTimes = {
  /** Days of the week from Monday (1) on which a shift starts. */
  work_days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { minItems: 1, maxItems: 7, uniqueItems: true }),
  /** Minutes of the day, IST. */
  work_from: Type.Integer({ minimum: 0, maximum: 1439 }),
  work_until: Type.Integer({ minimum: 1, maximum: 1440 }),
}

/** Returns the length of a shift in minutes: at most a day. */
export const shiftLength = (from: number, until: number) => (until > from ? until : until + 1440) - from

const WorkingHours = {
  ...WorkTimes,
  /** Working minutes after which an uncalled lead is reported; null if it is not. */
  alert_after: Type.Union([Type.Integer({ minimum: 1, maximum: 480 }), Type.Null()]),
  /** Days without a call or a time to call again, after which a lead in Qualified or Proposal is going cold. */
  going_cold_after: Type.Integer({ minimum: 1, maximum: 90 }),
  /** Minutes after which a lead that was not reached once is called again. */
  first_retry_after: Type.Integer({ minimum: 15, maximum: 1440 }),
}

export const maxLostReasons = 30
const Percent = Type.Integer({ minimum: 0, maximum: 100 })

/** How many of the leads with this status are won, in percent. */
const WinProbabilities = Type.Object({ New: Percent, Contacted: Percent, Qualified: Percent, Proposal: Percent })

export const AccountSettings = Type.Object({
  id: Uuid(),
  name: Type.String(),
  default_country: Type.String(),
  /** In the web app. API keys have permissions of their own. */
  lowest_role_to_delete: Role(),
  lowest_role_to_export: Role(),
  /** Whether the user who answers a call of an unassigned lead becomes its owner. */
  answering_user_owns: Type.Boolean(),
  /** Whether a user who enters a colleague's customer sees the colleague's name. */
  names_owner: Type.Boolean(),
  win_probabilities: WinProbabilities,
  /** What a user may choose when a lead is lost. */
  lost_reasons: Type.Array(Type.String()),
  ...WorkingHours,
  /** Gets the leads of a rule while none of its users is available. */
  fallback_owner: Nullable(Uuid()),
  delivery_retention_days: Type.Integer(),
})
export type AccountSettings = Static<typeof AccountSettings>

const ChangeableSettings = Type.Object({
  name: Type.Optional(Name()),
  default_country: Type.Optional(Type.String({ minLength: 2, maxLength: 2 })),
  lowest_role_to_delete: Type.Optional(Role()),
  lowest_role_to_export: Type.Optional(Role()),
  answering_user_owns: Type.Optional(Type.Boolean()),
  names_owner: Type.Optional(Type.Boolean()),
  win_probabilities: Type.Optional(WinProbabilities),
  lost_reasons: Type.Optional(Type.Array(Line(maxLostReasonLength, { minLength: 1 }), { maxItems: maxLostReasons })),
  ...Type.Partial(Type.Object(WorkingHours)).properties,
  fallback_owner: Type.Optional(Nullable(Uuid())),
})
export const AccountChange = Type.Object({ ...ChangeableSettings.properties, was: Type.Optional(ChangeableSettings) })
export type AccountChange = Static<typeof AccountChange>

/** The progress of reassigning the leads of a deactivated user. */
export const Reassignment = Type.Object({
  state: Type.Enum(['running', 'done', 'stopped']),
  total: Type.Integer(),
  moved: Type.Integer(),
  /** Empty if they become unassigned. */
  to_users: Type.Array(Uuid()),
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
  /** When their unused one-time link expires, if there is one. */
  link_expires_at: Type.Optional(Nullable(Instant())),
  /** The last time their leads were reassigned. */
  reassignment: Type.Optional(Nullable(Reassignment)),
})
export type ListedUser = Static<typeof ListedUser>
