import { t } from '@lingui/core/macro'
import { allTime, type CalendarPeriod, type Days, dateRangeOf } from '#contract/platform/periods'
import { formatIsoDate, istDay } from './time.ts'

export const noDays = { days: undefined, period: undefined, from_date: undefined, to_date: undefined } satisfies Days

/** The days of a list while none are chosen. */
export const usualDays = 30

export const hasDays = ({ days, period, from_date, to_date }: Days) => Boolean(days || period || from_date || to_date)

/** The days alone, of a search that holds more. */
export const daysIn = ({ days, period, from_date, to_date }: Days): Days => ({ days, period, from_date, to_date })

/** Returns the parameters for the server, whose default is the last 30 days. */
export const dateRange = (days: Days) => dateRangeOf(days, istDay())

/** "last 30 days", "today", "last month", "1 Nov – 5 Nov"; null for all time. */
export function describeDays(filter: Days): string | null {
  const { days, period } = filter
  if (period) return periodWords()[period]
  if (!days) return rangeOf(filter)
  return days >= allTime ? null : days === 1 ? t`today` : t`last ${days} days`
}

const periodWords = (): Record<CalendarPeriod, string> => ({
  'this-month': t`this month`,
  'last-month': t`last month`,
  'this-quarter': t`this quarter`,
  'last-quarter': t`last quarter`,
  'this-year': t`this financial year`,
  'last-year': t`last financial year`,
})

function rangeOf({ from_date, to_date }: Days): string | null {
  if (!from_date && !to_date) return null
  return `${from_date ? formatIsoDate(from_date) : '…'} – ${to_date ? formatIsoDate(to_date) : t`today`}`
}

/** "of the last 30 days", "of today", "of 1 Nov – 5 Nov"; empty for all time. */
export function ofDays(filter: Days): string {
  const { days, period } = filter
  if (period) return t`of ${{ period: periodWords()[period] }}`
  const range = days ? null : rangeOf(filter)
  if (range) return t`of ${range}`
  if (!days || days >= allTime) return ''
  return days === 1 ? t`of today` : t`of the last ${days} days`
}
