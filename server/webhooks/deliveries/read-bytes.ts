import { randomInt } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { HttpProblem, invalid } from '../../http/problem.ts'

export interface Body {
  /** Decompressed; as it came where it is refused. */
  bytes: Buffer
  refusal: HttpProblem | null
}

/** 3 MB, as Meta may send; also after decompression. */
const mostBytes = 3 * 1024 * 1024
/** Of all bodies that are being read or worked on in this process. */
const mostAtOnce = 64 * 1024 * 1024
let atOnce = 0

/**
 * The bytes of a body, decompressed. Reads on to the end of one that is too large, within reason, so that its sender
 * hears the answer. `whenDone` is called with what gives its room back.
 */
export async function readBytes(payload: IncomingMessage, whenDone: (free: () => void) => void): Promise<Body> {
  let [held, isDone] = [0, false]
  const hold = (bytes: number) => {
    if (bytes > 0 && atOnce + bytes > mostAtOnce) throw tooMany()
    held += bytes
    atOnce += bytes
  }
  whenDone(() => {
    hold(-held)
    isDone = true
  })
  const chunks: Buffer[] = []
  let size = 0
  // Not destroyed where reading ends early: the answer goes out on the same connection.
  for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
    if (size < mostBytes && !isDone) {
      hold(chunk.length)
      chunks.push(chunk)
    }
    size += chunk.length
    if (size > 8 * 1024 * 1024) break
  }
  const bytes = Buffer.concat(chunks)
  if (size > mostBytes) return { bytes: bytes.subarray(0, mostBytes), refusal: tooLarge() }
  const body = await decompressed(bytes, payload.headers, (more) => {
    if (!isDone) hold(more)
  })
  // Of the two, one is kept.
  if (!isDone) hold(body.bytes.length - held)
  return body
}

const unpackers = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  // Some senders leave the header out, though the standard has it.
  deflate: (bytes: Buffer) => ((bytes[0]! & 0x0f) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
}

/** `hold` is told of each piece before the next is made, so that bodies which grow take their room as they do. */
async function decompressed(bytes: Buffer, headers: IncomingHttpHeaders, hold: (more: number) => void): Promise<Body> {
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity' || bytes.length === 0) return { bytes, refusal: null }
  if (!Object.hasOwn(unpackers, encoding)) return { bytes, refusal: notTaken() }
  const unpacker = unpackers[encoding as keyof typeof unpackers](bytes)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of unpacker.end(bytes)) {
      size += chunk.length
      if (size > mostBytes) return { bytes, refusal: tooLarge() }
      hold(chunk.length)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof HttpProblem) throw error
    return { bytes, refusal: invalid(`The body is not valid ${encoding}.`) }
  }
  return { bytes: Buffer.concat(chunks), refusal: null }
}

const tooLarge = () =>
  new HttpProblem(413, 'PAYLOAD_TOO_LARGE', 'The body is larger than 3 MB, or is when decompressed.')

const tooMany = () =>
  new HttpProblem(503, 'UNAVAILABLE', 'Too many bodies are arriving at once. Try again in a moment.', undefined, {
    'retry-after': String(randomInt(5, 11)),
  })

const notTaken = () =>
  new HttpProblem(
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the body uncompressed, or with Content-Encoding gzip, deflate or br.',
  )
