import { msg } from '@lingui/core/runtime-macro'
import '../../platform/http/temporal.ts'
import { allDays, type DateWindow, dateWindow, daysBeforeToday } from '../../platform/http/date-window.ts'
import { invalid } from '../../platform/http/problem.ts'
import { monthsIn, type PeriodUnit } from '../../platform/periods/contract.ts'
import { maxReportDays } from './contract.ts'

export interface ComparedPeriods {
  now: DateWindow
  before: DateWindow
}

interface PeriodQuery {
  from_date?: string
  to_date?: string
  compare?: PeriodUnit | 'days'
}

/**
 * Returns the days of a report, by default the last 30, and those that it is compared with: the same days a month, quarter or year
 * before, as many months before if the days are whole months, or as many days before.
 */
export function comparedPeriods(query: PeriodQuery, at: Date): ComparedPeriods {
  const now = dateWindow(query, at, daysBeforeToday.web)
  const [first, last] = [now.first_day, now.last_day].map((day) => Temporal.PlainDate.from(day))
  const days = first!.until(last!, { largestUnit: 'days' }).days + 1
  const { compare } = query
  const months = compare === 'days' ? 0 : compare ? monthsIn[compare] : wholeMonths(first!, last!)
  const start = first!.subtract(months > 0 ? { months } : { days })
  const end = months > 0 ? monthsBefore(last!, months) : first!.subtract({ days: 1 })
  if (days > maxReportDays || start.toString() < allDays.from_date || start.year < 1900)
    throw invalid(msg`A report covers at most ${{ maxReportDays }} days. Choose a later from_date.`, 'from_date')
  if (Temporal.PlainDate.compare(end, first!) >= 0)
    throw invalid(
      msg`These days overlap those that they are compared with. Compare with a longer time before.`,
      'compare',
    )
  const before = dateWindow({ from_date: start.toString(), to_date: end.toString() }, at)
  return { now, before }
}

/** Returns the months of a window of whole months, of which the last one may end today; null for another window. */
export function monthsOf({ first_day, last_day }: DateWindow, today: string): string[] | null {
  const [first, last] = [first_day, last_day].map((day) => Temporal.PlainDate.from(day))
  if (first!.day !== 1 || !(isLastOfMonth(last!) || last_day === today)) return null
  const months: string[] = []
  for (let month = first!; Temporal.PlainDate.compare(month, last!) <= 0; month = month.add({ months: 1 }))
    months.push(month.toString().slice(0, 7))
  return months
}

const isLastOfMonth = (day: Temporal.PlainDate) => day.day === day.daysInMonth

/** How many whole months the days are; 0 if they are others. */
function wholeMonths(first: Temporal.PlainDate, last: Temporal.PlainDate): number {
  if (first.day !== 1 || !isLastOfMonth(last)) return 0
  return (last.year - first.year) * 12 + last.month - first.month + 1
}

/** The end of a month stays one. */
function monthsBefore(last: Temporal.PlainDate, months: number): Temporal.PlainDate {
  const day = last.subtract({ months })
  return isLastOfMonth(last) ? day.with({ day: day.daysInMonth }) : day
}

/** Returns the part of a month's cost that falls on the days of the window, day by day. */
export function costWithin({ first_day, last_day }: DateWindow, month: string, cost: number): number {
  const [start, end] = [first_day, last_day].map((day) => Temporal.PlainDate.from(day))
  const first = Temporal.PlainDate.from(`${month}-01`)
  const last = first.with({ day: first.daysInMonth })
  const [from, until] = [later(start!, first), Temporal.PlainDate.compare(end!, last) < 0 ? end! : last]
  const days = Math.max(0, from.until(until, { largestUnit: 'days' }).days + 1)
  return (cost * days) / first.daysInMonth
}

const later = (one: Temporal.PlainDate, other: Temporal.PlainDate) =>
  Temporal.PlainDate.compare(one, other) > 0 ? one : other
