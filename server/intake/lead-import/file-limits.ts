import { msg } from '@lingui/core/runtime-macro'
import { type Text, translate } from '../../platform/languages/translate.ts'

export interface FileRow {
  /** The line of a text file, or the row of a sheet, at which it starts, counted from 1. */
  line: number
  cells: string[]
}

/** The file cannot be imported. The message says why and what to do. */
export class InvalidFile extends Error {
  /** The message, for the user's language. */
  readonly text: Text

  constructor(text: Text) {
    super(translate(text))
    this.text = text
  }
}

/**
 * More than any export of a CRM has, and as many rows as a sheet of Excel; `recordLength` in bytes. `characters` are those of
 * all cells: a workbook can repeat one long text in each row.
 */
export const fileLimits = {
  columns: 200,
  cells: 1000,
  recordLength: 256 * 1024,
  rows: 1_048_575,
  characters: 300_000_000,
}

/** Excel allows 31 characters. */
export const maxSheetNameLength = 200

const tooComplex = msg`The file is too complex to be read. Split it, or copy its rows to a new one.`

/**
 * Returns a function that rejects the file when this thread has worked on it for too long: two minutes, and three seconds
 * for each MiB.
 */
export function cpuLimit(bytes: number): () => void {
  const maxMicroseconds = (120 + (3 * bytes) / 1024 ** 2) * 1e6
  const before = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(before)
    if (user + system > maxMicroseconds) throw new InvalidFile(tooComplex)
  }
}

/** Returns a function that leaves out blank rows, and rejects a file with too many rows, cells or characters. */
export function rowLimits(maxCharacters = Number.POSITIVE_INFINITY): (row: FileRow) => FileRow | undefined {
  let rows = 0
  let characters = 0
  return (row) => {
    const { line, cells } = row
    if (cells.length > fileLimits.cells) {
      const count = cells.length.toLocaleString('en')
      throw new InvalidFile(
        msg`Line ${{ line }} has ${{ count }} cells. Remove the separators that do not belong there.`,
      )
    }
    characters += cells.reduce((sum, cell) => sum + cell.length, 0)
    if (characters > maxCharacters) {
      const max = maxCharacters.toLocaleString('en')
      throw new InvalidFile(msg`The cells have more than ${{ max }} characters. Shorten them, or split the file.`)
    }
    if (cells.every((cell) => cell.trim() === '')) return undefined
    if (++rows > fileLimits.rows + 1) {
      const max = fileLimits.rows.toLocaleString('en')
      throw new InvalidFile(msg`The file has more than ${{ max }} rows. Split it and import the parts.`)
    }
    return row
  }
}
