import { type Static, Type } from 'typebox'
import { WorkTimes } from '../../access/account/contract.ts'
import { Nullable, Uuid } from '../../platform/http/contract.ts'

/** Absences of a user that have not ended. */
export const maxAbsences = 20

const Day = () => Type.String({ format: 'date' })
const Hours = Type.Object(WorkTimes)

/** Days and minutes of the day are those of India. */
export const UserAvailability = Type.Object({
  user_id: Uuid(),
  /** `invited`: the user has not joined yet. Rules assign leads to them as to others. */
  state: Type.Enum(['invited', 'available', 'away', 'outside_hours']),
  /** The last day, while the user is away. */
  away_until: Nullable(Day()),
  /** Null: those of the account. */
  working_hours: Nullable(Hours),
  /** Earliest first. They end with their last day. */
  absences: Type.Array(Type.Object({ id: Uuid(), from: Day(), until: Day(), is_present: Type.Boolean() })),
})
export type UserAvailability = Static<typeof UserAvailability>

export const AvailabilityChange = Type.Object({ working_hours: Nullable(Hours) })
export type AvailabilityChange = Static<typeof AvailabilityChange>

/** Without `from` it begins now, without `until` it ends with its first day. */
export const NewAbsence = Type.Object({ from: Type.Optional(Day()), until: Type.Optional(Day()) })
export type NewAbsence = Static<typeof NewAbsence>

export const AbsenceParameters = Type.Object({ id: Uuid(), absence: Uuid() })
