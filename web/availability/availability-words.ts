import type { UserAvailability } from '#contract/availability'
import { formatIsoDate, istDay } from '../ui/time.ts'
import { timeOfDay, weekdays } from '../ui/time-of-day.ts'

const dayInWords = (day: string) => (day === istDay() ? 'today' : formatIsoDate(day))

/** "Available", "Away today", "Away until 5 Dec", "Outside working hours". */
export function stateInWords({ state, away_until }: Pick<UserAvailability, 'state' | 'away_until'>): string {
  if (state === 'available') return 'Available'
  if (state === 'outside_hours' || away_until === null) return 'Outside working hours'
  return away_until === istDay() ? 'Away today' : `Away until ${formatIsoDate(away_until)}`
}

/** "25 Nov", "25 Nov to 5 Dec", "today". */
export const absenceInWords = ({ from, until }: { from: string; until: string }) =>
  from === until ? dayInWords(from) : `${dayInWords(from)} to ${dayInWords(until)}`

interface Times {
  work_days: number[]
  work_from: number
  work_until: number
}

/** "Mon, Tue, Wed, 09:00 to 19:00". */
export const hoursInWords = ({ work_days, work_from, work_until }: Times) =>
  `${work_days.map((day) => weekdays[day - 1]).join(', ')}, ${timeOfDay(work_from)} to ${timeOfDay(work_until)}`
