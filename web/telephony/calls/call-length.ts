import { formatDuration } from '../../platform/ui/time.ts'

/** The length of a call, or null: 0 seconds are no conversation, and one second stands for an unknown length. */
export const shownLength = (seconds: number): string | null => (seconds > 1 ? formatDuration(seconds) : null)

/** Seconds of "2:35", "1:02:05", or of whole minutes, "3"; null for anything else. The numeric keyboard of a phone has a dot: "2.35". */
export function parseLength(text: string): number | null {
  const parts = text
    .trim()
    .replace(/^(\d+)[.,](\d\d)$/, '$1:$2')
    .split(':')
  if (parts.length > 3 || parts.some((part) => !/^\d{1,3}$/.test(part))) return null
  const numbers = parts.map(Number)
  if (numbers.slice(1).some((part) => part > 59)) return null
  if (numbers.length === 1) return numbers[0]! * 60
  return numbers.reduce((sum, part) => sum * 60 + part, 0)
}
