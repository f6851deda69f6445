import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { HttpProblem, tryLater } from '../http/problem.ts'

/** A file that was sent, in a temporary folder that only this user can read. Must be removed. */
export class ReceivedFile {
  readonly path: string
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
    this.path = join(folder, 'leads')
  }

  remove(): Promise<void> {
    return rm(this.#folder, { recursive: true, force: true })
  }
}

/** Bounds what bodies take on the disk, together with the limit of one. */
const maxAtOnce = 8
let receiving = 0

/** Writes a body to a temporary file. */
export async function receiveFile(body: AsyncIterable<Buffer>, maxBytes: number): Promise<ReceivedFile> {
  if (receiving >= maxAtOnce) throw tryLater('Other files are being sent. Try again later.', { connection: 'close' })
  receiving++
  try {
    return await writeFile(body, maxBytes)
  } finally {
    receiving--
  }
}

async function writeFile(body: AsyncIterable<Buffer>, maxBytes: number): Promise<ReceivedFile> {
  const file = new ReceivedFile(await mkdtemp(join(tmpdir(), 'lead-engine-import-')))
  try {
    await pipeline(Readable.from(limited(body, maxBytes)), createWriteStream(file.path, { mode: 0o600 }))
    return file
  } catch (error) {
    await file.remove()
    throw error
  }
}

async function* limited(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const piece of body) {
    size += piece.length
    // Still read, up to a limit: a client that is still sending does not read the answer.
    if (size > 3 * maxBytes) break
    if (size <= maxBytes) yield piece
  }
  if (size > maxBytes) {
    const most = Math.round(maxBytes / 1024 / 1024)
    throw new HttpProblem(413, 'PAYLOAD_TOO_LARGE', `The file is larger than ${most} MB. Import it in parts.`)
  }
}
