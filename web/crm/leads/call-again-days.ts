import { t } from '@lingui/core/macro'
import { shiftLength } from '#contract/access/account'
import { formatIsoDate } from '../../platform/ui/time.ts'
import { timeOfDay, weekdays } from '../../platform/ui/time-of-day.ts'
import { instantOf, toInstant, wallClock } from '../../platform/ui/wall-clock.ts'
import { formatCallAgain, indianTime, type WorkingHours, weekdayOf } from './call-again.ts'

/** Times to call again, as a day and a time of the day. Times are those of a time input, in IST: 2026-11-21T10:30. */

const [hourMs, dayMs] = [3_600_000, 86_400_000]
const usualMinutes = [10, 11, 12, 16, 18].map((hour) => hour * 60)
const maxTimes = 6

const isoDay = (number: number) => new Date(number * dayMs).toISOString().slice(0, 10)

/** The times of a day that are offered, within working hours: later today, or the usual ones. */
export function timesOfDay({ work_days, work_from, work_until }: WorkingHours, day: string, now: number): string[] {
  const end = Math.min(work_from + shiftLength(work_from, work_until), 1440)
  const isInShift = (minute: number) => minute >= work_from && minute < end
  const inShift = usualMinutes.filter(isInShift)
  const usual = inShift.length > 1 ? inShift : [0, 60, 120, 180].map((after) => work_from + after).filter(isInShift)
  const today = indianTime(now)
  if (day !== isoDay(today.number)) return usual.map(timeOfDay)
  if (!work_days.includes(weekdayOf(today.number))) return []
  const soon = [1, 3].map((hours) => Math.ceil((today.minute + hours * 60) / 5) * 5).filter(isInShift)
  const later = [...soon, ...usual.filter((minute) => minute > today.minute)]
  return [...new Set(later)]
    .toSorted((one, other) => one - other)
    .slice(0, maxTimes)
    .map(timeOfDay)
}

/** The days that are offered: today, while it has a time, tomorrow, in three days and in a week; a day off is the working day after it. */
export function callAgainDays(hours: WorkingHours, now: number): { day: string; label: string }[] {
  const { number: today } = indianTime(now)
  const workday = (from: number) =>
    [0, 1, 2, 3, 4, 5, 6].map((n) => from + n).find((number) => hours.work_days.includes(weekdayOf(number)))!
  const names: Record<number, string> = { 0: t`Today`, 1: t`Tomorrow`, 3: t`In 3 days`, 7: t`Next week` }
  const label = (number: number) =>
    names[number - today] ?? `${weekdays[weekdayOf(number) - 1]} ${formatIsoDate(isoDay(number), isoDay(today))}`
  const days = [...new Set([workday(today + 1), workday(today + 3), workday(today + 7)])]
  const hasToday = timesOfDay(hours, isoDay(today), now).length > 0
  return [...(hasToday ? [today] : []), ...days].map((number) => ({ day: isoDay(number), label: label(number) }))
}

/** Moves a time to another day. Without a time, it is the first that is offered. */
export function onDay(hours: WorkingHours, at: string, day: string, now: number): string {
  const times = timesOfDay(hours, day, now)
  const time = at.slice(11)
  return `${day}T${times.includes(time) ? time : (times[0] ?? '10:00')}`
}

/** Moves it to another time of its day. Without a day, it is the first after today. */
export function atTime(hours: WorkingHours, at: string, time: string, now: number): string {
  const today = isoDay(indianTime(now).number)
  const day = at.slice(0, 10) || callAgainDays(hours, now).find((one) => one.day !== today)!.day
  return `${day}T${time}`
}

/** The times as one list of instants: those of today, and the first one of each other day. */
export function callAgainTimes(hours: WorkingHours, now = Date.now()): { label: string; at: string }[] {
  const today = isoDay(indianTime(now).number)
  return callAgainDays(hours, now)
    .flatMap(({ day }) => {
      const times = timesOfDay(hours, day, now)
      return (day === today ? times : times.slice(0, 1)).map((time) => Date.parse(toInstant(`${day}T${time}`)))
    })
    .map((at) => ({ label: formatCallAgain(at, now), at: instantOf(at) }))
}

/** The next full hour within working hours. India is half an hour off the hours of UTC. */
export function nextFullHour({ work_days, work_from, work_until }: WorkingHours, now: number): string {
  const first = Math.floor(now / hourMs + 0.5) * hourMs + hourMs / 2
  const isAtWork = (at: number) => {
    const { number, minute } = indianTime(at - work_from * 60_000)
    return work_days.includes(weekdayOf(number)) && minute < shiftLength(work_from, work_until)
  }
  return wallClock(Array.from({ length: 8 * 24 }, (_, n) => first + n * hourMs).find(isAtWork) ?? first)
}
