import { t } from '@lingui/core/macro'
import { type AccountSettings, shiftLength } from '#contract/access/account'
import { formatIsoDate } from '../../platform/ui/time.ts'
import { weekdays } from '../../platform/ui/time-of-day.ts'
import { wallClock } from '../../platform/ui/wall-clock.ts'

export type WorkingHours = Pick<AccountSettings, 'work_days' | 'work_from' | 'work_until'>

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const offset = 5.5 * hour
const usualMinute = 10 * 60

/** The day in India as a number, and the minute of it. */
export function indianTime(instant: number) {
  const number = Math.floor((instant + offset) / day)
  return { number, minute: (instant + offset - number * day) / minute }
}
const toInstant = (number: number, minuteOfDay: number) => number * day + minuteOfDay * minute - offset
/** From Monday, which is 1. The first of January 1970 was a Thursday. */
export const weekdayOf = (number: number) => ((number + 3) % 7) + 1

/** "Fri 4 Dec, 10:00", or "Today, 15:20", in IST. */
export function formatCallAgain(at: string | number, now = Date.now()): string {
  const instant = new Date(at).getTime()
  const [day, time] = wallClock(instant).split('T')
  const today = wallClock(now).slice(0, 10)
  if (day === today) return t`Today, ${{ time: time! }}`
  return `${weekdays[weekdayOf(indianTime(instant).number) - 1]} ${formatIsoDate(day!, today)}, ${time}`
}

/** Usual times to call again, within working hours: later today, and at ten on the next working days and a week from now. */
export function callAgainTimes(
  { work_days, work_from, work_until }: WorkingHours,
  now = Date.now(),
): { label: string; at: string }[] {
  const { number: today } = indianTime(now)
  const isWorkday = (number: number) => work_days.includes(weekdayOf(number))
  const isInShift = (minuteSinceStart: number) =>
    minuteSinceStart >= 0 && minuteSinceStart < shiftLength(work_from, work_until)
  /** Within the shift of today, or that of yesterday over midnight. */
  const isWorkingTime = (instant: number) =>
    [today, today - 1].some(
      (number) => isWorkday(number) && isInShift((instant - toInstant(number, work_from)) / minute),
    )
  const firstWorkday = (from: number) => [0, 1, 2, 3, 4, 5, 6].map((n) => from + n).find(isWorkday)!
  const usual = isInShift(usualMinute - work_from) ? usualMinute : work_from
  const inHours = (hours: number) => Math.ceil((now + hours * hour) / (5 * minute)) * 5 * minute
  const next = firstWorkday(today + 1)
  const nextMonday = today + 8 - weekdayOf(today)
  const later = [next, firstWorkday(next + 1), firstWorkday(nextMonday), firstWorkday(today + 7)]
  const times = [
    ...[toInstant(today, usual), inHours(1), inHours(3)].filter((at) => at > now && isWorkingTime(at)),
    ...later.map((number) => toInstant(number, usual)),
  ]
  return [...new Set(times)]
    .toSorted((one, other) => one - other)
    .map((at) => ({ label: formatCallAgain(at, now), at: `${new Date(at).toISOString().slice(0, 19)}Z` }))
}
