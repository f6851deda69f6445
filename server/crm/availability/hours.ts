import type { WorkingHours } from '../../access/account/users.ts'
import { indianMinutes } from '../../platform/http/instants.ts'

const minute = 60_000
const day = 24 * 60 * minute
const offset = indianMinutes * minute

/** The day as a number, its weekday from Monday (1), and the minute of the day, IST. */
export function istMoment(at: Date) {
  const ist = at.getTime() + offset
  const number = Math.floor(ist / day)
  // The first of January 1970 was a Thursday.
  return { day: number, weekday: ((number + 3) % 7) + 1, minute: (ist - number * day) / minute }
}

/** The moment of a day, by its number, and a minute of it, IST. */
export const istInstant = (dayNumber: number, minuteOfDay: number) =>
  new Date(dayNumber * day + minuteOfDay * minute - offset)

/** One working day a week of an hour, for the longest alert: eight weeks. */
const maxDays = 70

/** Returns when so many working minutes have passed since `at`. */
export function afterWorkingMinutes(at: Date, minutes: number, { days, from, until }: WorkingHours): Date {
  const start = istMoment(at)
  let left = minutes
  for (let after = 0; after < maxDays; after++) {
    if (!days.includes(((start.weekday - 1 + after) % 7) + 1)) continue
    const begins = Math.max(after === 0 ? start.minute : 0, from)
    const available = Math.max(0, until - begins)
    if (available >= left) return istInstant(start.day + after, begins + left)
    left -= available
  }
  return istInstant(start.day + maxDays, 0)
}

/** Returns when the next working hours start, or `at` if it is within some. */
export function nextWorkingMoment(at: Date, hours: WorkingHours): Date {
  return new Date(afterWorkingMinutes(at, 1, hours).getTime() - minute)
}

/** Returns whether the moment is within the working hours. */
export function isWithin({ days, from, until }: WorkingHours, at: Date): boolean {
  const { weekday, minute } = istMoment(at)
  return days.includes(weekday) && minute >= from && minute < until
}
