import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { markedEncoding } from '../http/decode-text.ts'
import { type FileRow, InvalidFile } from './file-limits.ts'
import { csvRows } from './read-csv.ts'
import { xlsxRows } from './read-xlsx.ts'

/** What must be known of a file before its rows can be read. */
export interface FileKind {
  format: 'csv' | 'xlsx'
  encoding: string
  /** SHA-256 of its bytes. */
  hash: string
}

const piece = { highWaterMark: 256 * 1024 }

/** Reads the whole file once: its encoding is known only at its end. Throws InvalidFile. */
export async function detectFileKind(path: string): Promise<FileKind> {
  const start = await firstBytes(path)
  const begins = (...bytes: number[]) => bytes.every((byte, at) => start[at] === byte)
  if (begins(0xd0, 0xcf, 0x11, 0xe0)) {
    throw new InvalidFile('The file is an old or encrypted workbook. Save it as .xlsx without a password, or as CSV.')
  }
  const format = begins(0x50, 0x4b, 0x03, 0x04) ? 'xlsx' : 'csv'
  const hash = createHash('sha256')
  const marked = markedEncoding(start)
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let encoding = marked ?? 'utf-8'
  for await (const bytes of createReadStream(path, piece)) {
    hash.update(bytes as Buffer)
    if (format === 'csv' && !marked && encoding === 'utf-8' && !decodes(utf8, bytes as Buffer))
      encoding = 'windows-1252'
  }
  if (encoding === 'utf-8' && format === 'csv' && !marked && !decodes(utf8)) encoding = 'windows-1252'
  return { format, encoding, hash: hash.digest('hex') }
}

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function decodes(decoder: TextDecoder, bytes?: Buffer): boolean {
  try {
    decoder.decode(bytes, { stream: bytes !== undefined })
    return true
  } catch {
    return false
  }
}

export function readFileRows(path: string, { format, encoding }: FileKind): AsyncGenerator<FileRow> {
  return format === 'xlsx' ? xlsxRows(path) : csvRows(textOf(path, encoding))
}

async function* textOf(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const bytes of createReadStream(path, piece)) yield decoder.decode(bytes as Buffer, { stream: true })
  yield decoder.decode()
}
