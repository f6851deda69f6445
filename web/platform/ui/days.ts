import { t } from '@lingui/core/macro'
import { formatIsoDate, istDay } from './time.ts'

/** A date filter in the URL: today and the `days` days before (1 is today alone), or two calendar days in India. */
export interface Days {
  days?: number | undefined
  from_date?: string | undefined
  to_date?: string | undefined
}

export const noDays = { days: undefined, from_date: undefined, to_date: undefined } satisfies Days

/** More days than any record is old. */
export const allTime = 36_500

/** The days of a list while none are chosen. */
export const usualDays = 30

export const hasDays = ({ days, from_date, to_date }: Days) => Boolean(days || from_date || to_date)

/** Returns the parameters for the server, whose default is the last 30 days. */
export function dateRange({ days, from_date, to_date }: Days): { from_date?: string; to_date?: string } {
  if (days) return { from_date: days >= allTime ? '1970-01-01' : istDay(days === 1 ? 0 : days), to_date: istDay() }
  return { ...(from_date ? { from_date } : {}), ...(to_date ? { to_date } : {}) }
}

/** "last 30 days", "today", "1 Nov – 5 Nov"; null for all time. */
export function describeDays(filter: Days): string | null {
  const { days } = filter
  if (!days) return rangeOf(filter)
  return days >= allTime ? null : days === 1 ? t`today` : t`last ${days} days`
}

function rangeOf({ from_date, to_date }: Days): string | null {
  if (!from_date && !to_date) return null
  return `${from_date ? formatIsoDate(from_date) : '…'} – ${to_date ? formatIsoDate(to_date) : t`today`}`
}

/** "of the last 30 days", "of today", "of 1 Nov – 5 Nov"; empty for all time. */
export function ofDays(filter: Days): string {
  const { days } = filter
  const range = days ? null : rangeOf(filter)
  if (range) return t`of ${range}`
  if (!days || days >= allTime) return ''
  return days === 1 ? t`of today` : t`of the last ${days} days`
}
