import { msg } from '@lingui/core/runtime-macro'
import './temporal.ts'
import { indianOffset, istDay } from './instants.ts'
import { invalid } from './problem.ts'

/** PostgreSQL and JavaScript format dates outside of these years differently. */
const earliest = Temporal.PlainDate.from('1899-12-31')
const latest = Temporal.PlainDate.from('9998-12-31')

/** A window of whole IST days (docs/reference/dates.md): the days as dates for the counts, the instants for the rows. */
export interface DateWindow {
  first_day: string
  last_day: string
  from: Date
  /** Exclusive. */
  until: Date
}

interface DateQuery {
  from_date?: string
  to_date?: string
  updated_since?: string
  cursor?: string
}

/** The dates of a window that leaves nothing out. */
export const allDays = { from_date: earliest.toString(), to_date: latest.toString() }

export const isOfAllDays = ({ first_day, last_day }: DateWindow) =>
  first_day === allDays.from_date && last_day === allDays.to_date

/** Days before today in the lists and reports of the web app, so that they are 30 days. Those of the API have one more. */
export const daysBeforeToday = { web: 29, api: 30 }

/**
 * Returns the window from two calendar dates; by default today and the days before, or `to_date` and the days before. What changed
 * since a time is of all days by default.
 */
export function dateWindow(given: DateQuery, now: Date, daysBefore = daysBeforeToday.api): DateWindow {
  const isOfChanges = given.updated_since || given.cursor
  const query = isOfChanges && !given.from_date && !given.to_date ? allDays : given
  const today = Temporal.PlainDate.from(istDay(now))
  const last = query.to_date ? Temporal.PlainDate.from(query.to_date) : today
  const first = query.from_date ? Temporal.PlainDate.from(query.from_date) : defaultFirst(today, last, daysBefore)
  if (query.from_date && query.to_date && Temporal.PlainDate.compare(first, last) > 0) {
    throw invalid(msg`${{ field: 'from_date' }} must not be after to_date.`, 'from_date')
  }
  return {
    first_day: first.toString(),
    last_day: last.toString(),
    from: midnight(Temporal.PlainDate.compare(first, earliest) < 0 ? earliest : first),
    until: midnight(Temporal.PlainDate.compare(last, latest) > 0 ? latest : last.add({ days: 1 })),
  }
}

/** So many days before today, or before `last` where that is earlier still. */
function defaultFirst(today: Temporal.PlainDate, last: Temporal.PlainDate, days: number): Temporal.PlainDate {
  const usual = today.subtract({ days })
  if (Temporal.PlainDate.compare(last, usual) >= 0) return usual
  const before = last.subtract({ days })
  return Temporal.PlainDate.compare(before, earliest) < 0 ? earliest : before
}

function midnight(day: Temporal.PlainDate): Date {
  return new Date(`${day}T00:00${indianOffset}`)
}
