import { stringify } from 'csv-stringify/sync'
import { startsFormula } from './formula.ts'

/** Lines of comma-separated values as RFC 4180 has them. A cell that may be a formula is made text by an apostrophe. */
export function csvLines(rows: (string | number | null)[][]): string {
  return stringify(rows, {
    record_delimiter: '\r\n',
    quoted_match: /[;\t\r\n]/,
    cast: { string: (text) => (startsFormula.test(text) ? `'${text}` : text) },
  })
}

/** Without it, Excel takes the file for one in an older encoding. */
export const byteOrderMark = '\u{FEFF}'
