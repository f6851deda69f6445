import { constants, createWriteStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract } from 'tar-stream'
import type { Steps } from '../backup/steps.ts'
import { checkRoom } from '../embedded/check-room.ts'
import { type Base, readBase } from './base-backup.ts'
import type { Choice } from './choose-base.ts'
import { Damage } from './encryption.ts'
import { segmentFile, segmentSize, segmentStart } from './log-piece.ts'
import { type LogEnd, logLength, readLog } from './read-log.ts'

/** Writes the data folder as the base has it, and the log that follows, for PostgreSQL to replay. Returns where the log ends. */
export async function unpackBase(
  { history, base }: Choice,
  data: string,
  { steps, signal }: { steps: Steps; signal: AbortSignal },
): Promise<LogEnd> {
  await mkdir(data, { recursive: true, mode: 0o700 })
  const length = await logLength(history, base.start)
  await checkRoom(data, base.bytes + length)
  const unpacked = steps.start('Reading the base backup', base.bytes, 'bytes')
  await unpack(readBase(history, base), data, (more) => {
    signal.throwIfAborted()
    unpacked(more)
  })
  const log = readLog(history, segmentStart(base.start))
  const written = steps.start('Reading the log', length, 'bytes')
  const end = await writeSegments(log, {
    data,
    base,
    written(more) {
      signal.throwIfAborted()
      written(more)
    },
  })
  steps.end()
  if (end.position < base.end)
    throw new Damage(`${end.problem ?? 'the continuous backup ends'}, before the base backup is complete`)
  return end
}

async function unpack(parts: AsyncIterable<Buffer>, data: string, written: (more: number) => void): Promise<void> {
  const archive = extract()
  archive.on('entry', (header, content, next) => {
    const path = join(data, header.name)
    const write = async () => {
      if (!path.startsWith(data) || !['file', 'directory'].includes(header.type ?? ''))
        throw new Error(`The base backup contains ${header.name}, which is no file or folder.`)
      if (header.type === 'directory') await mkdir(path, { recursive: true, mode: 0o700 })
      else await pipeline(content, createWriteStream(path, { mode: 0o600 }))
      content.resume()
    }
    write().then(
      () => next(),
      (error) => archive.destroy(error),
    )
  })
  async function* counted() {
    for await (const part of parts) {
      yield part
      written(part.length)
    }
  }
  await pipeline(Readable.from(counted()), archive as unknown as Writable)
}

interface Segments {
  data: string
  base: Base
  written(more: number): void
}

/** Files of the log have a fixed length: the last one ends with zeros, at which PostgreSQL stops. */
async function writeSegments(log: AsyncGenerator<Buffer, LogEnd>, { data, base, written }: Segments): Promise<LogEnd> {
  let position = segmentStart(base.start)
  for (;;) {
    const { value, done } = await log.next()
    if (done) return value
    for (let at = 0; at < value.length; ) {
      const start = segmentStart(position)
      const rest = value.subarray(at, at + Number(start + segmentSize - position))
      const path = join(data, 'pg_wal', segmentFile(base.timeline, position))
      const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
      try {
        await file.truncate(Number(segmentSize))
        await file.write(rest, 0, rest.length, Number(position - start))
      } finally {
        await file.close()
      }
      at += rest.length
      position += BigInt(rest.length)
      written(rest.length)
    }
  }
}
