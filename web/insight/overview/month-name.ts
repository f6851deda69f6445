import { dateLocale } from '../../platform/ui/time.ts'

const monthWords = new Intl.DateTimeFormat(dateLocale, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** "November 2026" of 2026-11. */
export const monthName = (month: string) => monthWords.format(new Date(`${month}-01T00:00Z`))
