import { formatCount } from './numbers.ts'
import { toInstant } from './wall-clock.ts'

const ist = { timeZone: 'Asia/Kolkata', hourCycle: 'h23' } as const
const dayAndTime = new Intl.DateTimeFormat('en-GB', {
  ...ist,
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
const day = new Intl.DateTimeFormat('en-GB', { ...ist, day: 'numeric', month: 'short', year: 'numeric' })
const shortDay = new Intl.DateTimeFormat('en-GB', { ...ist, day: 'numeric', month: 'short' })
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

const steps = [
  [60, 's'],
  [60, 'min'],
  [24, 'h'],
  [30.44, 'd'],
  [12, 'mo'],
  [Number.POSITIVE_INFINITY, 'y'],
] as const

/** "2 h ago", "in 6 d", "just now". */
export function formatRelative(instant: string | number | Date, now = Date.now()): string {
  const seconds = (now - new Date(instant).getTime()) / 1000
  if (Math.abs(seconds) < 45) return 'just now'
  const words = formatSpan(Math.abs(seconds))
  return seconds > 0 ? `${words} ago` : `in ${words}`
}

/** "7 days", "3 hours", "12 minutes" until a time; at least a minute. */
export function formatTimeLeft(instant: string | number | Date, now = Date.now()): string {
  const minutes = Math.max(1, Math.round((new Date(instant).getTime() - now) / 60_000))
  if (minutes < 60) return formatCount(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  return hours < 48 ? formatCount(hours, 'hour') : formatCount(Math.round(hours / 24), 'day')
}

/** "45 s", "12 min", "3 h", "6 d" for a number of seconds. */
export function formatSpan(seconds: number): string {
  let value = seconds
  for (const [size, word] of steps) {
    if (Math.round(value) < size) return `${Math.round(value)} ${word}`
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
