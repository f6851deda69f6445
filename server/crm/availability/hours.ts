import { shiftLength } from '../../access/account/contract.ts'
import type { WorkingHours } from '../../access/account/users.ts'
import { indianMinutes } from '../../platform/http/instants.ts'

const minute = 60_000
const minutesOfDay = 24 * 60
const day = minutesOfDay * minute
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
  const length = shiftLength(from, until)
  let left = minutes
  // The shift of the day before may end today.
  for (let after = -1; after < maxDays; after++) {
    if (!days.includes(weekdayAfter(start.weekday, after))) continue
    const begin = after * minutesOfDay + from
    const begins = Math.max(start.minute, begin)
    const available = Math.max(0, begin + length - begins)
    if (available >= left) return istInstant(start.day, begins + left)
    left -= available
  }
  return istInstant(start.day + maxDays, 0)
}

/** Returns when the next working hours start, or `at` if it is within some. */
export function nextWorkingMoment(at: Date, hours: WorkingHours): Date {
  return new Date(afterWorkingMinutes(at, 1, hours).getTime() - minute)
}

/** Returns when the last shift before `at` ended. */
export function lastShiftEnd(at: Date, { days, from, until }: WorkingHours): Date {
  const now = istMoment(at)
  for (let before = 0; before <= 8; before++) {
    const end = from + shiftLength(from, until) - before * minutesOfDay
    if (days.includes(weekdayAfter(now.weekday, -before)) && end <= now.minute) return istInstant(now.day, end)
  }
  throw new Error('working hours have a day a week')
}

/** Returns whether the moment is within the working hours. */
export function isWithin({ days, from, until }: WorkingHours, at: Date): boolean {
  const { weekday, minute } = istMoment(at)
  return [-1, 0].some((after) => {
    const sinceStart = minute - (after * minutesOfDay + from)
    return days.includes(weekdayAfter(weekday, after)) && sinceStart >= 0 && sinceStart < shiftLength(from, until)
  })
}

/** `days` is at least -13. */
const weekdayAfter = (weekday: number, days: number) => ((weekday + days + 13) % 7) + 1
