import { stringify } from 'csv-stringify/sync'
import { startsFormula } from './formula.ts'

/** Formats lines of comma-separated values (RFC 4180). An apostrophe turns a cell that may be a formula into text. */
export function csvLines(rows: (string | number | null)[][]): string {
  return stringify(rows, {
    record_delimiter: '\r\n',
    quoted_match: /[;\t\r\n]/,
    cast: { string: (text) => (startsFormula.test(text) ? `'${text}` : text) },
  })
}

/** Without it, Excel reads the file in an older encoding. */
export const byteOrderMark = '\u{FEFF}'
