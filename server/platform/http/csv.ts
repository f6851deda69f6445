import { stringify } from 'csv-stringify/sync'
import { indianMinutes } from './instants.ts'

/**
 * Matches text that a spreadsheet may read as a formula: a character that starts one, also in its wide form, with nothing
 * visible before it. Some programs skip spaces, control characters and characters of no width.
 */
export const startsFormula = /^(?:[\s\p{Cc}\p{Cf}\p{DI}]*[=+\-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}]|[\t\r])/u

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

/** In the format that every spreadsheet reads and sorts: 2026-11-21 10:30:00, in India. */
export function spreadsheetTime(instant: Date): string {
  const inIndia = new Date(instant.getTime() + indianMinutes * 60_000)
  return inIndia.toISOString().slice(0, 19).replace('T', ' ')
}
