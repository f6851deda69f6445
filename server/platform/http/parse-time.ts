import { indianMinutes } from './instants.ts'

/** Whether 03/04/2025 is 3 April or March 4. */
export type DateOrder = 'day first' | 'month first'

/** Two numbers and a year. */
export const numericDate = /^\s*(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthOf = (name: string) => months.indexOf(name.slice(0, 3).toLowerCase()) + 1

const year = '(\\d{4}|\\d{2})'
const monthName = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?'
const gap = '[\\s,/.-]+'
type DateParts = [year: string, month: number, day: number]
const shapes: [RegExp, (parts: string[], order: DateOrder | 'any') => DateParts][] = [
  [/^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/, ([y, , m, d]) => [y!, Number(m), Number(d)]],
  [/^(\d{4})(\d\d)(\d\d)(?=T|$)/, ([y, m, d]) => [y!, Number(m), Number(d)]],
  [
    numericDate,
    ([one, , other, y], order) =>
      order === 'month first' || (order === 'any' && Number(other) > 12)
        ? [y!, Number(one), Number(other)]
        : [y!, Number(other), Number(one)],
  ],
  [
    new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)?(?:${gap}|\\s+of\\s+)${monthName}${gap}${year}(?!\\d)`, 'i'),
    ([d, name, y]) => [y!, monthOf(name!), Number(d)],
  ],
  [
    new RegExp(`^${monthName}${gap}(\\d{1,2})(?:st|nd|rd|th)?${gap}${year}(?!\\d)`, 'i'),
    ([name, d, y]) => [y!, monthOf(name!), Number(d)],
  ],
]
const weekday = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+/i
/** As programs print it: Dec 31 22:22:00 IST 2025. */
const yearLast = /^([a-z]{3,9} \d{1,2}) (\d{1,2}:\d{2}:\d{2}(?: [A-Z]{1,4})?) (\d{4})$/i
/** 20251231222200, 20251231T222200Z */
const withoutSigns = /^(\d{8})[T ]?(\d\d)(\d\d)(\d\d)(?=Z|[+-]|\.|$)/
/** As in Wed Dec 31 2025: the same as the shapes above, after the weekday. */
const time =
  /^[T\s,]*(?:(?:at|@|-)\s*)?(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?\s*(a\.?m\.?|p\.?m\.?)?(?=\s|\(|$|Z|[+-]|[A-Z])/i
const zone = /^\s*(Z|UTC|GMT|IST)?\s*(?:([+-])(\d{1,2}):?(\d{2})?)?(?:\s*\([^)]*\)|\[[\w/+-]*\])?\s*$/i

/**
 * Parses a date, with a time or without, as systems write it: 31/12/2025 10:22 PM, 31-Dec-2025, 2025-12-31T10:22:00Z, or seconds or
 * milliseconds since 1970. `order`: by default day first, unless only month first is possible. `offset`: the minutes of times that have
 * none, by default India's. Undefined if it is none of these.
 */
export function readTime(
  text: string,
  { order = 'any', offset = indianMinutes }: { order?: DateOrder | 'any'; offset?: number } = {},
): Date | undefined {
  const trimmed = text.trim()
  if (trimmed.length > 80) return undefined
  if (/^\d+([.,]\d+)?$/.test(trimmed) && !/^(\d{8}|\d{14})$/.test(trimmed)) return readEpoch(trimmed)
  const plain = trimmed.replace(weekday, '').replace(yearLast, '$1 $3 $2').replace(withoutSigns, '$1T$2:$3:$4')
  for (const [shape, partsOf] of shapes) {
    const match = shape.exec(plain)
    if (!match) continue
    const [y, month, day] = partsOf(match.slice(1), order)
    return atTime({ y: fullYear(y), month, day, rest: plain.slice(match[0].length), offset })
  }
  return undefined
}

/** Seconds or milliseconds since 1970. */
function readEpoch(text: string): Date | undefined {
  const [whole] = text.split(/[.,]/) as [string]
  if (whole.length === 10) return new Date(Number(whole) * 1000)
  return whole.length === 13 ? new Date(Math.floor(Number(whole) / 1000) * 1000) : undefined
}

const fullYear = (text: string) => (text.length === 2 ? 2000 + Number(text) : Number(text))

type Moment = { y: number; month: number; day: number; rest: string; offset: number }

function atTime({ y, month, day, rest, offset: usual }: Moment): Date | undefined {
  const clock = time.exec(rest)
  const after = clock ? rest.slice(clock[0].length) : rest.trim()
  const offset = offsetOf(after, usual)
  if (offset === undefined || (!clock && rest.trim() !== '')) return undefined
  const [, h = '0', minute = '0', second = '0', half] = clock ?? []
  const hour = half ? (Number(h) % 12) + (/^p/i.test(half) ? 12 : 0) : Number(h)
  const isHalfDay = half !== undefined && (Number(h) === 0 || Number(h) > 12)
  if (hour > 23 || Number(minute) > 59 || Number(second) > 59 || isHalfDay) return undefined
  const utc = new Date(Date.UTC(y, month - 1, day, hour, Number(minute), Number(second)))
  // The calendar has no such day.
  if (utc.getUTCMonth() !== month - 1 || utc.getUTCDate() !== day || utc.getUTCFullYear() !== y) return undefined
  return new Date(utc.getTime() - offset * 60_000)
}

/** The minutes of an offset; undefined if the text is something else. */
function offsetOf(text: string, usual: number): number | undefined {
  const match = zone.exec(text)
  if (!match) return undefined
  const [, name, sign, hours, minutes = '0'] = match
  if (sign && hours) {
    const size = Number(hours) * 60 + Number(minutes)
    return size > 14 * 60 ? undefined : sign === '-' ? -size : size
  }
  if (!name) return usual
  return /^ist$/i.test(name) ? indianMinutes : 0
}

const amount = '(\\d{1,9}(?:\\.\\d+)?)\\s*'
const inWords = new RegExp(
  `^(?:${amount}h(?:(?:ou)?rs?)?\\b\\.?|${amount}h)?[\\s,]*(?:${amount}m(?:in(?:ute)?s?\\.?)?)?[\\s,]*(?:${amount}s(?:ec(?:ond)?s?\\.?)?)?$`,
)

/** Parses a duration in seconds: 125, 00:02:05, 2:05, 2:05 min, 2 min 5 s, 1.5 min. A plain number is in `unit`. Undefined if it is invalid. */
export function readDuration(text: string, unit: 'seconds' | 'minutes' = 'seconds'): number | undefined {
  const trimmed = text.trim().toLowerCase()
  const clock = /^(?:(\d{1,4}):)?(\d{1,3}):(\d{2})(?:\.\d+)?(?: ?(?:h(?:ou)?rs?|min(?:ute)?s?|sec(?:ond)?s?))?$/.exec(
    trimmed,
  )
  if (clock) return Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3])
  if (/^\d{1,9}(\.\d+)?$/.test(trimmed)) return Math.round(Number(trimmed) * (unit === 'minutes' ? 60 : 1))
  const [, hours, h, minutes, seconds] = inWords.exec(trimmed.replace(/\band\b/g, ' ')) ?? []
  if ([hours, h, minutes, seconds].every((part) => part === undefined)) return undefined
  return Math.round(Number(hours ?? h ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0))
}
