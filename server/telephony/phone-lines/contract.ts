import { type Static, Type } from 'typebox'
import { Instant, Line, Uuid } from '../../platform/http/contract.ts'

/** `line` as it is compared, and as it was `written`. */
const Shown = { line: Type.String(), written: Type.String() }

/** `pending`: until an Admin confirms it, no call counts for it. */
export const OwnPhoneLine = Type.Object({ ...Shown, pending: Type.Boolean() })
export type OwnPhoneLine = Static<typeof OwnPhoneLine>

export const UserPhoneLine = Type.Object({ ...Shown, user_id: Uuid() })
export type UserPhoneLine = Static<typeof UserPhoneLine>

/** A line that a user asks for. */
export const PendingPhoneLine = Type.Object({ ...UserPhoneLine.properties, added_at: Instant() })
export type PendingPhoneLine = Static<typeof PendingPhoneLine>

/** An agent of calls who is no known user. `calls`: of the last 30 days. */
export const UnknownPhoneLine = Type.Object({ ...Shown, seen_at: Instant(), calls: Type.Integer() })
export type UnknownPhoneLine = Static<typeof UnknownPhoneLine>

/** `pending`: oldest first. `unknown`: newest first. */
export const PhoneLines = Type.Object({
  users: Type.Array(UserPhoneLine),
  pending: Type.Array(PendingPhoneLine),
  unknown: Type.Array(UnknownPhoneLine),
})
export type PhoneLines = Static<typeof PhoneLines>

const NewLine = Line(200, { minLength: 1 })
export const NewOwnPhoneLine = Type.Object({ line: NewLine })
export const NewPhoneLine = Type.Object({ line: NewLine, user_id: Uuid() })

/** `calls`: that are now shown as calls of the user. */
export const AddedPhoneLine = Type.Object({
  ...UserPhoneLine.properties,
  pending: Type.Boolean(),
  calls: Type.Integer(),
})
export type AddedPhoneLine = Static<typeof AddedPhoneLine>

/** As it is compared. */
export const NamedPhoneLine = Type.Object({ line: Line(200) })

/** What an Admin removes. `user_id`: that of the user; a pending line is removed only with it. */
export const PhoneLineRemoval = Type.Object({
  ...NamedPhoneLine.properties,
  user_id: Type.Optional(Uuid()),
  /** Takes back the credit for its calls, and the leads that its user has because they answered. */
  take_back: Type.Optional(Type.Enum(['true', 'false'])),
})

/** `calls` and `leads`: taken back. */
export const RemovedPhoneLine = Type.Object({ line: Type.String(), calls: Type.Integer(), leads: Type.Integer() })
export type RemovedPhoneLine = Static<typeof RemovedPhoneLine>

/** How many calls are listed. */
export const maxListedCredits = 50

/** What a line changed since its user has it. */
export const LineCredits = Type.Object({
  /** How many calls count for the user because of the line. */
  calls: Type.Integer(),
  /** How many leads the user has because they answered such a call. */
  leads: Type.Integer(),
  /** The newest calls. */
  newest: Type.Array(Type.Object({ id: Uuid(), lead_id: Uuid(), lead_name: Type.String(), called_at: Instant() })),
})
export type LineCredits = Static<typeof LineCredits>
