/** The built-in number formats of Excel that are dates or times. */
const builtIn = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** Returns whether a number format shows a date or a time. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return builtIn(id)
  const signs = code
    .split(';')[0]!
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  return /[dmyhs]/i.test(signs) && !/general/i.test(signs)
}

/** Days are counted from here, since Excel takes 1900 for a leap year. */
const dayZero = Date.UTC(1899, 11, 30)
const lastDay = 2_958_465

/** Formats the number that Excel keeps for a date as 2025-12-31 or 2025-12-31 22:05:00; a time without a day as 00:02:05. */
export function dateText(serial: number, startsIn1904 = false): string {
  const days = serial + (startsIn1904 && serial >= 1 ? 1462 : 0)
  if (!Number.isFinite(days) || days < 0 || days > lastDay) return String(serial)
  const seconds = Math.round(days * 86_400)
  const text = new Date(dayZero + seconds * 1000).toISOString()
  if (seconds < 86_400) return text.slice(11, 19)
  return seconds % 86_400 === 0 ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ')
}
