import { formatIsoDate } from '../../platform/ui/time.ts'

/** A column of a chart: a day, or a week of a long period. */
export interface Span<Word extends string> {
  from_date: string
  to_date: string
  total: number
  amounts: Partial<Record<Word, number>>
}

interface Day<Word extends string> {
  day: string
  total: number
  amounts: Partial<Record<Word, number>>
}

/** Today and 90 days before. */
const maxDays = 91

export function toSpans<Word extends string>(days: Day<Word>[]): Span<Word>[] {
  const spans: Span<Word>[] = []
  for (const { day, total, amounts } of days) {
    const open = spans.at(-1)
    if (days.length > maxDays && open && !isMonday(day)) {
      open.to_date = day
      open.total += total
      for (const word of Object.keys(amounts) as Word[])
        open.amounts[word] = (open.amounts[word] ?? 0) + (amounts[word] ?? 0)
    } else spans.push({ from_date: day, to_date: day, total, amounts: { ...amounts } })
  }
  return spans
}

export const areWeeks = (days: readonly unknown[]) => days.length > maxDays

const isMonday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() === 1

/** "21 Nov", or "16 Nov – 22 Nov" for a week. */
export const spanName = ({ from_date, to_date }: { from_date: string; to_date: string }) =>
  from_date === to_date ? formatIsoDate(from_date) : `${formatIsoDate(from_date)} – ${formatIsoDate(to_date)}`

/** Returns the top of an axis, with a whole number half way: twice the next of 1 to 5, 10 to 50, … */
export function axisMaximum(max: number): number {
  for (let power = 1; ; power *= 10)
    for (const digit of [1, 2, 3, 4, 5]) if (2 * digit * power >= max) return 2 * digit * power
}
