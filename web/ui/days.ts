import { istDay } from './time.ts'

/** A date filter in the URL: today and the `days` days before (1 is today alone), or two calendar days in India. */
export interface Days {
  days?: number | undefined
  from_date?: string | undefined
  to_date?: string | undefined
}

export const noDays = { days: undefined, from_date: undefined, to_date: undefined } satisfies Days

/** More days than any record is old. */
export const allTime = 36_500

export const hasDays = ({ days, from_date, to_date }: Days) => Boolean(days || from_date || to_date)

/** Returns the parameters for the server, whose default is the last 30 days. */
export function dateRange({ days, from_date, to_date }: Days): { from_date?: string; to_date?: string } {
  if (days) return { from_date: days >= allTime ? '1970-01-01' : istDay(days === 1 ? 0 : days), to_date: istDay() }
  return { ...(from_date ? { from_date } : {}), ...(to_date ? { to_date } : {}) }
}
