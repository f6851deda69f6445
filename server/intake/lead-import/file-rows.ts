import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { msg } from '@lingui/core/runtime-macro'
import { markedEncoding } from '../../platform/http/decode-text.ts'
import { type FileRow, InvalidFile } from './file-limits.ts'
import { csvRows, separatorOf } from './read-csv.ts'

/** What must be known of a file before its rows can be read. */
export interface FileKind {
  format: 'csv' | 'xlsx'
  encoding: string
  /** Between the cells of a text file. */
  separator: string
  /** SHA-256 of its bytes. */
  hash: string
}

const piece = { highWaterMark: 256 * 1024 }

/** Reads the whole file once: its encoding is known only at its end. Throws InvalidFile. */
export async function detectFileKind(path: string): Promise<FileKind> {
  const start = await firstBytes(path)
  const begins = (...bytes: number[]) => bytes.every((byte, at) => start[at] === byte)
  if (begins(0xd0, 0xcf, 0x11, 0xe0)) {
    throw new InvalidFile(
      msg`The file is an old or encrypted workbook. Save it as .xlsx without a password, or as CSV.`,
    )
  }
  const format = begins(0x50, 0x4b, 0x03, 0x04) ? 'xlsx' : 'csv'
  const hash = createHash('sha256')
  const marked = markedEncoding(start)
  if (format === 'csv' && isMarkup(new TextDecoder(marked).decode(start))) {
    throw new InvalidFile(
      msg`The file is a web page or XML, although its name says otherwise. Open it in a spreadsheet program and save it as .xlsx or CSV.`,
    )
  }
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let encoding = marked ?? 'utf-8'
  for await (const bytes of createReadStream(path, piece)) {
    hash.update(bytes as Buffer)
    if (format === 'csv' && !marked && encoding === 'utf-8' && !decodes(utf8, bytes as Buffer))
      encoding = 'windows-1252'
  }
  if (encoding === 'utf-8' && format === 'csv' && !marked && !decodes(utf8)) encoding = 'windows-1252'
  const separator = separatorOf(new TextDecoder(encoding).decode(start))
  return { format, encoding, separator, hash: hash.digest('hex') }
}

/** Many systems name a table in HTML leads.xls. */
const isMarkup = (text: string) => /^\s*<(!--|(!doctype|\?xml|html|head|body|meta|style|table|div|tr)\b)/i.test(text)

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(startLength), 0, startLength, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

const startLength = 64 * 1024

function decodes(decoder: TextDecoder, bytes?: Buffer): boolean {
  try {
    decoder.decode(bytes, { stream: bytes !== undefined })
    return true
  } catch {
    return false
  }
}

/** The rows of a text file. `check` is called again and again, and may throw. */
export function readTextRows(path: string, { encoding }: FileKind, check: () => void): AsyncGenerator<FileRow> {
  return csvRows(textOf(path, encoding, check))
}

async function* textOf(path: string, encoding: string, check: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const bytes of createReadStream(path, piece)) {
    check()
    yield decoder.decode(bytes as Buffer, { stream: true })
  }
  yield decoder.decode()
}
