import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { toInstant } from './wall-clock.ts'

/** The locale of dates in words. */
export const dateLocale = !i18n.locale || i18n.locale === 'en' ? 'en-GB' : `${i18n.locale}-IN`

const ist = { timeZone: 'Asia/Kolkata', hourCycle: 'h23' } as const
const dayAndTime = new Intl.DateTimeFormat(dateLocale, {
  ...ist,
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
const day = new Intl.DateTimeFormat(dateLocale, { ...ist, day: 'numeric', month: 'short', year: 'numeric' })
const shortDay = new Intl.DateTimeFormat(dateLocale, { ...ist, day: 'numeric', month: 'short' })
const isoDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' })

/** "21 Nov 2026, 10:30", in IST. */
export const formatDateTime = (instant: string | number | Date) => dayAndTime.format(new Date(instant))

/** "21 Nov 2026", in IST. */
export const formatDate = (instant: string | number | Date) => day.format(new Date(instant))

/** "21 Nov", in IST: without the year. */
export const formatShortDate = (instant: string | number | Date) => shortDay.format(new Date(instant))

/** "21 Nov" of a calendar day such as 2026-11-21; of another year than this, "21 Nov 2025". */
export const formatIsoDate = (isoDate: string, today = istDay()) => {
  const inWords = isoDate.slice(0, 4) === today.slice(0, 4) ? formatShortDate : formatDate
  return inWords(toInstant(`${isoDate}T00:00`))
}

/** The calendar day in India `daysAgo` days ago, such as 2026-11-21. */
export const istDay = (daysAgo = 0) => isoDay.format(Date.now() - daysAgo * 86_400_000)

/** "2 h ago", "in 6 d", "just now". */
export function formatRelative(instant: string | number | Date, now = Date.now()): string {
  const seconds = (now - new Date(instant).getTime()) / 1000
  if (Math.abs(seconds) < 45) return t`just now`
  const span = formatSpan(Math.abs(seconds))
  return seconds > 0 ? t`${span} ago` : t`in ${span}`
}

/** "7 days", "3 hours", "12 minutes" until a time; at least a minute. */
export function formatTimeLeft(instant: string | number | Date, now = Date.now()): string {
  const minutes = Math.max(1, Math.round((new Date(instant).getTime() - now) / 60_000))
  if (minutes < 60) return plural(minutes, { one: '# minute', other: '# minutes' })
  const hours = Math.round(minutes / 60)
  if (hours < 48) return plural(hours, { one: '# hour', other: '# hours' })
  return plural({ days: Math.round(hours / 24) }, { one: '# day', other: '# days' })
}

const units = [
  [60, (value: number) => t`${value} s`],
  [60, (value: number) => t`${value} min`],
  [24, (value: number) => t`${value} h`],
  [30.44, (value: number) => t`${value} d`],
  [12, (value: number) => t`${value} mo`],
  [Number.POSITIVE_INFINITY, (value: number) => t`${value} y`],
] as const

/** "45 s", "12 min", "3 h", "6 d" for a number of seconds. */
export function formatSpan(seconds: number): string {
  let value = seconds
  for (const [size, format] of units) {
    if (Math.round(value) < size) return format(Math.round(value))
    value /= size
  }
  return ''
}

/** "1:35" for the 95 seconds of a call, "1:02:05" beyond an hour. */
export function formatDuration(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}
