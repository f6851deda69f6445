import { shiftLength } from '../../access/account/contract.ts'
import type { WorkingHours } from '../../access/account/users.ts'
import { istInstant, istMoment, isWithin, nextWorkingMoment } from '../availability/hours.ts'

const minute = 60_000
/** Minutes of the day, IST. */
const [afterLunch, early, late] = [13 * 60, 10 * 60 + 30, 17 * 60]

interface Unreached {
  attempts: number
  last_call_at: Date
}

interface Setting {
  /** In minutes. */
  firstRetryAfter: number
  /** Those of the owner. */
  hours: WorkingHours
}

/**
 * Returns when a lead that was not reached is called again: after the first attempt when the account says, after the second in the next
 * morning, and then a day later at another time of the day. All of it in working hours.
 */
export function retryAt({ attempts, last_call_at: last }: Unreached, { firstRetryAfter, hours }: Setting): Date {
  if (attempts <= 1) return nextWorkingMoment(new Date(last.getTime() + firstRetryAfter * minute), hours)
  const called = istMoment(last)
  const morning = nextWorkingMoment(istInstant(called.day + 1, hours.from), hours)
  if (attempts === 2) return morning
  const wasEarly = called.minute < afterLunch
  const other = istInstant(istMoment(morning).day, wasEarly ? late : early)
  if (isWithin(hours, other)) return other
  // A shift that does not have this time.
  const after = wasEarly ? shiftLength(hours.from, hours.until) - 60 : 30
  return new Date(morning.getTime() + after * minute)
}
