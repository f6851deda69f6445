import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { msg } from '@lingui/core/runtime-macro'
import { HttpProblem, invalid, tryLater } from '../../platform/http/problem.ts'

const prefix = 'lead-engine-import-'

/** A file that was sent, in a temporary folder that only this user can read. */
export class ReceivedFile {
  readonly folder: string
  readonly path: string

  constructor(folder: string) {
    this.folder = folder
    this.path = join(folder, 'leads')
  }
}

/** Bounds what bodies take on the disk, together with the limit of one. */
export const maxReceived = { files: 8, ofAccount: 3 }
/** How many files each account sends now. */
const receiving = new Map<string, number>()

interface Sent {
  accountId: string
  body: AsyncIterable<Buffer>
  maxBytes: number
  /** Aborted when the response closes, however the request ends: the file is removed then. */
  gone: AbortSignal
}

/** The files that one app received and has not removed. */
export class ReceivedFiles {
  readonly #files = new Set<ReceivedFile>()

  /** Writes a body to a temporary file. */
  async receive(sent: Sent): Promise<ReceivedFile> {
    const own = receiving.get(sent.accountId) ?? 0
    const all = [...receiving.values()].reduce((sum, files) => sum + files, 0)
    if (own >= maxReceived.ofAccount || all >= maxReceived.files)
      throw tryLater(msg`Other files are being sent. Try again later.`, { connection: 'close' })
    receiving.set(sent.accountId, own + 1)
    try {
      return await this.#write(sent)
    } finally {
      const left = receiving.get(sent.accountId)! - 1
      if (left > 0) receiving.set(sent.accountId, left)
      else receiving.delete(sent.accountId)
    }
  }

  async removeAll(): Promise<void> {
    await Promise.all([...this.#files].map((file) => this.#remove(file)))
  }

  async #write({ body, maxBytes, gone }: Sent): Promise<ReceivedFile> {
    const file = new ReceivedFile(await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`)))
    this.#files.add(file)
    gone.addEventListener('abort', () => void this.#remove(file))
    try {
      await pipeline(Readable.from(limited(body, maxBytes)), createWriteStream(file.path, { mode: 0o600 }))
      if (gone.aborted) throw invalid(msg`The client left before the file was read.`)
      return file
    } catch (error) {
      await this.#remove(file)
      throw error
    }
  }

  async #remove(file: ReceivedFile): Promise<void> {
    await rm(file.folder, { recursive: true, force: true })
    this.#files.delete(file)
  }
}

/** Removes the files of processes that were killed. Others of the machine keep theirs. */
export async function removeLeftFiles(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => [])
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const path = join(tmpdir(), name)
    // It belongs to another user of the machine, or was just removed.
    if (await isLeft(name, path).catch(() => false)) await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

const day = 86_400_000

async function isLeft(name: string, path: string): Promise<boolean> {
  const pid = Number(/^\d+(?=-)/.exec(name.slice(prefix.length))?.[0])
  const { mtimeMs } = await stat(path)
  // Earlier versions wrote no process into the name.
  if (!pid) return mtimeMs < Date.now() - day
  // In a container the process of each start has the same number.
  if (pid === process.pid) return mtimeMs < Date.now() - process.uptime() * 1000
  return !isRunning(pid)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as { code?: string }).code !== 'ESRCH'
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
    const max = Math.round(maxBytes / 1024 / 1024)
    throw new HttpProblem(413, 'PAYLOAD_TOO_LARGE', msg`The file is larger than ${{ max }} MB. Import it in parts.`)
  }
}
