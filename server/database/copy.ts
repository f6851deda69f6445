import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PendingQuery, Row, TransactionSql } from 'postgres'

/** Lines are sent in pieces of about this many characters. */
const pieceLength = 128 * 1024

/** Copies rows, each a line of `copyLine`, into a table, with backpressure. */
export async function copyInto(
  tx: TransactionSql,
  table: string,
  columns: readonly string[],
  lines: string[],
): Promise<void> {
  if (lines.length > 0) await writeCopy(tx`copy ${tx(table)} (${tx(columns)}) from stdin`, pieces(lines))
}

/** Sends the text of a COPY FROM STDIN. */
export async function writeCopy(
  query: PendingQuery<Row[]>,
  text: Iterable<string> | AsyncIterable<Buffer>,
): Promise<void> {
  const stream = await query.writable()
  await Promise.race([pipeline(Readable.from(text), stream), laterError(query)])
}

/** Returns the text of a COPY TO STDOUT, in pieces of any length. */
export async function* readCopy(query: PendingQuery<Row[]>): AsyncGenerator<Buffer> {
  const stream = await query.readable()
  laterError(query).catch((error) => stream.destroy(error))
  yield* stream as AsyncIterable<Buffer>
  // The driver pauses its socket after a long row, and does not resume it if that was the last one.
  stream._read(0)
}

/** The driver resolves with the stream and drops a later error, such as a violated foreign key. */
function laterError(query: PendingQuery<Row[]>): Promise<never> {
  return new Promise<never>((_, reject) => Object.assign(query, { reject }))
}

function* pieces(lines: string[]): Generator<string> {
  let piece = ''
  for (const line of lines) {
    piece += line
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}

/** Returns one row in the text format of COPY. */
export function copyLine(values: (string | number | null)[]): string {
  return `${values.map(copyValue).join('\t')}\n`
}

function copyValue(value: string | number | null): string {
  if (value === null) return '\\N'
  if (typeof value === 'number') return String(value)
  return /[\\\n\r\t]/.test(value) ? value.replace(/[\\\n\r\t]/g, (sign) => escapes[sign]!) : value
}

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
