import { formatIsoDate } from '../../platform/ui/time.ts'

/** A column of a chart: a day, or a week or month of a long period. */
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

/** Above so many days, columns are weeks, and months. */
const [maxDays, maxWeekDays] = [92, 190]

export type SpanUnit = 'day' | 'week' | 'month'

export const unitOf = ({ length }: readonly unknown[]): SpanUnit =>
  length > maxWeekDays ? 'month' : length > maxDays ? 'week' : 'day'

const begins: Record<SpanUnit, (day: string) => boolean> = {
  day: () => true,
  week: (day) => new Date(`${day}T00:00:00Z`).getUTCDay() === 1,
  month: (day) => day.endsWith('-01'),
}

export function toSpans<Word extends string>(days: Day<Word>[]): Span<Word>[] {
  const isFirst = begins[unitOf(days)]
  const spans: Span<Word>[] = []
  for (const { day, total, amounts } of days) {
    const open = spans.at(-1)
    if (open && !isFirst(day)) {
      open.to_date = day
      open.total += total
      for (const word of Object.keys(amounts) as Word[])
        open.amounts[word] = (open.amounts[word] ?? 0) + (amounts[word] ?? 0)
    } else spans.push({ from_date: day, to_date: day, total, amounts: { ...amounts } })
  }
  return spans
}

/** "21 Nov", or "16 Nov – 22 Nov" for several days. */
export const spanName = ({ from_date, to_date }: { from_date: string; to_date: string }) =>
  from_date === to_date ? formatIsoDate(from_date) : `${formatIsoDate(from_date)} – ${formatIsoDate(to_date)}`

/** Returns the top of an axis, with a whole number half way: twice the next of 1 to 5, 10 to 50, … */
export function axisMaximum(max: number): number {
  for (let power = 1; ; power *= 10)
    for (const digit of [1, 2, 3, 4, 5]) if (2 * digit * power >= max) return 2 * digit * power
}
