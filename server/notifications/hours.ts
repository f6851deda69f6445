import type { WorkingHours } from '../account/users.ts'
import { indianMinutes } from '../http/instants.ts'

/** Minutes of the day, IST. They may span midnight. */
export interface QuietHours {
  from: number
  until: number
}

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

const instant = (dayNumber: number, minuteOfDay: number) => new Date(dayNumber * day + minuteOfDay * minute - offset)

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
    if (available >= left) return instant(start.day + after, begins + left)
    left -= available
  }
  return instant(start.day + maxDays, 0)
}

/** Returns when the quiet hours end that hold at this moment, or null. */
export function endOfQuietHours(at: Date, quiet: QuietHours | null): Date | null {
  if (!quiet || quiet.from === quiet.until) return null
  const { from, until } = quiet
  const now = istMoment(at)
  const isAfterStart = now.minute >= from
  const isBeforeEnd = now.minute < until
  if (from < until) return isAfterStart && isBeforeEnd ? instant(now.day, until) : null
  if (isBeforeEnd) return instant(now.day, until)
  return isAfterStart ? instant(now.day + 1, until) : null
}
