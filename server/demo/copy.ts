import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { TransactionSql } from 'postgres'

/** Lines are sent in pieces of about this many characters. */
const pieceLength = 128 * 1024

/** Copies rows, each a line of `copyLine`, into a table, with backpressure. */
export async function copyInto(
  tx: TransactionSql,
  table: string,
  columns: readonly string[],
  lines: string[],
): Promise<void> {
  if (lines.length === 0) return
  const query = tx`copy ${tx(table)} (${tx(columns)}) from stdin`
  const stream = await query.writable()
  // The driver resolves with the stream and drops a later error, such as a violated foreign key.
  const failed = new Promise<never>((_, reject) => Object.assign(query, { reject }))
  await Promise.race([pipeline(Readable.from(pieces(lines)), stream), failed])
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
