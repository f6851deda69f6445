import { t } from '@lingui/core/macro'
import type { AccountSettings } from '#contract/access/account'
import { formatIsoDate } from '../../platform/ui/time.ts'
import { weekdays } from '../../platform/ui/time-of-day.ts'
import { wallClock } from '../../platform/ui/wall-clock.ts'

export type WorkingHours = Pick<AccountSettings, 'work_days' | 'work_from' | 'work_until'>

const [minute, day] = [60_000, 86_400_000]
const offset = 330 * minute

/** The day in India as a number, and the minute of it. */
export function indianTime(instant: number) {
  const number = Math.floor((instant + offset) / day)
  return { number, minute: (instant + offset - number * day) / minute }
}

/** From Monday, which is 1. The first of January 1970 was a Thursday. */
export const weekdayOf = (number: number) => ((number + 3) % 7) + 1

/** What is wrong with a time of the wall clock, if it is not in the future. An empty one is right. */
export const pastTime = (time: string) =>
  time !== '' && time <= wallClock(Date.now()) ? t`This time has passed. Choose a later one.` : null

/** "Fri 4 Dec, 10:00", or "Today, 15:20", in IST. */
export function formatCallAgain(at: string | number, now = Date.now()): string {
  const instant = new Date(at).getTime()
  const [day, time] = wallClock(instant).split('T')
  const today = wallClock(now).slice(0, 10)
  if (day === today) return t`Today, ${{ time: time! }}`
  return `${weekdays[weekdayOf(indianTime(instant).number) - 1]} ${formatIsoDate(day!, today)}, ${time}`
}
