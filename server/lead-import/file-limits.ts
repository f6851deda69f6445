export interface FileRow {
  /** The line of a text file, or the row of a sheet, at which it starts, counted from 1. */
  line: number
  cells: string[]
}

/** The file cannot be imported. The message says why and what to do. */
export class InvalidFile extends Error {}

/** More than any export of a CRM has, and as many rows as a sheet of Excel; `recordLength` in bytes. */
export const fileLimits = { columns: 200, cells: 1000, recordLength: 256 * 1024, rows: 1_048_575 }

/** Returns a function that leaves out blank rows, and rejects a file with too many rows or cells. */
export function rowLimits(): (row: FileRow) => FileRow | undefined {
  let rows = 0
  return (row) => {
    const { line, cells } = row
    if (cells.length > fileLimits.cells) {
      const count = cells.length.toLocaleString('en')
      throw new InvalidFile(`Line ${line} has ${count} cells. Remove the separators that do not belong there.`)
    }
    if (cells.every((cell) => cell.trim() === '')) return undefined
    if (++rows > fileLimits.rows + 1) {
      const most = fileLimits.rows.toLocaleString('en')
      throw new InvalidFile(`The file has more than ${most} rows. Split it and import the parts.`)
    }
    return row
  }
}
