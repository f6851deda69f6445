import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { HttpProblem, invalid, tryLater } from '../../../platform/http/problem.ts'
import { leastBytes, readInTime } from '../../../platform/http/slow-body.ts'

export interface Body {
  /** Decompressed; as received if there is a problem. */
  bytes: Buffer
  problem: HttpProblem | null
}

/** 3 MiB, as Meta may send; also after decompression. */
export const maxBytes = 3 * 1024 * 1024
/** All bodies that are read or processed in this process, and those of one holder: an account, or a token while that is unknown. */
export const maxAtOnce = { all: 64 * 1024 * 1024, ofHolder: 32 * 1024 * 1024 }
let atOnce = 0
const heldBy = new Map<string, number>()
/** The server ends a request after as much time, too. A small body takes little memory while it arrives. */
const inTime = { maxPauseMs: 20_000, maxMs: 20_000, slowBytes: leastBytes }

/**
 * Reads the bytes of a body and decompresses them. Of a body that is too large it reads the rest up to 8 MB, so that the
 * sender receives the answer. `whenDone` is called with a function that frees the memory.
 */
export async function readBytes(
  payload: IncomingMessage,
  holder: string,
  whenDone: (free: () => void) => void,
): Promise<Body> {
  let [held, isDone] = [0, false]
  const hold = (bytes: number) => {
    const own = (heldBy.get(holder) ?? 0) + bytes
    if (bytes > 0 && (atOnce + bytes > maxAtOnce.all || own > maxAtOnce.ofHolder))
      throw tryLater('Too many bodies are arriving at once. Try again in a moment.')
    held += bytes
    atOnce += bytes
    if (own > 0) heldBy.set(holder, own)
    else heldBy.delete(holder)
  }
  whenDone(() => {
    hold(-held)
    isDone = true
  })
  const chunks: Buffer[] = []
  let size = 0
  // Most bodies have arrived. Not destroyed when reading ends early: the answer uses the same connection.
  const pieces = payload.complete ? payload.iterator({ destroyOnReturn: false }) : readInTime(payload, inTime)
  for await (const chunk of pieces) {
    if (size < maxBytes && !isDone) {
      hold(chunk.length)
      chunks.push(chunk)
    }
    size += chunk.length
    if (size > 8 * 1024 * 1024) break
  }
  const bytes = Buffer.concat(chunks)
  if (size > maxBytes) return { bytes: bytes.subarray(0, maxBytes), problem: tooLarge() }
  const body = await decompressed(bytes, payload.headers, (more) => {
    if (!isDone) hold(more)
  })
  // Only one of the two stays in memory.
  if (!isDone) hold(body.bytes.length - held)
  return body
}

const unpackers = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  // Some senders omit the header that the standard requires.
  deflate: (bytes: Buffer) => ((bytes[0]! & 0x0f) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
}

/** Calls `hold` for each chunk before the next is decompressed, so that the memory limit counts growing bodies. */
async function decompressed(bytes: Buffer, headers: IncomingHttpHeaders, hold: (more: number) => void): Promise<Body> {
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity' || bytes.length === 0) return { bytes, problem: null }
  if (!Object.hasOwn(unpackers, encoding)) return { bytes, problem: unsupportedEncoding() }
  const unpacker = unpackers[encoding as keyof typeof unpackers](bytes)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of unpacker.end(bytes)) {
      size += chunk.length
      if (size > maxBytes) return { bytes, problem: tooLarge() }
      hold(chunk.length)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof HttpProblem) throw error
    return { bytes, problem: invalid(`The body is not valid ${encoding}.`) }
  }
  return { bytes: Buffer.concat(chunks), problem: null }
}

export const tooLarge = () =>
  new HttpProblem(413, 'PAYLOAD_TOO_LARGE', 'The body is larger than 3 MiB, or is when decompressed.')

export const unsupportedEncoding = () =>
  new HttpProblem(
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the body uncompressed, or with Content-Encoding gzip, deflate or br.',
  )
