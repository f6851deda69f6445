import { finished } from 'node:stream/promises'
import { msg } from '@lingui/core/runtime-macro'
import { CsvError, type Options, Parser } from 'csv-parse'
import { type FileRow, fileLimits, InvalidFile, rowLimits } from './file-limits.ts'

/** Returns the rows that are not blank, one after the other. Throws InvalidFile. */
export async function* csvRows(text: AsyncIterable<string> | Iterable<string>): AsyncGenerator<FileRow> {
  const rowOf = rowReader()
  let rows: FileRow[] = []
  let parser: Parser | undefined
  for await (const piece of text) {
    parser ??= parserOf(piece, rowOf, (row) => (row.line === 1 && isDeclared(row) ? 0 : rows.push(row)))
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
      return limited({ line, cells: record.map(withoutFormula) })
    },
  }
  return reader
}

function invalidCsv(error: CsvError, line: number): InvalidFile {
  return new InvalidFile(
    error.code === 'CSV_MAX_RECORD_SIZE'
      ? msg`Line ${{ line }} is longer than 256 KB. Check for a quote that opens there and is never closed.`
      : msg`A quote that opens on line ${{ line }} or later is not closed. Close it, or remove it.`,
  )
}

/** Spreadsheets that write sep=; in the first line read and write their files so. */
const declaration = /^\uFEFF?"?sep=([^\r\n])"?[^\S\r\n]*[\r\n]/i
const isDeclared = ({ cells }: FileRow) => /^sep=.?$/i.test(cells[0]!) && cells.slice(1).every((cell) => cell === '')

/** Exports write ="0982" so that a spreadsheet keeps the text as it is. */
const withoutFormula = (cell: string) =>
  cell.startsWith('="') && cell.endsWith('"') && cell.length > 2 ? cell.slice(2, -1).replaceAll('""', '"') : cell

const separators = [',', ';', '\t', '|']
const firstLines = 20

/** The separator that a file declares, else the one that most of its first lines have equally often. */
export function separatorOf(start: string): string {
  const declared = declaration.exec(start)?.[1]
  if (declared !== undefined) return declared
  const lines = start
    .slice(0, 64 * 1024)
    .replace(/"[^"]*"/g, '')
    .split(/\r\n?|\n/)
    .slice(0, firstLines)
  const scores = separators.map((separator) => ({ separator, score: agreement(lines, separator) }))
  return scores.reduce((best, one) => (one.score > best.score ? one : best)).separator
}

/** How many separators the lines have that have the most usual number of them. */
function agreement(lines: string[], separator: string): number {
  const linesByCount = new Map<number, number>()
  for (const line of lines) {
    const count = line.split(separator).length - 1
    linesByCount.set(count, (linesByCount.get(count) ?? 0) + 1)
  }
  return Math.max(...[...linesByCount].map(([count, n]) => count * n))
}
