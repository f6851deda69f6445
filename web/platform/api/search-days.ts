import { calendarPeriods } from '#contract/platform/periods'
import { count, readChoice, text } from './search.ts'

/** The parameters of a date filter. */
export const days = (search: Record<string, unknown>) => ({
  days: count(search, 'days'),
  period: readChoice(search, 'period', calendarPeriods),
  from_date: day(search, 'from_date'),
  to_date: day(search, 'to_date'),
})

/** Returns a parameter, if it is a date such as 2026-11-21. */
export function day(search: Record<string, unknown>, name: string): string | undefined {
  const value = text(search, name)
  return value && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined
}
