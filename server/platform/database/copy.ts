import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type CopyStreamQuery, type CopyToStreamQuery, from, to } from 'pg-copy-streams'
import { clientOf } from './pool.ts'
import type { Statement, TransactionSql } from './sql.ts'

/** Copies rows, each a line of `copyLine`, into a table. */
export async function copyInto(
  tx: TransactionSql,
  table: string,
  columns: readonly string[],
  lines: string[],
): Promise<void> {
  if (lines.length > 0) await writeCopy(tx, tx`copy ${tx(table)} (${tx(columns)}) from stdin`, [lines.join('')])
}

/** Sends the text of a COPY FROM STDIN. */
export function writeCopy(
  tx: TransactionSql,
  statement: Statement,
  text: Iterable<string> | AsyncIterable<Buffer>,
): Promise<void> {
  return pipeline(Readable.from(text), copying(tx, from(statement.write([]))))
}

/** Returns the text of a COPY TO STDOUT, in pieces of any length. */
export function readCopy(tx: TransactionSql, statement: Statement): AsyncIterable<Buffer> {
  return copying(tx, to(statement.write([])))
}

/** The driver copies only while nothing else is under way on the connection. */
function copying<T extends CopyStreamQuery | CopyToStreamQuery>(tx: TransactionSql, stream: T): T {
  const client = clientOf(tx)
  client.pipeline = false
  client.query(stream).once('close', () => Object.assign(client, { pipeline: true }))
  return stream
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

/** Reads a row in the text format of COPY, as `copyLine` or PostgreSQL wrote it, without its line feed. */
export function readCopyLine(line: string): (string | null)[] {
  return line
    .split('\t')
    .map((value) => (value === '\\N' ? null : value.replace(/\\(.)/gs, (_, sign) => unescaped[sign] ?? sign)))
}

const unescaped: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' }

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
