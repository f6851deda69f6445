import { createHash, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract, pack } from 'tar-stream'

/** The first entry, by which a backup is recognised. */
const firstName = 'lead-engine-backup.txt'
const firstText = `This is a backup of Lead Engine. Anybody who can read it can read everything in it: names, phones and emails of all
leads, notes, the tokens of webhooks, and the secrets behind sign-in and two-factor codes. Keep it as safe as the database.

Restore it with: lead-engine restore FILE
`

/** After the tar archive, where programs for tar files stop reading: the SHA-256 of everything before. */
const lastLine = (sha256: string) => `sha256 ${sha256}\n`
const lastLineLength = lastLine('0'.repeat(64)).length

/** No entry is longer: a part of a table hardly grows when it is compressed. */
const maxEntryBytes = 8 * 1024 * 1024
const maxManifestBytes = 256 * 1024 * 1024

export interface Entry {
  name: string
  content: Buffer
}

/** A new tar archive with a checksum, which only its owner may read. */
export async function createArchive(path: string, created: Date) {
  const file = (await open(path, 'wx', 0o600)).createWriteStream({ flush: true })
  const tar = pack()
  let bytes = 0
  async function* withChecksum(source: AsyncIterable<Buffer>) {
    const hash = createHash('sha256')
    for await (const chunk of source) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
    const end = Buffer.from(lastLine(hash.digest('hex')))
    bytes += end.length
    yield end
  }
  const writing = pipeline(tar as unknown as Readable, withChecksum, file)

  let failure: unknown = null
  writing.catch((error) => {
    failure = error
  })

  async function add({ name, content }: Entry): Promise<void> {
    if (failure) throw failure
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    tar.entry({ name, mode: 0o600, mtime: created }, content, (error) => (error ? reject(error) : resolve()))
    // A failed write, such as a full disk, never reaches the callback.
    await Promise.race([promise, writing])
  }

  return {
    created,
    start: () => add({ name: firstName, content: Buffer.from(firstText) }),
    add,
    /** Returns the size of the file. */
    async finish(): Promise<number> {
      tar.finalize()
      await writing
      return bytes
    },
    async abandon(): Promise<void> {
      tar.destroy()
      await writing.catch(() => {})
    },
  }
}

export type Archive = Awaited<ReturnType<typeof createArchive>>

export class DamagedBackup extends Error {}
/** There is no file, or one of something else. */
export class NotABackup extends Error {}

export const damaged = (path: string, why: string) => new DamagedBackup(`${path} is damaged (${why}).`)

/** Reads the entries of a file and checks it as a whole: after the last entry, it is known to be as it was written. */
export async function* readArchive(path: string, onBytes: (more: number) => void = () => {}): AsyncGenerator<Entry> {
  const { end, sha256 } = await readEnds(path)
  const hash = createHash('sha256')
  async function* hashed() {
    for await (const chunk of createReadStream(path, { end: end - 1, highWaterMark: 1024 * 1024 })) {
      hash.update(chunk as Buffer)
      onBytes((chunk as Buffer).length)
      yield chunk
    }
  }
  const tar = extract()
  // Through a stream of Node, whose errors reach the reader.
  const reading = pipeline(Readable.from(hashed()), new PassThrough(), tar as unknown as NodeJS.WritableStream)
  reading.catch(() => {})
  try {
    for await (const entry of tar) {
      const { name, size = 0, type } = entry.header
      if (type !== 'file' || size > (name.startsWith('tables/') ? maxEntryBytes : maxManifestBytes)) {
        throw damaged(path, `it contains ${name}`)
      }
      const chunks: Buffer[] = []
      for await (const chunk of entry) chunks.push(chunk as Buffer)
      if (name !== firstName) yield { name, content: Buffer.concat(chunks) }
    }
    await reading
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof DamagedBackup || (code && code !== 'ERR_STREAM_PREMATURE_CLOSE')) throw error
    throw damaged(path, (error as Error).message)
  } finally {
    tar.destroy()
  }
  if (!timingSafeEqual(hash.digest(), sha256)) throw damaged(path, 'its checksum does not match its content')
}

/** Checks the beginning and the end, and returns where the end starts and the checksum in it. */
async function readEnds(path: string): Promise<{ end: number; sha256: Buffer }> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new NotABackup(`There is no file ${path}.`, { cause: error }) : error
  })
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw new NotABackup(`${path} is not a file.`)
    const first = Buffer.alloc(firstName.length)
    await file.read(first, 0, first.length, 0)
    if (first.toString('latin1') !== firstName) throw new NotABackup(`${path} is not a backup of Lead Engine.`)
    const end = stats.size - lastLineLength
    const last = Buffer.alloc(lastLineLength)
    if (end > 0) await file.read(last, 0, last.length, end)
    const [, digest] = /^sha256 ([0-9a-f]{64})\n$/.exec(last.toString('latin1')) ?? []
    if (!digest) throw damaged(path, 'its end is missing')
    return { end, sha256: Buffer.from(digest, 'hex') }
  } finally {
    await file.close()
  }
}
