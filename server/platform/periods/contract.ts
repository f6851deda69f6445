/** A period until today, or the whole one before. Years are financial years, from April. */
export const calendarPeriods = [
  'this-month',
  'last-month',
  'this-quarter',
  'last-quarter',
  'this-year',
  'last-year',
] as const
export type CalendarPeriod = (typeof calendarPeriods)[number]

/** So many days up to today, a calendar period, or two calendar days in India. */
export interface Days {
  days?: number | undefined
  period?: CalendarPeriod | undefined
  from_date?: string | undefined
  to_date?: string | undefined
}

/** More days than any record is old. */
export const allTime = 36_500

interface DateRange {
  from_date?: string
  to_date?: string
}

/** Returns the calendar days as a request names them; empty without a choice. Days are dates such as 2026-11-21. */
export function dateRangeOf({ days, period, from_date, to_date }: Days, today: string): DateRange {
  if (days) return { from_date: days >= allTime ? '1970-01-01' : daysBefore(today, days - 1), to_date: today }
  if (period) return daysOfPeriod(period, today)
  return { ...(from_date ? { from_date } : {}), ...(to_date ? { to_date } : {}) }
}

export type PeriodUnit = 'month' | 'quarter' | 'year'
export const monthsIn: Record<PeriodUnit, number> = { month: 1, quarter: 3, year: 12 }

export const unitOf = (period: CalendarPeriod) => period.slice('this-'.length) as PeriodUnit

/** Returns the days of a period that is `this-` or `last-` on the day `today`. */
export function daysOfPeriod(period: CalendarPeriod, today: string): Required<DateRange> {
  const [year, month] = today.split('-').map(Number) as [number, number]
  const count = monthsIn[unitOf(period)]
  // Months since January of the year 0. Financial years and quarters begin in April, too.
  const now = year * 12 + month - 1
  const start = now - ((now - 3) % count)
  if (period.startsWith('this-')) return { from_date: dayOf(start, 1), to_date: today }
  return { from_date: dayOf(start - count, 1), to_date: dayOf(start, 0) }
}

/** Day 0 is the last one of the month before. */
const dayOf = (months: number, day: number) => isoDay(Date.UTC(Math.floor(months / 12), months % 12, day))
const daysBefore = (day: string, n: number) => isoDay(Date.parse(day) - n * 86_400_000)
const isoDay = (time: number) => new Date(time).toISOString().slice(0, 10)
