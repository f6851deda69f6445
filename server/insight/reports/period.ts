import { msg } from '@lingui/core/runtime-macro'
import '../../platform/http/temporal.ts'
import { allDays, type DateWindow, dateWindow } from '../../platform/http/date-window.ts'
import { invalid } from '../../platform/http/problem.ts'
import { maxReportDays } from './contract.ts'

export interface ComparedPeriods {
  now: DateWindow
  /** As many days before it. */
  before: DateWindow
}

/** Returns the days of a report, by default the last 30, and those that it is compared with. */
export function comparedPeriods(query: { from_date?: string; to_date?: string }, at: Date): ComparedPeriods {
  const now = dateWindow(query, at)
  const [first, last] = [now.first_day, now.last_day].map((day) => Temporal.PlainDate.from(day))
  const days = first!.until(last!, { largestUnit: 'days' }).days + 1
  const start = first!.subtract({ days })
  if (days > maxReportDays || start.toString() < allDays.from_date || start.year < 1900)
    throw invalid(msg`A report covers at most ${{ maxReportDays }} days. Choose a later from_date.`, 'from_date')
  const before = dateWindow({ from_date: start.toString(), to_date: first!.subtract({ days: 1 }).toString() }, at)
  return { now, before }
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
