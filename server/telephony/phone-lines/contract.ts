import { type Static, Type } from 'typebox'
import { Instant, Line, Uuid } from '../../platform/http/contract.ts'

/** `line` as it is compared, and as it was `written`. */
const Shown = { line: Type.String(), written: Type.String() }

export const OwnPhoneLine = Type.Object(Shown)
export type OwnPhoneLine = Static<typeof OwnPhoneLine>

export const UserPhoneLine = Type.Object({ ...Shown, user_id: Uuid() })
export type UserPhoneLine = Static<typeof UserPhoneLine>

/** An agent of calls who is no known user. `calls`: of the last 30 days. */
export const UnknownPhoneLine = Type.Object({ ...Shown, seen_at: Instant(), calls: Type.Integer() })
export type UnknownPhoneLine = Static<typeof UnknownPhoneLine>

/** `unknown`: newest first. */
export const PhoneLines = Type.Object({ users: Type.Array(UserPhoneLine), unknown: Type.Array(UnknownPhoneLine) })
export type PhoneLines = Static<typeof PhoneLines>

const NewLine = Line(200, { minLength: 1 })
export const NewOwnPhoneLine = Type.Object({ line: NewLine })
export const NewPhoneLine = Type.Object({ line: NewLine, user_id: Uuid() })

/** `calls`: that are now shown as calls of the user. */
export const AddedPhoneLine = Type.Object({ ...UserPhoneLine.properties, calls: Type.Integer() })
export type AddedPhoneLine = Static<typeof AddedPhoneLine>

/** As it is compared. */
export const NamedPhoneLine = Type.Object({ line: Line(200) })
export const RemovedPhoneLine = Type.Object({ line: Type.String() })
