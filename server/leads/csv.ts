/** Comma-separated values as RFC 4180 has them, for spreadsheets. */

/** A line with its end. A cell that a spreadsheet would take for a formula is made text by an apostrophe. */
export function csvLine(cells: (string | number | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = startsFormula.test(value) ? `'${value}` : value
  return /[",\r\n;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** With the wide forms of the signs, which some spreadsheets read like the narrow ones. */
const startsFormula = /^\s*[=+\-@\t\r\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}]/u

/** Without it, Excel takes the file for one in an older encoding. */
export const byteOrderMark = '\u{FEFF}'
