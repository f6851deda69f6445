import './temporal.ts'
import { invalid } from './problem.ts'

/** A fixed offset: the different offsets before 1946 would make days uncountable. */
const india = '+05:30'
export const indianMinutes = 330

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

/** Returns the window from two calendar dates; by default today and the 30 days before, or `to_date` and the 30 days before. */
export function dateWindow(query: { from_date?: string; to_date?: string }, now: Date): DateWindow {
  const today = Temporal.PlainDate.from(istDay(now))
  const last = query.to_date ? Temporal.PlainDate.from(query.to_date) : today
  const first = query.from_date ? Temporal.PlainDate.from(query.from_date) : defaultFirst(today, last)
  if (query.from_date && query.to_date && Temporal.PlainDate.compare(first, last) > 0) {
    throw invalid('from_date must not be after to_date.', 'from_date')
  }
  return {
    first_day: first.toString(),
    last_day: last.toString(),
    from: midnight(Temporal.PlainDate.compare(first, earliest) < 0 ? earliest : first),
    until: midnight(Temporal.PlainDate.compare(last, latest) > 0 ? latest : last.add({ days: 1 })),
  }
}

/** 30 days before today, or before `last` where that is earlier still. */
function defaultFirst(today: Temporal.PlainDate, last: Temporal.PlainDate): Temporal.PlainDate {
  const usual = today.subtract({ days: 30 })
  if (Temporal.PlainDate.compare(last, usual) >= 0) return usual
  const before = last.subtract({ days: 30 })
  return Temporal.PlainDate.compare(before, earliest) < 0 ? earliest : before
}

export function istDay(instant: Date): string {
  return new Date(instant.getTime() + indianMinutes * 60_000).toISOString().slice(0, 10)
}

/** Formats a time as 21 Nov 2026, 10:30. */
export function istTime(instant: Date): string {
  return instant
    .toLocaleString('en-GB', { timeZone: india, dateStyle: 'medium', timeStyle: 'short' })
    .replace(' at ', ', ')
}

/** Drops the milliseconds, as instants are stored and answered without them. */
export function wholeSecond(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / 1000) * 1000)
}

export function instantText(instant: Date): string {
  return `${instant.toISOString().slice(0, 19)}Z`
}

export const instantOrNull = (instant: Date | null) => instant && instantText(instant)

function midnight(day: Temporal.PlainDate): Date {
  return new Date(`${day}T00:00${india}`)
}

/** An ISO 8601 time with Z or an offset, in the years that PostgreSQL and JavaScript both write alike. */
export const instantFormat = {
  name: 'date-time',
  message: 'must be a time as ISO 8601 with Z or an offset, such as 2026-11-21T10:30:00Z',
  isValid(text: string): boolean {
    if (!/^(19|[2-8]\d|9[0-8])\d\d-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d([.,]\d{1,9})?)?([Zz]|[+-]\d\d(:?\d\d)?)$/.test(text))
      return false
    try {
      return Temporal.Instant.from(text).epochMilliseconds !== undefined
    } catch {
      return false
    }
  },
}

export function readInstant(text: string): Date {
  return new Date(Temporal.Instant.from(text).epochMilliseconds)
}
