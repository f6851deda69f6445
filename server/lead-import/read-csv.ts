import { finished } from 'node:stream/promises'
import { CsvError, type Options, Parser } from 'csv-parse'
import { type FileRow, fileLimits, InvalidFile, rowLimits } from './file-limits.ts'

/** Returns the rows that are not blank, one after the other. Throws InvalidFile. */
export async function* csvRows(text: AsyncIterable<string> | Iterable<string>): AsyncGenerator<FileRow> {
  const rowOf = rowReader()
  let rows: FileRow[] = []
  let parser: Parser | undefined
  for await (const piece of text) {
    parser ??= parserOf(piece, rowOf, (row) => rows.push(row))
    // Parsed at once: reading records from the stream one by one takes many times as long.
    parser.write(piece)
    if (parser.errored) break
    yield* rows
    rows = []
  }
  if (!parser) return
  parser.end()
  await finished(parser.resume()).catch((error) => {
    throw error instanceof CsvError ? invalidCsv(error, rowOf.last + 1) : error
  })
  yield* rows
}

function parserOf(start: string, rowOf: ReturnType<typeof rowReader>, take: (row: FileRow) => void): Parser {
  const parser = new Parser({
    ...optionsFor(start),
    on_record: (record: unknown) => {
      const row = rowOf.read(record as ParsedRecord)
      if (row) take(row)
      return null
    },
  })
  // Thrown where the parser has finished.
  return parser.on('error', () => {})
}

type ParsedRecord = { record: string[]; info: { lines: number } }

const optionsFor = (start: string): Options => ({
  bom: true,
  delimiter: separatorOf(start),
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  info: true,
  max_record_size: fileLimits.recordLength,
})

/** Numbers the rows and leaves out blank ones. The parser counts a CRLF within a cell as two lines. */
function rowReader() {
  let pairs = 0
  const limited = rowLimits()
  const reader = {
    last: 0,
    read({ record, info }: ParsedRecord): FileRow | undefined {
      const breaks = record.reduce((sum, cell) => sum + (cell.match(/[\r\n]/g)?.length ?? 0), 0)
      const line = info.lines - breaks - pairs
      pairs += breaks === 0 ? 0 : record.reduce((sum, cell) => sum + (cell.match(/\r\n/g)?.length ?? 0), 0)
      reader.last = info.lines - pairs
      return limited({ line, cells: record })
    },
  }
  return reader
}

function invalidCsv(error: CsvError, line: number): InvalidFile {
  return new InvalidFile(
    error.code === 'CSV_MAX_RECORD_SIZE'
      ? `Line ${line} is longer than 256 KB. Check whether a quote opens there that is never closed.`
      : `A quote that opens on line ${line} or later is not closed. Close it, or remove it.`,
  )
}

function separatorOf(text: string): string {
  const header = text
    .slice(0, 10_000)
    .split(/\r\n?|\n/, 1)[0]!
    .replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t'].map((sign) => ({ sign, n: header.split(sign).length }))
  return counts.reduce((best, one) => (one.n > best.n ? one : best)).sign
}
