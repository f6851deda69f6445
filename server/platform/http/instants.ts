import { msg } from '@lingui/core/runtime-macro'
import './temporal.ts'

/** A fixed offset: the different offsets before 1946 would make days uncountable. */
export const indianOffset = '+05:30'
export const indianMinutes = 330

export function istDay(instant: Date): string {
  return new Date(instant.getTime() + indianMinutes * 60_000).toISOString().slice(0, 10)
}

/** Formats a time as 21 Nov 2026, 10:30. */
export function istTime(instant: Date): string {
  return instant
    .toLocaleString('en-GB', { timeZone: indianOffset, dateStyle: 'medium', timeStyle: 'short' })
    .replace(' at ', ', ')
}

/** Formats a day such as 2026-11-21 as 21 Nov 2026. */
export const istDate = (day: string) => istTime(new Date(`${day}T00:00${indianOffset}`)).split(',')[0]!

/** Drops the milliseconds, as instants are stored and answered without them. */
export function wholeSecond(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / 1000) * 1000)
}

export function instantText(instant: Date): string {
  return `${instant.toISOString().slice(0, 19)}Z`
}

export const instantOrNull = (instant: Date | null) => instant && instantText(instant)

/** An ISO 8601 time with Z or an offset, in the years that PostgreSQL and JavaScript both write alike. */
export const instantFormat = {
  name: 'date-time',
  message: (field: string) =>
    msg`${{ field }} must be a time as ISO 8601 with Z or an offset, such as 2026-11-21T10:30:00Z.`,
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
