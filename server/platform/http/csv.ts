import { stringify } from 'csv-stringify/sync'
import { indianMinutes } from './instants.ts'
import { type Cell, linesOf, type Table } from './table.ts'

/**
 * Matches where a spreadsheet may read a formula: a character that starts one, also in its wide form, with nothing visible before it. Some
 * programs skip spaces, control characters, quotes and characters of no width. Excel splits our lines at semicolons in many countries.
 */
const formula = String.raw`[\s\p{Cc}\p{Cf}\p{DI},|"]*[=+\-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}]`
/**
 * A plus and groups of digits, as `spacedPhone` writes them: nothing there can call a function, refer to a cell or start a program. Excel
 * keeps it as a text because of its spaces. An apostrophe before it would be shown, and dialled by programs that read the file.
 */
const phone = String.raw` *\+\d+(?: \d+)+ *(?:;|$)`
const formulas = new RegExp(`(?<=^|;)(?!${phone})(?=${formula})|^(?=[\\t\\r])`, 'gu')
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

/** Formats a table, some lines at a time. */
export async function* csvOf<Row>(table: Table<Row>): AsyncGenerator<string> {
  const { columns } = table
  yield byteOrderMark + csvLines([columns.map(({ header }) => header)])
  const textOf = (cell: Cell, at: number) => {
    if (cell instanceof Date) return spreadsheetTime(cell)
    return columns[at]!.kind === 'phone' && typeof cell === 'string' ? spacedPhones(cell) : cell
  }
  for await (const lines of linesOf(table)) yield csvLines(lines.map((cells) => cells.map(textOf)))
}

/** In the format that every spreadsheet reads and sorts: 2026-11-21 10:30:00, in India. */
export function spreadsheetTime(instant: Date): string {
  const inIndia = new Date(instant.getTime() + indianMinutes * 60_000)
  return inIndia.toISOString().slice(0, 19).replace('T', ' ')
}

/** The calling codes of one and two digits. All others have three. */
const callingCode = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/

/**
 * Writes a phone with a plus as groups of digits. Excel reads +919810044321 as the number 9.1981E+11, and saves it so, and +91-98100-44321
 * as a difference.
 */
function spacedPhone(text: string): string {
  if (!/^\+[\d\s().\u2010-\u2015-]+$/.test(text)) return text
  const groups = text.match(/\d+/g) ?? []
  const digits = groups.join('')
  const [code = ''] = callingCode.exec(digits) ?? []
  if (digits.length <= code.length) return text
  return `+${groups.length > 1 ? groups.join(' ') : `${code} ${digits.slice(code.length)}`}`
}

const spacedPhones = (text: string) => text.split('; ').map(spacedPhone).join('; ')
