import { stringify } from 'csv-stringify/sync'
import { indianMinutes } from './instants.ts'

/**
 * Matches where a spreadsheet may read a formula: a character that starts one, also in its wide form, with nothing visible before it. Some
 * programs skip spaces, control characters, quotes and characters of no width. Excel splits our lines at semicolons in many countries.
 */
const formula = String.raw`[\s\p{Cc}\p{Cf}\p{DI},|"]*[=+\-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}]`
const formulas = new RegExp(`(?<=^|;)(?=${formula})|^(?=[\\t\\r])`, 'gu')
const escaped = new RegExp(`(?<=^|;)'(?=${formula})|^'(?=[\\t\\r])`, 'gu')

/** An apostrophe turns what may be a formula into text. */
export const escapeFormulas = (text: string) => text.replace(formulas, "'")
export const unescapeFormulas = (cell: string) => cell.replace(escaped, '')

/** Formats lines of comma-separated values (RFC 4180), without formulas. */
export function csvLines(rows: (string | number | null)[][]): string {
  return stringify(rows, {
    record_delimiter: '\r\n',
    quoted_match: /[;\t\r\n]/,
    cast: { string: escapeFormulas },
  })
}

/** Without it, Excel reads the file in an older encoding. */
export const byteOrderMark = '\u{FEFF}'

/** In the format that every spreadsheet reads and sorts: 2026-11-21 10:30:00, in India. */
export function spreadsheetTime(instant: Date): string {
  const inIndia = new Date(instant.getTime() + indianMinutes * 60_000)
  return inIndia.toISOString().slice(0, 19).replace('T', ' ')
}
