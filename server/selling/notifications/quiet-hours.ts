import { istInstant, istMoment } from '../../crm/availability/hours.ts'

/** Minutes of the day, IST. They may span midnight. */
export interface QuietHours {
  from: number
  until: number
}

/** Returns when the quiet hours end that hold at this moment, or null. */
export function endOfQuietHours(at: Date, quiet: QuietHours | null): Date | null {
  if (!quiet || quiet.from === quiet.until) return null
  const { from, until } = quiet
  const now = istMoment(at)
  const isAfterStart = now.minute >= from
  const isBeforeEnd = now.minute < until
  if (from < until) return isAfterStart && isBeforeEnd ? istInstant(now.day, until) : null
  if (isBeforeEnd) return istInstant(now.day, until)
  return isAfterStart ? istInstant(now.day + 1, until) : null
}
