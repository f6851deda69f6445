import { type DateOrder, numericDate, readTime } from '../../platform/http/parse-time.ts'
import { dateText } from './sheet-dates.ts'

/** What the values of a column say about their order. */
export interface DateSigns {
  dayFirst: boolean
  monthFirst: boolean
  ambiguous: boolean
}

export function noteDateSigns(signs: DateSigns, cell: string): void {
  const [, first, , second] = numericDate.exec(cell) ?? []
  if (!first || !second) return
  if (Number(first) > 12) signs.dayFirst = true
  else if (Number(second) > 12) signs.monthFirst = true
  else signs.ambiguous = true
}

/** Day first, as in India, unless some value of the column can only be month first and none only day first. */
export function chooseDateOrder({ dayFirst, monthFirst }: DateSigns): DateOrder {
  return monthFirst && !dayFirst ? 'month first' : 'day first'
}

/** Parses a time as exports write it, which may also be the number of a sheet. */
export function readCellTime(text: string, order: DateOrder = 'day first'): Date | undefined {
  const number = /^\s*\d{5}([.,]\d+)?\s*$/.test(text) ? Number(text.replace(',', '.')) : 0
  return readTime(number >= 10_000 ? dateText(number) : text, { order })
}
