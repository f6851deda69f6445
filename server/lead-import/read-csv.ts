import { CsvError, type Options, Parser } from 'csv-parse'
import { parse } from 'csv-parse/sync'

export interface CsvRow {
  /** The line in the file at which it starts, counted from 1. */
  line: number
  cells: string[]
}

/** The file cannot be imported. The message says why and what to do. */
export class InvalidCsv extends Error {}

/** More than any export of a CRM has; `recordLength` in bytes. */
export const csvLimits = { columns: 200, cells: 1000, recordLength: 256 * 1024, rows: 500_000 }

/** Calls `take` with each row that is not blank. Throws InvalidCsv. */
export function eachCsvRow(text: string, take: (row: CsvRow) => void): void {
  const rowOf = rowReader()
  guarded(rowOf, () =>
    parse(text, {
      ...optionsFor(text),
      // With `info`, a record has more properties than the library's types.
      on_record: (record: unknown) => {
        const row = rowOf.read(record as ParsedRecord)
        if (row) take(row)
        return null
      },
    }),
  )
}

/** The same rows one after the other, without keeping them all in memory. */
export async function* csvRows(text: string): AsyncGenerator<CsvRow> {
  const rowOf = rowReader()
  const parser = new Parser(optionsFor(text))
  const pieces = piecesOf(text)
  parser.on('drain', feed)
  feed()
  for await (const record of parser) {
    const row = rowOf.read(record as ParsedRecord)
    if (row) yield row
  }

  function feed() {
    for (let piece = pieces.next(); !piece.done; piece = pieces.next()) if (!parser.write(piece.value)) return
    if (!parser.writableEnded) parser.end()
  }
}

function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const isSplitPair = /[\ud800-\udbff]/.test(text.charAt(at + 65_535))
    const end = at + 65_536 + (isSplitPair ? 1 : 0)
    yield text.slice(at, end)
    at = end
  }
}

type ParsedRecord = { record: string[]; info: { lines: number } }

const optionsFor = (text: string): Options => ({
  bom: true,
  delimiter: separatorOf(text),
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  info: true,
  max_record_size: csvLimits.recordLength,
})

/** Numbers the rows and leaves out blank ones. The parser counts a CRLF within a cell as two lines. */
function rowReader() {
  let [pairs, rows] = [0, 0]
  const reader = {
    last: 0,
    read({ record, info }: ParsedRecord): CsvRow | undefined {
      const breaks = record.reduce((sum, cell) => sum + (cell.match(/[\r\n]/g)?.length ?? 0), 0)
      const line = info.lines - breaks - pairs
      pairs += breaks === 0 ? 0 : record.reduce((sum, cell) => sum + (cell.match(/\r\n/g)?.length ?? 0), 0)
      reader.last = info.lines - pairs
      if (record.length > csvLimits.cells) {
        const count = record.length.toLocaleString('en')
        throw new InvalidCsv(`Line ${line} has ${count} cells. Remove the separators that do not belong there.`)
      }
      if (record.every((cell) => cell.trim() === '')) return undefined
      if (++rows > csvLimits.rows + 1) {
        const most = csvLimits.rows.toLocaleString('en')
        throw new InvalidCsv(`The file has more than ${most} lines. Split it and import the parts.`)
      }
      return { line, cells: record }
    },
  }
  return reader
}

function guarded(reader: { last: number }, run: () => void): void {
  try {
    run()
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = reader.last + 1
    throw new InvalidCsv(
      error.code === 'CSV_MAX_RECORD_SIZE'
        ? `Line ${line} is longer than 256 KB. Check whether a quote opens there that is never closed.`
        : `A quote that opens on line ${line} or later is not closed. Close it, or remove it.`,
    )
  }
}

function separatorOf(text: string): string {
  const header = text
    .slice(0, 10_000)
    .split(/\r\n?|\n/, 1)[0]!
    .replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t'].map((sign) => ({ sign, n: header.split(sign).length }))
  return counts.reduce((best, one) => (one.n > best.n ? one : best)).sign
}
